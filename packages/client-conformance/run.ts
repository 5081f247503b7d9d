// Holds a client to the suite: run.ts [--only TEXT] [--jobs N] -- COMMAND OF THE DRIVER. Ends with 1 if a case failed.
import { parseArgs } from 'node:util';
import { readCases, runSuite, type CaseReport } from './src/index.ts';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, jobs: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const jobs = Number(values.jobs);
if (positionals.length === 0 || !Number.isInteger(jobs) || jobs < 1) {
  console.error('Usage: run.ts [--only TEXT] [--jobs N] -- COMMAND OF THE DRIVER');
  process.exit(2);
}
const words = { ok: 'ok     ', failed: 'FAILED ', 'not run': 'not run' };

function show({ group, name, end, notes }: CaseReport): void {
  const isShort = end !== 'failed' && notes.length > 0;
  console.log(`${words[end]} ${group}: ${name}${isShort ? ` (${notes.join('; ')})` : ''}`);
  if (end === 'failed') for (const note of notes) console.log(`        ${note}`);
}

const cases = readCases().filter(({ group, name }) => `${group}: ${name}`.includes(values.only));
const { client, reports } = await runSuite(positionals, cases, { jobs, onReport: show });
const count = (end: CaseReport['end']): number => reports.filter((report) => report.end === end).length;
console.log(
  `${client}: ${reports.length} cases: ${count('ok')} ok, ${count('failed')} failed, ${count('not run')} not run`,
);
process.exitCode = count('failed') === 0 ? 0 : 1;
