import { countOrders, type WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { OrderToPost } from '../orders/order.ts';
import { createFairQueue } from '../waiting/fair-queue.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { createGroupsInFlight, type PostGroup } from './groups-in-flight.ts';
import { isSettled, QueuedOrder, type Outcome } from './queued-order.ts';
import { createReadAhead } from './read-ahead.ts';

export type Poster = ReturnType<typeof createPoster>;

interface PosterOptions {
  readonly orders: Pick<Orders, 'findPending'>;
  /** One for each group in flight. */
  readonly posts: readonly PostGroup[];
  /**
   * On a sharded cluster each group, and each query, is of one workspace: it commits on one shard, and a shard that does not
   * answer holds up nobody else's workspaces.
   */
  readonly isSharded: boolean;
  /** See `createReadAhead`. */
  readonly onUnknownType: (order: OrderToPost) => void;
}

export function createPoster({ orders, posts, isSharded, onUnknownType }: PosterOptions) {
  /** All orders in hand, in the order in which they came. If a second job brings such an order, it shares the outcome. */
  const underWay = new Map<string, QueuedOrder>();
  /** Those of them that are in no group. */
  const waiting = createFairQueue<QueuedOrder>(({ size }) => size);
  let isGoingOn = false;
  const beginGroups = createGroupsInFlight(waiting, posts, {
    workspacesMax: isSharded ? 1 : Infinity,
    onRoom: goOnSoon,
  });
  const beginReads = createReadAhead(waiting, orders, { isSharded, onRoom: goOnSoon, onUnknownType });

  function goOnSoon(): void {
    if (isGoingOn) return;
    isGoingOn = true;
    // What arrives in one round of the event loop is read, and leaves, together.
    setImmediate(() => {
      isGoingOn = false;
      beginGroups();
      beginReads();
    });
  }

  function queue(workspaceId: string, id: string, signal: AbortSignal): QueuedOrder {
    const queued = new QueuedOrder({ id, workspaceId, signal }, () => underWay.delete(id));
    underWay.set(id, queued);
    waiting.add(workspaceId, queued);
    goOnSoon();
    return queued;
  }

  return {
    /**
     * Posts orders, merged with those of other calls at the same time into few transactions, which serve the workspaces one
     * after the other. On a wallet, orders are posted in the order of the calls, and of each call's ids. Posting is a no-op
     * for an order that is no longer PENDING, so a call may be repeated, doubled or cut short without harm.
     * @param signal see `requeue`.
     * @returns `requeued` if others are to post some of the orders.
     * @throws the error of the first order that could not be posted, once the others were posted or could not be either.
     */
    post(batches: readonly WorkspaceOrders[], signal: AbortSignal): Promise<PostingJobResult | 'requeued'> {
      if (signal.aborted) return Promise.resolve('requeued');
      const orderCount = countOrders(batches);
      if (orderCount === 0) return Promise.resolve(nothingPosted);
      return new Promise((resolve, reject) => {
        const outcomes: (Outcome | Error)[] = [];
        const onOutcome = (outcome: Outcome | Error): void => {
          outcomes.push(outcome);
          if (outcomes.length < orderCount) return;
          const failed = outcomes.find((each) => each instanceof Error);
          if (failed === undefined) resolve(summary(outcomes));
          else reject(failed);
        };
        for (const { workspaceId, orderIds } of batches)
          for (const id of orderIds) (underWay.get(id) ?? queue(workspaceId, id, signal)).listen(onOutcome);
      });
    },
    /**
     * Gives up the orders of the calls whose signal is aborted, the last first, without waiting for a server. Orders in a
     * group go on.
     */
    requeue(): void {
      const shouldRemove = ({ signal, state }: QueuedOrder): boolean => signal.aborted && state !== 'in group';
      const leaving = [...underWay.values()].filter(shouldRemove);
      for (const queued of leaving.reverse()) queued.settle('requeued');
      for (const workspaceId of new Set(leaving.map((queued) => queued.workspaceId)))
        waiting.remove(workspaceId, isSettled);
      // There is room now for orders of the same workspaces that another consumer of this process brings.
      goOnSoon();
    },
  };
}

const nothingPosted = { completed: 0, failed: 0, skipped: 0, setAside: 0 };

function summary(outcomes: readonly (Outcome | Error)[]): PostingJobResult | 'requeued' {
  const counts = { ...nothingPosted, requeued: 0 };
  for (const outcome of outcomes) if (!(outcome instanceof Error)) counts[outcome] += 1;
  const { requeued, ...result } = counts;
  return requeued > 0 ? 'requeued' : result;
}
