import pTimeout from 'p-timeout';
import { batchLimits, tookTooLong } from '../batcher.ts';
import { byWorkspace, type WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { PostingSession } from '../storage/processes/posting-sessions.ts';
import { createGroupsInFlight, type Coming, type GroupsInFlight } from './groups-in-flight.ts';
import type { GroupTools, PostObserver } from './group-tools.ts';
import { postGroup, type Outcome } from './group-transaction.ts';
import { createFairQueue } from '../fair-queue.ts';
import { createLanes } from '../lanes.ts';

export type Poster = ReturnType<typeof createPoster>;

interface PosterTools extends GroupTools {
  /** Sessions for the poster alone, one for each group in flight. */
  readonly sessions: readonly Pick<PostingSession, 'run'>[];
  /**
   * On a sharded cluster each group, and each query, is of one workspace: it commits on one shard, and a shard that does not
   * answer holds up nobody else's workspaces.
   */
  readonly isSharded: boolean;
}

/** How many orders of a workspace are read ahead. Among them, behind those of a hot wallet, others can be picked. */
const readAheadMax = 1_024;
/** On a sharded cluster: how many workspaces are read at once, besides those whose shard is slow. */
const readsAtOnce = { max: 8, slowMax: 8 };

export function createPoster(tools: PosterTools) {
  const whileBusy = createBusyClock(tools.observe);
  const groups = createGroupsInFlight({
    posts: tools.sessions.map(
      (own, slot) => (orders) => whileBusy(() => own.run((session) => postGroup({ ...tools, session, slot }, orders))),
    ),
    workspacesMax: tools.isSharded ? 1 : Infinity,
    onDeparture: () => {
      ahead.readSoon();
    },
  });
  const ahead = createReadAhead(tools, groups);
  /** Orders that are being posted. If a second job brings such an order, it shares the outcome. */
  const underWay = new Map<string, Promise<Outcome>>();
  let placesGiven = 0;
  function join(workspaceId: string, id: string, signal: AbortSignal): Promise<Outcome> {
    const begun = underWay.get(id);
    if (begun !== undefined) return begun;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    ahead.add({ id, place: (placesGiven += 1), workspaceId, signal, resolve, reject });
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
      const going = [...groups.remove(isToGo), ...ahead.remove(isToGo)];
      // A job with orders of several workspaces has them in several lines, so they are sorted by their place.
      for (const { resolve } of going.sort((a, b) => b.place - a.place)) resolve('requeued');
      // There is room now for orders of the same workspaces that another consumer of this process brings.
      ahead.readSoon();
    },
  };
}

type ReadAheadTools = Pick<PosterTools, 'isSharded' | 'collections'>;

/** Reads orders before their groups can begin, on a sharded cluster those of several workspaces at once. */
function createReadAhead({ isSharded, collections }: ReadAheadTools, groups: GroupsInFlight) {
  const unread = createFairQueue<Coming>();
  const lanes = createLanes(readsAtOnce, readSoon);
  /**
   * What is being read. A workspace is in one query at a time: of several, a later one could be answered first, and its
   * orders would overtake.
   */
  const reading = new Set<readonly Coming[]>();
  const beingRead = new Set<string>();
  let isReadDue = false;
  function readSoon(): void {
    if (isReadDue) return;
    isReadDue = true;
    setImmediate(() => {
      isReadDue = false;
      while ((isSharded || reading.size === 0) && readNext());
    });
  }

  /** @returns whether there was anything to read. */
  function readNext(): boolean {
    const mayRead = (workspaceId: string): boolean =>
      groups.count(workspaceId) < readAheadMax &&
      !beingRead.has(workspaceId) &&
      (!isSharded || lanes.mayBegin(workspaceId));
    const limits = { sizeMax: batchLimits.sizeMax, workspacesMax: isSharded ? 1 : Infinity };
    const batch = unread.take(limits, (waiting, room, workspaceId) =>
      mayRead(workspaceId) ? waiting.slice(0, room) : [],
    );
    if (batch.length > 0) void read(batch);
    return batch.length > 0;
  }

  async function read(batch: readonly Coming[]): Promise<void> {
    const workspaces = byWorkspace(batch);
    reading.add(batch);
    for (const { workspaceId } of workspaces) beingRead.add(workspaceId);
    const ended = isSharded ? workspaces.map(({ workspaceId }) => lanes.begin(workspaceId)) : [];
    try {
      const finding = collections.orders.findPending(workspaces);
      const found = await pTimeout(finding, { milliseconds: batchLimits.flushMaxMs, fallback: tookTooLong });
      const byId = new Map(found.map((order) => [order.id, order]));
      for (const coming of batch) {
        const order = byId.get(coming.id);
        if (order === undefined) coming.resolve('skipped');
        else if (!coming.signal.aborted) groups.add({ ...coming, order });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    reading.delete(batch);
    for (const { workspaceId } of workspaces) beingRead.delete(workspaceId);
    for (const end of ended) end();
    readSoon();
  }

  return {
    readSoon,
    add(coming: Coming): void {
      unread.add(coming.workspaceId, coming);
      readSoon();
    },
    /** Returns the matching orders that are in no group's line yet; what is read of them comes to nothing. */
    remove: (isToGo: (coming: Coming) => boolean): Coming[] => [
      ...[...reading].flat().filter(isToGo),
      ...unread.remove(isToGo),
    ],
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
