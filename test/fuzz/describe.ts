import { escaped } from './escape.ts';
import type { Finding } from './findings.ts';
import type { FuzzOptions, FuzzReport } from './run.ts';

const findingsShownMax = 10;
const answerShownMax = 600;

/** The figures of a run, and of each thing that is wrong all that is needed to see it again. */
export function describeRun({ findings, memory, orders, seconds }: FuzzReport, { seed }: FuzzOptions): string {
  const counts = (of: ReadonlyMap<string, number>): string =>
    [...of]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  const sum = (of: ReadonlyMap<string, number>): number => [...of.values()].reduce((total, each) => total + each, 0);
  const rows: [string, string][] = [
    ['requests', `${findings.requests()} (${counts(findings.requestsByKind)})`],
    ['connections', `${sum(findings.connectionsByDelivery)} (${counts(findings.connectionsByDelivery)})`],
    ['answers', `${findings.answers()} (${counts(findings.answersByCode)})`],
    ['orders', `${orders} made`],
    ...memoryRows(memory),
    ['duration', `${seconds.toFixed(0)} s`],
  ];
  const kept = findings.list.slice(0, findingsShownMax);
  return [
    ...rows.map(([name, text]) => `${name.padEnd(12)} ${text}`),
    ...(findings.count() === 0
      ? ['Everything held.']
      : [`${findings.count()} FINDINGS`, ...kept.map((finding) => describeFinding(finding, seed))]),
    '',
  ].join('\n');
}

function memoryRows(memory: FuzzReport['memory']): [string, string][] {
  if (memory === undefined) return [];
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const { before, peakBytes, after, loop } = memory;
  return [
    [
      'resident',
      `${mb(before.residentBytes)} after the warm-up, ${mb(peakBytes)} at most, ${mb(after.residentBytes)} in the end`,
    ],
    [
      'live',
      `${mb(before.liveBytes)} after the warm-up, ${mb(after.liveBytes)} ${(after.tookMs / 1000).toFixed(1)} s after the load`,
    ],
    ['event loop', `delay p99 ${loop.p99Ms.toFixed(0)} ms, max ${loop.maxMs.toFixed(0)} ms`],
  ];
}

export function describeFinding({ what, request, delivery, answer }: Finding, seed: number): string {
  if (request === undefined) return `  ${what}`;
  return [
    `  request ${request.number} (${request.kind}, ${delivery ?? ''}): ${what}`,
    `    sent:   ${escaped(request.bytes)}`,
    ...(answer === undefined ? [] : [`    answer: ${answer.status} ${escaped(answer.body, answerShownMax)}`]),
    `    again:  npm run test:fuzz -- --seed ${seed} --only ${request.number}`,
  ].join('\n');
}
