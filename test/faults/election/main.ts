import { readElectionOptions, electionHelpText, type ElectionOptions } from './options.ts';
import { UsageError } from '../options.ts';
import { runElection, type ElectionReport } from './run.ts';

// Entry point: `npm run test:election -- --rate N --seconds S`. Exits with 0 where everything held, 1 after a breach, 2 for
// wrong usage.
try {
  const options = readElectionOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(electionHelpText);
  else {
    const report = await runElection(options);
    process.stdout.write(describe(report, options));
    process.exitCode = report.breaches.length === 0 ? 0 : 1;
  }
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
}

function describe(report: ElectionReport, { ratePerSecond, seconds }: ElectionOptions): string {
  const errors = [...report.errors].map(([error, count]) => `, ${count} × ${error}`).join('');
  const megabytes = ({ before, most, after }: ElectionReport['memory'][number]) =>
    [before, most, after].map((bytes) => Math.round(bytes / 1_000_000)).join(' → ');
  return [
    `requests   ${ratePerSecond} a second at 2 API processes, no primary for ${report.awaySeconds.toFixed(1)} s; ${seconds} s were asked for`,
    `answers    ${report.right} × 200${errors}`,
    `slowest    ${Math.round(report.slowestMs)} ms`,
    `back       both processes answered ${Math.round(report.backMs)} ms after MongoDB was there again`,
    `orders     ${report.acknowledged} acknowledged, all terminal ${Math.round(report.terminalMs)} ms after the last answer; ${report.others} recorded that were not`,
    `memory     ${report.memory.map(megabytes).join(' MB, ')} MB (before → at the most → ${report.calmSeconds} s after)`,
    ...(report.breaches.length === 0
      ? ['Everything held.']
      : ['BREACH', ...report.breaches.map((each) => `  ${each}`)]),
    '',
  ].join('\n');
}
