import type { Told } from '../harness/sent.ts';
import type { Units } from './amount.ts';
import type { History } from './histories.ts';
import type { Known } from './known.ts';

/**
 * All that an answer may have shown as held after so many of a wallet's flows. Captures are among these flows. A hold has none: it
 * counts if it was known before the answer was asked for, it does not if it was still open after the answer had come, and in
 * between it may.
 */
export function heldAfter(
  { holds }: History,
  sequence: number,
  { askedAtMs, toldAtMs }: Pick<Told, 'askedAtMs' | 'toldAtMs'>,
  known: Known,
): ReadonlySet<Units> {
  let sums = new Set([0n]);
  for (const { id, amount, captures } of holds) {
    const done = captures.filter((capture) => capture.sequence <= sequence);
    const left = done.some(({ isLast }) => isLast) ? 0n : done.reduce((rest, capture) => rest - capture.amount, amount);
    const isThere = done.length > 0 || known.endedSince(id) < askedAtMs;
    if (left === 0n || (!isThere && known.openUntil(id) > toldAtMs)) continue;
    const withIt = [...sums].map((sum) => sum + left);
    sums = new Set(isThere ? withIt : [...sums, ...withIt]);
  }
  return sums;
}
