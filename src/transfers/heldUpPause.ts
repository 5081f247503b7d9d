import { setTimeout } from 'node:timers/promises';

/**
 * After other processes held up a whole group, before the next one is tried: twice as long each time, for every try costs
 * the others as well. With a turn coming, nobody else may begin, and the pause is short.
 */
const heldUpPauseMs = { first: 20, max: 320, inTurn: 5 };

/** Exponential backoff with jitter. */
export function createHeldUpPause() {
  let inARow = 0;
  return {
    reset(): void {
      inARow = 0;
    },
    async next(hasTurn: boolean): Promise<void> {
      const { first, max, inTurn } = heldUpPauseMs;
      const pauseMs = hasTurn ? inTurn : Math.min(first * 2 ** inARow, max);
      inARow += 1;
      await setTimeout(pauseMs * (0.5 + Math.random() / 2));
    },
  };
}
