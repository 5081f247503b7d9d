import { UsageError } from '../options.ts';
import { millionHelpText, readMillionOptions, type MillionOptions } from './options.ts';
import { createProgress } from './progress.ts';
import { runMillion, type MillionReport } from './run.ts';

// Entry point: `npm run test:million -- --orders N --doubled PERCENT`. Exits with 0 where everything held, 1 after a
// breach or where it could not go on, 2 for wrong usage.
try {
  const options = readMillionOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(millionHelpText);
  else process.exitCode = await run(options);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

async function run(options: MillionOptions): Promise<number> {
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort(new Error('stopped by SIGINT'));
  });
  const { orders, doubledPercent, workers, seed } = options;
  process.stdout.write(
    `${orders} orders, ${doubledPercent} % of the jobs doubled, workers: ${workers}, seed ${seed}\n`,
  );
  const report = await runMillion(options, createProgress(process.stderr), stopping.signal);
  process.stdout.write(describe(report, options));
  return report.breaches.length === 0 ? 0 : 1;
}

function describe(
  { engine, fed, verified, checked, jobs, expected, breaches }: MillionReport,
  options: MillionOptions,
) {
  const states = Object.entries(checked.byStatus).map(([status, count]) => `${count} ${status}`);
  const { orders, doubledPercent, workers, seed } = options;
  // Two jobs that meet in one worker share an outcome, and each reports it.
  const joined = Math.max(0, fed.results.completed + fed.results.failed - orders);
  return [
    `engine     ${engine}`,
    `orders     ${states.join(', ')}; with those that gave the wallets money`,
    `posting    ${Math.round(orders / fed.seconds)} orders/s, ${fed.seconds.toFixed(1)} s, workers: ${workers}`,
    `jobs       ${jobs.delivered}, of which ${jobs.doubled} for the second time; ${fed.sweptJobs} more by the sweeper`,
    `doubled    ${expected.doubled} orders: ${fed.results.skipped} skipped, ${joined} joined on their way`,
    `verify     ${verified.summary?.breaches ?? 'no'} breaches, ${verified.seconds.toFixed(1)} s`,
    `checker    ${checked.breaches.length} breaches, ${checked.seconds.toFixed(1)} s`,
    ...(breaches.length === 0
      ? ['Everything held.']
      : [
          'BREACH',
          ...breaches.map((breach) => `  ${breach}`),
          `  again: npm run test:million -- --orders ${orders} --doubled ${doubledPercent} --workers ${workers} --seed ${seed}`,
        ]),
    '',
  ].join('\n');
}
