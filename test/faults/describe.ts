import type { FaultReport } from './harness/run-fault.ts';
import type { FinishedRun } from './harness/run-many.ts';

/** One run in a line; a breach with all that is needed to see it again. */
export function describeRun({ fault, seed, again, skipped, report, logFile }: FinishedRun): string {
  const name = `${fault.name}, seed ${seed}:`;
  if (report === undefined) return `${name} skipped, ${skipped ?? 'no reason given'}`;
  const { breaches, missed, orders, recoveredMs, terminalMs, slowestRequestMs, answers, tookMs } = report;
  const figures = [
    `${orders} orders`,
    `recovered in ${recoveredMs} ms`,
    `terminal in ${terminalMs} ms`,
    `slowest request ${slowestRequestMs} ms`,
    `took ${tookMs} ms`,
    Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(' '),
    ...missed.map((what) => `not brought about: ${what}`),
  ].join(', ');
  if (breaches.length === 0) return `${name} ok, ${figures}`;
  return [
    `${name} BREACH, ${figures}`,
    ...breaches.map((breach) => `    ${breach.replaceAll('\n', '\n    ')}`),
    `    again: npm run test:faults -- ${again}`,
    ...(logFile === undefined ? [] : [`    log: ${logFile}`]),
  ].join('\n');
}

/** The longest times of all runs, and the count of breaches. */
export function summarise(finished: readonly FinishedRun[], tookMs: number): string {
  const reports = finished.flatMap(({ report }) => report ?? []);
  const most = (of: (report: FaultReport) => number): string => `${Math.max(0, ...reports.map(of))} ms`;
  return [
    `\n${reports.length} runs`,
    `${reports.reduce((sum, { orders }) => sum + orders, 0)} orders`,
    `terminal in ≤ ${most(({ terminalMs }) => terminalMs)}`,
    `recovered in ≤ ${most(({ recoveredMs }) => recoveredMs)}`,
    `${reports.filter(({ breaches }) => breaches.length > 0).length} with a breach`,
    `${reports.filter(({ missed }) => missed.length > 0).length} brought about in part`,
    `${finished.length - reports.length} skipped`,
    `in ${Math.round(tookMs / 1000)} s\n`,
  ].join(', ');
}
