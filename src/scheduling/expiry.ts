import type { Clock } from '../clock.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
import type { Order } from '../orders/order.ts';
import { releaseOfExpired } from '../orders/release.ts';
import type { PostingQueues } from '../queue/queue.ts';
import { startSingleton, type Turn } from '../singleton.ts';
import type { Collections } from '../storage/collections.ts';
import type { DueOrder } from '../storage/orders/due.ts';
import { isDocumentFault } from '../storage/shared/transaction.ts';
import { createOneByOne, oneByOneMaxMs } from './one-by-one.ts';

/** Only the holder of this lease releases what has expired. */
export const expiryLease = 'expiry';
/** What expires is released within two seconds. */
const roundEveryMs = 500;
/** A round begins nothing more after this, so that it ends before its lease does. */
const roundTakesMs = 1_500;
const roundMaxMs = 10_000;
/** So that what was accepted in the last moment before the expiry is stored by then, and is waited for. */
const graceMs = 700;
/** How many holds share a transaction. */
const pageSize = 500;
/** How many workspaces are at it at once, and how long reading what is due of one may take. */
const workspacesAtOnceMax = 4;
const workspaceMaxMs = 1_000;

interface ExpirySources {
  readonly collections: Pick<Collections, 'dueOrders' | 'workspaces'>;
  /** See {@link createOneByOne}. */
  readonly isSharded: boolean;
  readonly queues: Pick<PostingQueues, 'enqueue'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A page of what is due of a workspace is still to be read. */
interface Place {
  readonly workspaceId: string;
  /** Only what is due later; the rest of what was read waits for its captures, or is at fault. */
  readonly after?: Date;
}

/**
 * Releases what is left of holds that have expired, by orders that workers post as any other. One process does it at a time,
 * by a lease; two at once would do no harm. In bounded rounds the workspaces that have something due are served in turn, a
 * page each. So no workspace's holds delay another's for long.
 */
export function startExpiry(sources: ExpirySources, turn: Turn) {
  const job = { lease: expiryLease, what: 'releasing what has expired', everyMs: roundEveryMs, workMaxMs: roundMaxMs };
  return startSingleton(job, turn, createExpiry(sources), sources.log);
}

/**
 * @returns a function that does one round. It throws if MongoDB does not answer, at its end if only for some workspaces; the
 * others' holds are released all the same. A hold whose document is at fault is logged, and left to the operator, whom the
 * alert about it tells. What cannot be enqueued is swept.
 */
export function createExpiry({ collections, isSharded, queues, clock, log }: ExpirySources): () => Promise<void> {
  const { dueOrders, workspaces } = collections;
  const oneByOne = createOneByOne(workspaces, isSharded);
  /** The workspaces that a round did not come to, which the next one begins with. */
  let left = new Set<string>();

  /** A hold whose document is at fault is found by taking its page one by one. @returns how many were released. */
  async function record(workspaceId: string, ids: readonly string[]): Promise<number> {
    try {
      const released = await dueOrders.releaseExpired(workspaceId, ids, (hold) => releaseOfExpired(hold, clock()));
      enqueue(released);
      return released.length;
    } catch (error) {
      if (!isDocumentFault(error)) throw error;
      if (ids.length === 1) {
        log.error({ err: error, orderId: ids[0] }, 'a hold that has expired cannot be released');
        return 0;
      }
      let count = 0;
      for (const id of ids) count += await record(workspaceId, [id]);
      return count;
    }
  }

  function enqueue(released: readonly Order[]): void {
    if (released.length === 0) return;
    queues.enqueue(byWorkspace(released)).catch((error: unknown) => {
      log.warn(
        { err: error, orders: released.length },
        'releases recorded but not enqueued; the sweeper will find them',
      );
    });
  }

  const read = ({ workspaceId, after }: Place, maxTimeMS: number): Promise<DueOrder[]> => {
    const now = new Date(clock().getTime() - graceMs);
    return dueOrders.of(workspaceId, { now, countMax: pageSize, maxTimeMS, after });
  };

  /** @returns where to go on in the workspace; undefined if there is no more. */
  async function releasePage({ workspaceId }: Place, page: readonly DueOrder[]): Promise<Place | undefined> {
    const last = page.at(-1);
    if (last === undefined) return undefined;
    const ids = page.map(({ id }) => id);
    const released = await record(workspaceId, ids);
    if (page.length < pageSize) return undefined;
    // What was released is no longer due, so the next page begins where this one did.
    return released > 0 ? { workspaceId } : { workspaceId, after: last.dueAt };
  }

  async function releaseAll(): Promise<void> {
    const endsAt = performance.now() + roundTakesMs;
    const due = await dueOrders.workspaces(new Date(clock().getTime() - graceMs));
    const places: Place[] = due
      .sort((a, b) => Number(left.has(b)) - Number(left.has(a)))
      .map((id) => ({ workspaceId: id }));
    const failures: unknown[] = [];
    while (places.length > 0 && performance.now() < endsAt) {
      const some = places.splice(0, workspacesAtOnceMax);
      const next = some.map(async (place) => releasePage(place, await read(place, workspaceMaxMs)));
      for (const result of await Promise.allSettled(next)) {
        if (result.status === 'rejected') failures.push(result.reason);
        else if (result.value !== undefined) places.push(result.value);
      }
    }
    left = new Set(places.map(({ workspaceId }) => workspaceId));
    const [cause] = failures;
    if (failures.length > 0) throw new Error(`workspaces whose holds were not released: ${failures.length}`, { cause });
  }

  return () =>
    oneByOne(
      releaseAll,
      async (workspaceId) => ({ workspaceId, page: await read({ workspaceId }, oneByOneMaxMs) }),
      ({ workspaceId, page }) => releasePage({ workspaceId }, page),
    );
}
