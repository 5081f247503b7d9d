import { isTestWorkspace } from '../domain/ids.ts';
import type { Logger } from '../log.ts';
import type { Order } from '../orders/order.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';

export type OrderEnqueuer = ReturnType<typeof createOrderEnqueuer>;

/** Wakes the workers. Nobody waits for this, because the orders are durable, and an order that nobody was woken for is swept. */
export function createOrderEnqueuer(queue: Pick<PostingQueue, 'wake'>, log: Logger) {
  const underWay = new Set<Promise<void>>();
  return {
    /**
     * Enqueues those of some orders that are PENDING: a SCHEDULED one has nothing for a worker until its time, but in a test
     * workspace, whose worker looks when that is.
     * @param causes the spans that created the orders.
     */
    enqueue(orders: readonly Order[], causes: readonly string[]): void {
      const waiting = orders.filter(({ status, workspaceId }) => status === 'PENDING' || isTestWorkspace(workspaceId));
      if (waiting.length === 0) return;
      const wake = queue
        .wake(waiting, causes)
        .catch((error: unknown) => {
          const what = { err: error, orders: waiting.length };
          log.warn(what, 'orders recorded but not enqueued; the sweeper will find them');
        })
        .finally(() => underWay.delete(wake));
      underWay.add(wake);
    },

    /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
    async drain(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
