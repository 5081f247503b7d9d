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

/** Of each fault the number of runs and the longest times (a pair counts for both); then the count of breaches. */
export function summarise(finished: readonly FinishedRun[], tookMs: number): string {
  const each = finished.flatMap((run) => (run.fault.pair ?? [run.fault]).map(({ name }) => ({ name, run })));
  const rows = [...Map.groupBy(each, ({ name }) => name)].map(([name, entries]) => {
    const runs = entries.map(({ run }) => run);
    const reports = runs.flatMap(({ report }) => report ?? []);
    const most = (of: (report: (typeof reports)[number]) => number) => `${Math.max(0, ...reports.map(of))} ms`;
    return [
      name,
      `${reports.length} runs`,
      `terminal in ≤ ${most(({ terminalMs }) => terminalMs)}`,
      `recovered in ≤ ${most(({ recoveredMs }) => recoveredMs)}`,
    ];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const ran = finished.filter(({ report }) => report !== undefined);
  const broken = ran.filter(({ report }) => (report?.breaches.length ?? 0) > 0);
  const orders = ran.reduce((sum, { report }) => sum + (report?.orders ?? 0), 0);
  const skipped = finished.length - ran.length;
  const inPart = ran.filter(({ report }) => (report?.missed.length ?? 0) > 0).length;
  const total = `${ran.length} runs, ${orders} orders, ${broken.length} with a breach, ${inPart} brought about in part, ${skipped} skipped, in ${Math.round(tookMs / 1000)} s`;
  return `\n${lines.join('\n')}\n\n${total}\n`;
}
