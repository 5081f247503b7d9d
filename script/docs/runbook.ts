import { readFile } from 'node:fs/promises';
import { problems } from '../../src/ops/problems/table.ts';
import type { Problem } from '../../src/ops/problems/problem.ts';

const page = new URL('../../docs/operations.md', import.meta.url);

/**
 * docs/operations.md: under the heading of each problem stand, quoted, the words that its banner and its alert have. What is
 * written by hand below them stays.
 * @throws Error a problem has no heading there.
 */
export async function runbook(): Promise<string> {
  let text = await readFile(page, 'utf8');
  for (const problem of problems) {
    const heading = `\n### ${problem.name}\n\n`;
    const [before, after, ...more] = text.split(heading);
    if (after === undefined || more.length > 0)
      throw new Error(`${problem.name} is no heading of docs/operations.md, or two`);
    text = `${before}${heading}${entryOf(problem)}\n\n${after.replace(/^(?:>.*\n)+\n/, '')}`;
  }
  return text;
}

function entryOf({ severity, what, follows, toDo, alert, page: banner }: Problem): string {
  const sentences = [`**${what}** (${severity}). ${follows}`, `**To do:** ${toDo}`];
  if (alert.isOfKubernetes) sentences.push('An alert in Kubernetes alone, where kube-state-metrics tells.');
  if ('never' in banner) sentences.push(`Not on the page, because ${banner.never}.`);
  return `> ${sentences.join(' ')}`;
}
