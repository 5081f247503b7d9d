import { startServers } from '../../bench/servers/servers.ts';
import { chosenOf, listed, runMain, whole } from '../support/command-line.ts';
import { attacks } from './attacks.ts';
import { describe, judge } from './report.ts';
import { createsPerSecond, readsPerSecond, runHostile } from './run.ts';

const helpText = [
  'Measures what a client with a key notices of an attacker, and what the attacked process pays.',
  '',
  '  npm run test:hostile -- [--attack NAME ...] [--seconds N]',
  '',
  '  --attack NAME  only this attack; may be repeated (default: all, one after the other)',
  '  --seconds N    how long the client sends, alone and under attack (default: 20)',
  '',
  'Attacks:',
  ...listed(attacks),
  '',
  'MONGODB_URI names a replica set to use in place of the embedded engine.',
  '',
].join('\n');

// Entry point: `npm run test:hostile -- --attack NAME --seconds N`.
await runMain({
  options: { attack: { type: 'string', multiple: true }, seconds: { type: 'string' } },
  helpText,
  async run(values) {
    const seconds = whole('--seconds', values.seconds, { otherwise: 20, min: 1, max: 600 });
    const chosen = chosenOf('attack', values.attack, attacks);
    const servers = await startServers();
    try {
      process.stdout.write(
        `${servers.engine.name}; the client makes ${createsPerSecond} creates and ${readsPerSecond} reads a second ` +
          `for ${seconds} s; p50 / p99\n\n`,
      );
      let faultCount = 0;
      for (const attack of chosen) {
        const report = await runHostile(servers, attack, seconds);
        const faults = judge(attack, report);
        faultCount += faults.length;
        process.stdout.write(`${describe(attack, report, faults)}\n`);
      }
      return faultCount === 0 ? 0 : 1;
    } finally {
      await servers.close();
    }
  },
});
