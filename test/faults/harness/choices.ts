import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Every random choice of a run: the same seed makes the same choices, in the order in which they are asked for. */
export interface Choices {
  /** A whole number, both ends inclusive. */
  whole(min: number, max: number): number;
  /** One of several; throws where there is none. */
  pick<T>(items: readonly T[]): T;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  /** Choices of their own, so that what one client does never shifts what another one chooses. */
  fork(): Choices;
}

const seedMax = 0x7fffffff;

export function createChoices(seed: number): Choices {
  // Hashed, because seeds in a row give this generator the same first numbers.
  const generator = xoroshiro128plus(createHash('sha256').update(String(seed)).digest().readInt32LE());
  const whole = (min: number, max: number): number => uniformInt(generator, min, max);
  return {
    whole,
    pick(items) {
      if (items.length === 0) throw new Error('there is nothing to choose from');
      return items[whole(0, items.length - 1)]!;
    },
    chance: (percent) => whole(1, 100) <= percent,
    fork: () => createChoices(whole(0, seedMax)),
  };
}
