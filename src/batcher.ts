import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import pTimeout, { TimeoutError } from 'p-timeout';

/** Limits of a batch, unless one has its own: as many items as a command of MongoDB answers within milliseconds. */
export const batchLimits = { sizeMax: 256, inFlightMax: 2, flushMaxMs: 12_000 } as const;

interface BatcherOptions<Item, Result> {
  /** The most items in one flush. */
  readonly sizeMax?: number;
  /** The most flushes under way at once. Items that arrive meanwhile join the next one. */
  readonly inFlightMax?: number;
  /**
   * A flush that takes longer is abandoned: its items are rejected, and the next batch is flushed. What was sent may still
   * be carried out.
   */
  readonly flushMaxMs?: number;
  /**
   * Whether an item that waited this long is still to be flushed. If not, it is rejected, so that its caller knows that
   * nothing was done.
   */
  readonly isInTime?: (item: Item, waitedMs: number) => boolean;
  /** Handles a batch. Returns for each item, in order, its result or its own error. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
}

/**
 * Group commit without timers: an item that finds no flush under way leaves at once. Items that arrive during a flush join
 * the next. At low load a batch is one item, and nobody waits; under load batches grow by themselves.
 * @returns a function that puts one item into a batch, and resolves to that item's result or rejects with its error. If
 * `flush` itself rejects, or takes too long (p-timeout's TimeoutError), every item of the batch is rejected.
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
    const tooLate = new TimeoutError('waited too long for a batch');
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
        // A batch runs in the async context of its first item, not of the flush whose end makes room for it.
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

/** For p-timeout's `fallback`: without one, the library creates its error, with a stack, before every call. */
export function tookTooLong(): never {
  throw new TimeoutError('a batch took too long');
}
