import { escaped } from './escape.ts';
import type { Finding } from './findings.ts';
import type { FuzzReport } from './run.ts';

const findingsShownMax = 10;
const answerShownMax = 600;

/** The figures of a run, and of each thing that is wrong all that is needed to see it again. */
export function describeRun({ findings, memory, orders, seconds }: FuzzReport): string {
  const answers = [...findings.answersByCode].map(([name, count]) => `${name}: ${count}`).toSorted();
  const rows: [string, string][] = [
    ['requests', String(findings.requests())],
    ['answers', answers.join(', ')],
    ['orders', `${orders} made`],
    ...memoryRows(memory),
    ['duration', `${seconds.toFixed(0)} s`],
  ];
  const kept = findings.list.slice(0, findingsShownMax);
  return [
    ...rows.map(([name, text]) => `${name.padEnd(12)} ${text}`),
    ...(findings.count() === 0 ? ['Everything held.'] : [`${findings.count()} FINDINGS`, ...kept.map(describeFinding)]),
    '',
  ].join('\n');
}

function memoryRows(memory: FuzzReport['memory']): [string, string][] {
  if (memory === undefined) return [];
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const { before, after } = memory;
  return [
    ['resident', `${mb(before.residentBytes)} after the warm-up, ${mb(after.residentBytes)} in the end`],
    [
      'live',
      `${mb(before.liveBytes)} after the warm-up, ${mb(after.liveBytes)} ${(after.tookMs / 1000).toFixed(1)} s after the load`,
    ],
  ];
}

function describeFinding({ what, request, delivery, answer }: Finding): string {
  if (request === undefined) return `  ${what}`;
  return [
    `  request ${request.number} (${request.kind}, ${delivery ?? ''}): ${what}`,
    `    sent:   ${escaped(request.bytes)}`,
    ...(answer === undefined ? [] : [`    answer: ${answer.status} ${escaped(answer.body, answerShownMax)}`]),
  ].join('\n');
}
