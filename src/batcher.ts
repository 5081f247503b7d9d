import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import pTimeout, { TimeoutError } from 'p-timeout';

/** Limits of a batch, unless one has its own: as many items as a command of MongoDB answers within milliseconds. */
export const batchLimits = { sizeMax: 256, inFlightMax: 2, flushMaxMs: 12_000 } as const;

interface BatcherOptions<Item, Result> {
  /** Items of one flush at the most. */
  readonly sizeMax?: number;
  /** Flushes under way at once; while that many are, what arrives joins the next one. */
  readonly inFlightMax?: number;
  /**
   * A flush that hangs longer is left behind: its items are rejected and the next group goes, though what was sent may
   * still be carried out.
   */
  readonly flushMaxMs?: number;
  /**
   * Whether an item that waited for so long is still to be flushed; where it is not, it is rejected: who asked is told that
   * nothing was done.
   */
  readonly isInTime?: (item: Item, waitedMs: number) => boolean;
  /** Handles a group; answers each item, in order, with its result or the error that is its alone. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
}

/**
 * Group commit without timers: an item that finds no flush under way leaves at once; while one is, what arrives joins
 * the next. At low load a group is one item and nobody waits; under load groups grow by themselves.
 * @returns a function that puts one item into a group and resolves to its own result, or rejects with its own error;
 * where `flush` itself rejects, or takes too long (p-timeout's TimeoutError), so does every item of its group.
 */
export function createBatcher<Item, Result>(given: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const options = { ...batchLimits, ...given };
  const waiting: (() => void)[] = [];
  let inFlight = 0;

  const dispatchNext = (): void => {
    if (inFlight >= options.inFlightMax) return;
    const dispatch = waiting.shift();
    if (dispatch === undefined) return;
    inFlight += 1;
    dispatch();
  };

  async function flush(entries: readonly Entry<Item>[]): Promise<readonly (Result | Error)[]> {
    const now = performance.now();
    const inTime = new Set(entries.filter(({ item, at }) => options.isInTime?.(item, now - at) ?? true));
    const results = inTime.size === 0 ? [] : await options.flush([...inTime].map(({ item }) => item));
    if (inTime.size === entries.length) return results;
    const found = results.values();
    const tooLate = new TimeoutError('waited too long for a group');
    return entries.map((entry) => (inTime.has(entry) ? (found.next().value as Result | Error) : tooLate));
  }

  const loader = new DataLoader<Entry<Item>, Result>(
    async (entries) => {
      try {
        return await pTimeout(flush(entries), { milliseconds: options.flushMaxMs, fallback: tookTooLong });
      } finally {
        inFlight -= 1;
        dispatchNext();
      }
    },
    {
      cache: false,
      maxBatchSize: options.sizeMax,
      batchScheduleFn: (dispatch) => {
        // A group runs as its first item's doing, not as that of whoever makes room for it.
        const cause = new AsyncResource('batch');
        waiting.push(() => {
          cause.runInAsyncScope(dispatch);
        });
        // What arrives in one round of the event loop leaves together.
        setImmediate(dispatchNext);
      },
    },
  );
  return (item) => loader.load({ item, at: performance.now() });
}

interface Entry<Item> {
  readonly item: Item;
  readonly at: number;
}

/** Left to itself the library makes its error, with a stack, before each group, needed or not. */
export function tookTooLong(): never {
  throw new TimeoutError('a group took too long');
}
