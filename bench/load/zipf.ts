import type { Random } from './random.ts';

/**
 * Draws ranks 0 … count − 1 so that rank k comes with a probability proportional to 1 / (k + 1)^exponent: few wallets are
 * in most transfers, as among people and shops. By the inverse of the cumulated weights, which is exact.
 */
export function createZipf(count: number, exponent: number, random: Random): () => number {
  const cumulated: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    cumulated.push(sum);
  }
  return () => firstAbove(cumulated, random() * sum);
}

function firstAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
