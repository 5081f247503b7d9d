import { isTestWorkspace } from '../domain/ids.ts';
import { batchLimits } from '../waiting/batcher.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';
import { startSingleton, type LeaseCandidate } from '../waiting/singleton.ts';
import type { Collections } from '../storage/collections.ts';
import type { DueOrder, DueStatus } from '../storage/orders/due.ts';
import { isDocumentFault } from '../storage/shared/transaction.ts';
import { createPerWorkspace, perWorkspaceMaxMs } from './per-workspace.ts';

const roundEveryMs = 500;
/** A round begins nothing more after this, so that it ends before its lease does. */
const roundTakesMs = 1_500;
const roundMaxMs = 10_000;
/** How many orders are done at once. */
const pageSize = batchLimits.sizeMax;
/** How many workspaces are at it at once, and how long reading what is due of one may take. */
const workspacesAtOnceMax = 16;
const workspaceMaxMs = 1_000;

export interface DueSources {
  readonly collections: Pick<Collections, 'dueOrders' | 'workspaces'>;
  /** See {@link createPerWorkspace}. */
  readonly isSharded: boolean;
  readonly queue: Pick<PostingQueue, 'wake'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What the service does by itself about orders whose time has come. */
export interface DueWork {
  /** Only the holder of this lease does it. */
  readonly lease: string;
  /** In words, for the log: the work, and that it cannot be done about an order. */
  readonly what: string;
  readonly cannot: string;
  /** The status of the orders. */
  readonly status: DueStatus;
  /** How long after its time an order's turn comes. */
  readonly graceMs: number;
  /**
   * Does it about these orders of a workspace; it need not do it about all. Whatever it throws, it can be repeated, with all of
   * them or some. @returns the orders that workers have to post now.
   */
  readonly act: (
    workspaceId: string,
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly workspaceId: string }[]>;
}

/** A page of what is due of a workspace is still to be read. */
interface Place {
  readonly workspaceId: string;
  /** Only what is due behind this one; nothing could be done about what was read. */
  readonly after?: DueOrder;
}

/** Does it round after round. One process does so at a time, by a lease; two at once do no harm. */
export function startDueRounds(work: DueWork, sources: DueSources, candidate: LeaseCandidate) {
  const job = { lease: work.lease, what: work.what, everyMs: roundEveryMs, workMaxMs: roundMaxMs };
  return startSingleton(job, candidate, createDueRounds(work, sources), sources.log);
}

/**
 * In bounded rounds the workspaces that have something due are served in turn, a page each. So no workspace's orders delay
 * another's for long.
 * @returns a function that does one round, and tells whether there is more to do at once. It throws if MongoDB does not answer, at its end if only for some workspaces; the
 * others are served all the same. An order whose document is at fault is logged, and left to the operator, whom the alert
 * about what is late tells. What cannot be enqueued is swept.
 */
export function createDueRounds(
  { what, cannot, status, graceMs, act }: DueWork,
  { collections, isSharded, queue, clock, log }: DueSources,
): () => Promise<boolean> {
  const { dueOrders, workspaces } = collections;
  const perWorkspace = createPerWorkspace(workspaces, isSharded);
  /** The workspaces that a round did not come to, which the next one begins with. */
  let left = new Set<string>();

  const dueBy = (): Date => new Date(clock().getTime() - graceMs);

  const read = ({ workspaceId, after }: Place, maxTimeMS: number): Promise<DueOrder[]> =>
    dueOrders.of(workspaceId, status, { now: dueBy(), countMax: pageSize, maxTimeMS, after });

  /** A document at fault is found by taking its page one by one. @returns about how many something was done. */
  async function actOn(workspaceId: string, ids: readonly string[]): Promise<number> {
    try {
      const done = await act(workspaceId, ids);
      if (done.length > 0) enqueue(done);
      return done.length;
    } catch (error) {
      if (!isDocumentFault(error)) throw error;
      if (ids.length === 1) {
        log.error({ err: error, orderId: ids[0] }, cannot);
        return 0;
      }
      let count = 0;
      for (const id of ids) count += await actOn(workspaceId, [id]);
      return count;
    }
  }

  function enqueue(orders: Awaited<ReturnType<DueWork['act']>>): void {
    queue.wake(orders).catch((error: unknown) => {
      log.warn({ err: error, orders: orders.length }, 'orders due but not enqueued; the sweeper will find them');
    });
  }

  /** @returns where to go on in the workspace; undefined if there is no more. */
  async function servePage({ workspaceId }: Place, page: readonly DueOrder[]): Promise<Place | undefined> {
    const last = page.at(-1);
    if (last === undefined) return undefined;
    const ids = page.map(({ id }) => id);
    const done = await actOn(workspaceId, ids);
    if (page.length < pageSize) return undefined;
    // What was done is no longer due, so the next page begins where this one did.
    return done > 0 ? { workspaceId } : { workspaceId, after: last };
  }

  /** @returns whether workspaces are left for the next round. */
  async function serveAll(): Promise<boolean> {
    const endsAt = performance.now() + roundTakesMs;
    const due = await dueOrders.workspaces(status, dueBy());
    const places: Place[] = due
      .sort((a, b) => Number(left.has(b)) - Number(left.has(a)))
      .map((id) => ({ workspaceId: id }));
    const failures: unknown[] = [];
    async function serveNext(): Promise<void> {
      for (let place = places.shift(); place !== undefined; place = places.shift()) {
        try {
          const next = await servePage(place, await read(place, workspaceMaxMs));
          if (next !== undefined) places.push(next);
        } catch (error) {
          failures.push(error);
        }
        if (performance.now() >= endsAt) return;
      }
    }
    await Promise.all(Array.from({ length: workspacesAtOnceMax }, serveNext));
    left = new Set(places.map(({ workspaceId }) => workspaceId));
    const [cause] = failures;
    if (failures.length > 0) throw new Error(`${what}: workspaces that failed: ${failures.length}`, { cause });
    return left.size > 0;
  }

  return async () => {
    let hasMore = false;
    await perWorkspace(
      async () => {
        hasMore = await serveAll();
      },
      async (workspaceId) => ({
        workspaceId,
        page: isTestWorkspace(workspaceId) ? [] : await read({ workspaceId }, perWorkspaceMaxMs),
      }),
      ({ workspaceId, page }) => servePage({ workspaceId }, page),
    );
    return hasMore;
  };
}
