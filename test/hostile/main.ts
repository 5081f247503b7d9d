import { latencyAt } from '../../bench/load/latency.ts';
import type { LoadResult } from '../../bench/load/load-order.ts';
import { readKnown, UsageError, whole } from '../faults/options.ts';
import { requestsInPacket, type AttackOptions } from './attack.ts';
import { createsPerSecond, judge, runHostile, type HostileReport } from './run.ts';

const help = `Measures what a client with a key notices of an attacker without one, and what memory the web process needs.

  npm run test:hostile -- [--seconds N] [--packets N] [--locales N]

  --seconds N   how long the client sends, alone and under attack (default: 20)
  --packets N   packets of ${requestsInPacket} pipelined GET /openapi.json each that are sent, and never read (default: 20)
  --locales N   requests a second with an X-LOCALE of 15 kB (default: 35)
`;

// Entry point. Exits with 0 where everything held, 1 where something did not, 2 for wrong usage.
try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(help);
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

function readOptions(args: string[]): AttackOptions | undefined {
  const values = readKnown(args, {
    seconds: { type: 'string' },
    packets: { type: 'string' },
    locales: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return undefined;
  return {
    seconds: whole('--seconds', values['seconds'], { otherwise: 20, min: 1, max: 600 }),
    packets: whole('--packets', values['packets'], { otherwise: 20, min: 0, max: 10_000 }),
    localesPerSecond: whole('--locales', values['locales'], { otherwise: 35, min: 0, max: 1_000 }),
  };
}

async function run(options: AttackOptions): Promise<number> {
  const report = await runHostile(options);
  const faults = judge(report);
  process.stdout.write(describe(report, options, faults));
  return faults.length === 0 ? 0 : 1;
}

function describe(report: HostileReport, options: AttackOptions, faults: readonly string[]): string {
  const { memory, backSeconds, cpuSeconds } = report;
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
  return [
    `engine    ${report.engine}`,
    `client    ${createsPerSecond} creates a second for ${options.seconds} s`,
    `alone     ${describeLoad(report.alone)}`,
    `attacked  ${describeLoad(report.attacked)}`,
    `attack    ${options.packets} packets that are never read, ${options.localesPerSecond} long locales a second`,
    `CPU       ${cpuSeconds.alone?.toFixed(1) ?? '-'} s of the web process alone, ${cpuSeconds.attacked?.toFixed(1) ?? '-'} s under attack`,
    `memory    ${mib(memory.before)} before, ${mib(memory.peak)} at most, ${mib(memory.after)} after; ${backSeconds === undefined ? 'not back' : `back in ${backSeconds.toFixed(1)} s`}`,
    ...(faults.length === 0 ? ['Everything held.'] : ['FAILED', ...faults.map((fault) => `  ${fault}`)]),
    '',
  ].join('\n');
}

function describeLoad({ answerLatency, byStatus, dropped, unanswered }: LoadResult): string {
  const at = (percentile: 50 | 99): string =>
    answerLatency === undefined ? '-' : latencyAt(answerLatency, percentile).toFixed(1);
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} × ${status}`);
  return `p50 ${at(50)} ms, p99 ${at(99)} ms; ${[...statuses, `${dropped} not sent`, `${unanswered} unanswered`].join(', ')}`;
}
