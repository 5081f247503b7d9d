import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A number from 0 up to, not including, 1. */
export type Random = () => number;

const twoTo32 = 2 ** 32;

/** A repeatable sequence: two runs with one seed send the same orders. */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return () => (generator.next() >>> 0) / twoTo32;
}
