import pTimeout from 'p-timeout';
import { batchLimits, tookTooLong } from '../batcher.ts';
import { byWorkspace, type WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { PostingSession } from '../storage/posting-sessions.ts';
import { createGroupsInFlight, type Coming } from './groups-in-flight.ts';
import type { GroupTools, PostObserver } from './group-tools.ts';
import { postGroup, type Outcome } from './group-transaction.ts';
import { createFairQueue } from './fair-queue.ts';

export type Poster = ReturnType<typeof createPoster>;

interface PosterTools extends GroupTools {
  /** Sessions for the poster alone, one for each group in flight. */
  readonly sessions: readonly Pick<PostingSession, 'run'>[];
  /** On a sharded cluster each group is of one workspace, so that it commits on one shard. */
  readonly isSharded: boolean;
}

/** How many orders of a workspace are read ahead. Among them, behind those of a hot wallet, others can be picked. */
const readAheadMax = 1_024;

export function createPoster(tools: PosterTools) {
  const whileBusy = createBusyClock(tools.observe);
  const groups = createGroupsInFlight({
    posts: tools.sessions.map(
      (own) => (orders) => whileBusy(() => own.run((session) => postGroup({ ...tools, session }, orders))),
    ),
    workspacesMax: tools.isSharded ? 1 : Infinity,
    onDeparture: () => {
      readSoon();
    },
  });
  const unread = createFairQueue<Coming>();
  /** Read by one query at a time. Of several, a later one could be answered first, and its orders would overtake. */
  let reading: readonly Coming[] = [];
  let isReadDue = false;
  function readSoon(): void {
    if (isReadDue) return;
    isReadDue = true;
    setImmediate(() => {
      isReadDue = false;
      if (reading.length === 0) void readNext();
    });
  }

  async function readNext(): Promise<void> {
    reading = unread.take({ sizeMax: batchLimits.sizeMax, workspacesMax: Infinity }, (waiting, room, workspaceId) =>
      groups.count(workspaceId) < readAheadMax ? waiting.slice(0, room) : [],
    );
    if (reading.length === 0) return;
    try {
      const finding = tools.collections.orders.findPending(byWorkspace(reading));
      const found = await pTimeout(finding, { milliseconds: batchLimits.flushMaxMs, fallback: tookTooLong });
      const byId = new Map(found.map((order) => [order.id, order]));
      for (const coming of reading) {
        const order = byId.get(coming.id);
        if (order === undefined) coming.resolve('skipped');
        else if (!coming.signal.aborted) groups.add({ ...coming, order });
      }
    } catch (error) {
      for (const { reject } of reading) reject(error);
    }
    reading = [];
    readSoon();
  }

  /** Orders that are being posted. If a second job brings such an order, it shares the outcome. */
  const underWay = new Map<string, Promise<Outcome>>();
  let placesGiven = 0;
  function join(workspaceId: string, id: string, signal: AbortSignal): Promise<Outcome> {
    const begun = underWay.get(id);
    if (begun !== undefined) return begun;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    unread.add(workspaceId, { id, place: (placesGiven += 1), workspaceId, signal, resolve, reject });
    readSoon();
    const posting = promise.finally(() => underWay.delete(id));
    underWay.set(id, posting);
    return posting;
  }

  return {
    /**
     * Posts orders, merged with those of other calls at the same time into few transactions, which serve the workspaces one
     * after the other. On a wallet, orders are posted in the order of the calls, and of each call's ids. Posting is a no-op
     * for an order that is no longer PENDING, so a call may be repeated, doubled or cut short without harm.
     * @param signal see `requeue`.
     * @returns `requeued` if others are to post some of the orders.
     * @throws the error of the first order that could not be posted. The others are posted all the same.
     */
    async post(batches: readonly WorkspaceOrders[], signal: AbortSignal): Promise<PostingJobResult | 'requeued'> {
      if (signal.aborted) return 'requeued';
      const outcomes = batches.flatMap(({ workspaceId, orderIds }) =>
        orderIds.map((id) => join(workspaceId, id, signal)),
      );
      return summary(await Promise.allSettled(outcomes));
    },
    /**
     * Gives up the orders of the calls whose signal is aborted, the last first, without waiting for a server. Orders in a
     * group go on.
     */
    requeue(): void {
      const isToGo = ({ signal }: Pick<Coming, 'signal'>): boolean => signal.aborted;
      const going = [groups.remove(isToGo), reading.filter(isToGo), unread.remove(isToGo)].flat();
      // A job with orders of several workspaces has them in several lines, so they are sorted by their place.
      for (const { resolve } of going.sort((a, b) => b.place - a.place)) resolve('requeued');
      // There is room now for orders of the same workspaces that another consumer of this process brings.
      readSoon();
    },
  };
}

function summary(settled: readonly PromiseSettledResult<Outcome>[]): PostingJobResult | 'requeued' {
  const counts = { completed: 0, failed: 0, skipped: 0, setAside: 0, requeued: 0 };
  for (const outcome of settled) {
    if (outcome.status === 'rejected') throw outcome.reason;
    counts[outcome.value] += 1;
  }
  const { requeued, ...result } = counts;
  return requeued > 0 ? 'requeued' : result;
}

/** Measures how long at least one group is in flight. */
function createBusyClock(observe: PostObserver | undefined) {
  let inFlight = 0;
  let countedUntil = 0;
  function change(by: 1 | -1): void {
    const now = performance.now();
    if (inFlight > 0) observe?.busyFor(now - countedUntil);
    countedUntil = now;
    inFlight += by;
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    change(1);
    try {
      return await work();
    } finally {
      change(-1);
    }
  };
}
