import { escaped } from './escape.ts';
import type { Finding } from './findings.ts';
import type { FuzzReport } from './run.ts';

const findingsShownMax = 10;
const answerShownMax = 600;

/** The figures of a run, and of each thing that is wrong all that is needed to see it again. */
export function describeRun({ findings, orders }: FuzzReport): string {
  const answers = [...findings.answersByCode].map(([name, count]) => `${name}: ${count}`).toSorted();
  const kept = findings.list.slice(0, findingsShownMax);
  return [
    `${findings.requests()} requests, ${orders} orders made, answers ${answers.join(', ')}`,
    ...(findings.count() === 0 ? [] : [`${findings.count()} FINDINGS`, ...kept.map(describeFinding)]),
  ].join('\n');
}

function describeFinding({ what, request, delivery, answer }: Finding): string {
  if (request === undefined) return `  ${what}`;
  return [
    `  request ${request.number} (${request.kind}, ${delivery ?? ''}): ${what}`,
    `    sent:   ${escaped(request.bytes)}`,
    ...(answer === undefined ? [] : [`    answer: ${answer.status} ${escaped(answer.body, answerShownMax)}`]),
  ].join('\n');
}
