import { startServers } from '../../bench/servers/servers.ts';
import { readKnown, UsageError, whole } from '../faults/options.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { describe, judge } from './report.ts';
import { createsPerSecond, readsPerSecond, runHostile } from './run.ts';

interface Options {
  readonly seconds: number;
  readonly chosen: readonly Attack[];
}

// Entry point. Exits with 0 where everything held, 1 where something did not, 2 for wrong usage.
try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(helpText());
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

function readOptions(args: string[]): Options | undefined {
  const values = readKnown(args, {
    attack: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help === true) return undefined;
  return {
    seconds: whole('--seconds', values.seconds, { otherwise: 20, min: 1, max: 600 }),
    chosen: values.attack === undefined ? attacks : values.attack.map((name) => findAttack(String(name))),
  };
}

function findAttack(name: string): Attack {
  const attack = attacks.find((each) => each.name === name);
  if (attack !== undefined) return attack;
  throw new UsageError(`There is no attack "${name}"; there are:\n  ${attacks.map((each) => each.name).join('\n  ')}`);
}

function helpText(): string {
  const width = Math.max(...attacks.map(({ name }) => name.length));
  return [
    'Measures what a client with a key notices of an attacker, and what the attacked process pays.',
    '',
    '  npm run test:hostile -- [--attack NAME ...] [--seconds N]',
    '',
    '  --attack NAME  only this attack; may be repeated (default: all, one after the other)',
    '  --seconds N    how long the client sends, alone and under attack (default: 20)',
    '',
    'Attacks:',
    ...attacks.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`),
    '',
    'MONGODB_URI names a replica set to use in place of the embedded engine.',
    '',
  ].join('\n');
}

async function run({ seconds, chosen }: Options): Promise<number> {
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
}
