import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
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
/** So that what was accepted in the last moment before the expiry is stored by then, and is waited for. */
const graceMs = 700;
const roundMaxMs = 10_000;
/** How many holds share a transaction. */
const pageSize = 200;
const pagesPerRoundMax = 80;
/** How many workspaces are at it at once. */
const workspacesAtOnceMax = 4;

/**
 * Releases what is left of holds that have expired, by orders that workers post as any other. One process does it at a time,
 * by a lease; two at once would do no harm. In bounded rounds it goes from workspace to workspace, a page of each at the
 * most, and begins anew while there is more. So no workspace's holds delay another's for long.
 * @param isSharded see {@link createOneByOne}.
 */
export function startExpiry(
  collections: Pick<Collections, 'dueOrders' | 'workspaces'>,
  isSharded: boolean,
  queues: Pick<PostingQueues, 'enqueue'>,
  turn: Turn,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
) {
  const job = { lease: expiryLease, what: 'releasing what has expired', everyMs: roundEveryMs, workMaxMs: roundMaxMs };
  return startSingleton(job, turn, createExpiry(collections, isSharded, queues, clock), log);
}

/**
 * @returns a function that does one round. It throws at its end what went wrong for some workspace, or hold; the others are
 * released all the same, and what could not be enqueued is swept.
 */
export function createExpiry(
  { dueOrders, workspaces }: Pick<Collections, 'dueOrders' | 'workspaces'>,
  isSharded: boolean,
  queues: Pick<PostingQueues, 'enqueue'>,
  clock: Clock,
): () => Promise<void> {
  const oneByOne = createOneByOne(workspaces, isSharded);
  const dueBy = (): Date => new Date(clock().getTime() - graceMs);
  /** Of the round. */
  let failures: unknown[] = [];

  /** A hold whose document is at fault is found by taking its page one by one. @returns how many were released. */
  async function release(workspaceId: string, ids: readonly string[]): Promise<number> {
    try {
      const released = await dueOrders.releaseExpired(workspaceId, ids, (hold) => releaseOfExpired(hold, clock()));
      if (released.length > 0) await queues.enqueue(byWorkspace(released));
      return released.length;
    } catch (error) {
      if (ids.length === 1 || !isDocumentFault(error)) {
        failures.push(error);
        return 0;
      }
      let released = 0;
      for (const id of ids) released += await release(workspaceId, [id]);
      return released;
    }
  }

  async function releasePage(page: readonly DueOrder[]): Promise<number> {
    const byOne = [...Map.groupBy(page, ({ workspaceId }) => workspaceId)];
    const released = await pLimit(workspacesAtOnceMax).map(byOne, ([workspaceId, due]) =>
      release(
        workspaceId,
        due.map(({ id }) => id),
      ),
    );
    return released.reduce((sum, count) => sum + count, 0);
  }

  async function releaseAll(): Promise<void> {
    let behind = '';
    /** Since the first workspace. */
    let released = 0;
    for (let pages = 0; pages < pagesPerRoundMax; pages += 1) {
      const page = await dueOrders.behind(behind, dueBy(), pageSize);
      released += await releasePage(page);
      behind = page.length < pageSize ? '' : (page.at(-1)?.workspaceId ?? '');
      if (behind !== '') continue;
      if (released < pageSize) return;
      released = 0;
    }
  }

  const readOne = (workspaceId: string): Promise<DueOrder[]> =>
    dueOrders.of(workspaceId, dueBy(), pageSize, oneByOneMaxMs);
  return async () => {
    failures = [];
    await oneByOne(releaseAll, readOne, releasePage);
    const [cause] = failures;
    if (failures.length > 0) throw new Error(`holds or workspaces not released: ${failures.length}`, { cause });
  };
}
