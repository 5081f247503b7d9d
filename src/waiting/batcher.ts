import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import pTimeout, { TimeoutError } from 'p-timeout';
import type { Bulkhead, Release } from './bulkhead.ts';

/** Limits of a batch, unless one has its own: as many items as a command of MongoDB answers within milliseconds. */
export const batchLimits = { sizeMax: 256, inFlightMax: 2, flushMaxMs: 12_000 } as const;

/**
 * Handles a batch. Returns for each item, in order, its result or its own error.
 * @param isGivenUp whether an item's caller has been told by now that it took too long. What is not sent yet is then not to be
 * sent any more: it would come behind what the caller does next.
 */
type Flush<Item, Result> = (items: readonly Item[], isGivenUp: () => boolean) => Promise<readonly (Result | Error)[]>;

interface BatchLimits<Item> {
  /** The most items in one flush. */
  readonly sizeMax?: number;
  /** The most flushes under way at once. Items that arrive meanwhile join the next one. */
  readonly inFlightMax?: number;
  /**
   * A flush that takes longer is given up: its items are rejected, and the next batch is flushed. What was sent may still
   * be carried out.
   */
  readonly flushMaxMs?: number;
  /**
   * Whether an item that waited this long is still to be flushed. If not, it is rejected, so that its caller knows that
   * nothing was done.
   */
  readonly isInTime?: (item: Item, waitedMs: number) => boolean;
  /** Until an item's caller is told that it took too long. An item that has no time left is not flushed. */
  readonly timeLeftMs?: (item: Item) => number;
}

/**
 * Group commit without timers: an item that finds no flush under way leaves at once. Items that arrive during a flush join
 * the next. At low load a batch is one item, and nobody waits; under load batches grow by themselves.
 * @param acquire waits for a permit for each flush, in place of `inFlightMax`; items go on joining it until then.
 * @returns a function that puts one item into a batch, and resolves to that item's result or rejects with its error. If
 * `flush` itself rejects, or takes too long (p-timeout's TimeoutError), every item of the batch is rejected.
 */
export function createBatcher<Item, Result>(
  flush: Flush<Item, Result>,
  limits: BatchLimits<Item> = {},
  acquire?: () => Promise<Release>,
): (item: Item) => Promise<Result> {
  const { sizeMax, inFlightMax, flushMaxMs, isInTime, timeLeftMs = () => Infinity } = { ...batchLimits, ...limits };
  const acquirePermit = acquire ?? ownPermits(inFlightMax);
  /** Gives back the permit of the batch that is dispatched. */
  let release: Release = () => undefined;

  async function flushInTime(
    entries: readonly Entry<Item>[],
    isOver: () => boolean,
  ): Promise<readonly (Result | Error)[]> {
    const now = performance.now();
    const hasTime = ({ item, at }: Entry<Item>): boolean =>
      (isInTime?.(item, now - at) ?? true) && timeLeftMs(item) > 0;
    const inTime = new Set(entries.filter(hasTime));
    const items = [...inTime].map(({ item }) => item);
    const isGivenUp = (): boolean => isOver() || items.some((item) => timeLeftMs(item) <= 0);
    const results = items.length === 0 ? [] : await flush(items, isGivenUp);
    if (inTime.size === entries.length) return results;
    const inOrder = results.values();
    const tooLate = new TimeoutError('waited too long for a batch');
    return entries.map((entry) => (inTime.has(entry) ? (inOrder.next().value as Result | Error) : tooLate));
  }

  const loader = new DataLoader<Entry<Item>, Result>(
    async (entries) => {
      const end = release;
      let isOver = false;
      const giveUp = (): never => {
        isOver = true;
        return tookTooLong();
      };
      try {
        return await pTimeout(
          flushInTime(entries, () => isOver),
          { milliseconds: flushMaxMs, fallback: giveUp },
        );
      } finally {
        end();
      }
    },
    {
      cache: false,
      maxBatchSize: sizeMax,
      batchScheduleFn: (dispatch) => {
        // A batch runs in the async context of its first item, not of the flush whose end makes room for it.
        const cause = new AsyncResource('batch');
        // What arrives in one round of the event loop leaves together.
        setImmediate(() => {
          void acquirePermit().then((end) => {
            release = end;
            cause.runInAsyncScope(dispatch);
          });
        });
      },
    },
  );
  return (item) => loader.load({ item, at: performance.now() });
}

interface Entry<Item> {
  readonly item: Item;
  readonly at: number;
}

/** Permits of one batcher alone, in the order in which they are asked for. */
function ownPermits(max: number): () => Promise<Release> {
  const inFlight = pLimit(max);
  return () =>
    new Promise((resolve) => {
      void inFlight(() => new Promise<void>(resolve));
    });
}

/**
 * As {@link createBatcher}, but each batch is of one key, and waits for no other key's. A key's batcher is kept for as long
 * as it has items, so there are never more of them than items under way.
 * @param flush is told the key of its batch. @param acquire as that of {@link createBatcher}, for a batch of a key.
 */
export function createBatchers<Item, Result>(
  keyOf: (item: Item) => string,
  flush: (...batch: [...Parameters<Flush<Item, Result>>, key: string]) => ReturnType<Flush<Item, Result>>,
  limits: BatchLimits<Item> = {},
  acquire?: (key: string) => Promise<Release>,
): (item: Item) => Promise<Result> {
  const batchers = new Map<string, { readonly load: (item: Item) => Promise<Result>; underWay: number }>();
  const batcherOf = (key: string) => {
    const flushOwn: Flush<Item, Result> = (items, isGivenUp) => flush(items, isGivenUp, key);
    return { load: createBatcher(flushOwn, limits, acquire && (() => acquire(key))), underWay: 0 };
  };
  return async (item) => {
    const key = keyOf(item);
    const own = batchers.get(key) ?? batcherOf(key);
    batchers.set(key, own);
    own.underWay += 1;
    try {
      return await own.load(item);
    } finally {
      own.underWay -= 1;
      if (own.underWay === 0) batchers.delete(key);
    }
  };
}

/**
 * The batcher of what is asked of sharded collections. On a cluster each batch is of one workspace, because a shard that does
 * not answer must not hold up the workspaces of others; elsewhere all workspaces share batches, which costs least.
 * @param bulkhead of the batches on a sharded cluster; undefined anywhere else.
 */
export function createWorkspaceBatcher<Item extends { readonly workspaceId: string }, Result>(
  bulkhead: Pick<Bulkhead, 'acquire'> | undefined,
  flush: Flush<Item, Result>,
  limits: BatchLimits<Item> = {},
): (item: Item) => Promise<Result> {
  if (bulkhead === undefined) return createBatcher(flush, limits);
  return createBatchers(
    ({ workspaceId }) => workspaceId,
    flush,
    limits,
    (key) => bulkhead.acquire(key),
  );
}

/** For p-timeout's `fallback`: without one, the library creates its error, with a stack, before every call. */
export function tookTooLong(): never {
  throw new TimeoutError('a batch took too long');
}
