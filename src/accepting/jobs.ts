import type { Logger } from '../log.ts';
import type { Order } from '../orders/order.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';

export type Jobs = ReturnType<typeof createJobs>;

/** Wakes the workers. Nobody waits for this, because the orders are durable, and an order that nobody was woken for is swept. */
export function createJobs(queue: Pick<PostingQueue, 'wake'>, log: Logger) {
  const enqueuing = new Set<Promise<void>>();
  return {
    /**
     * Enqueues those of some orders that are PENDING: a SCHEDULED one has nothing for a worker until its time.
     * @param causes the spans that created the orders.
     */
    enqueue(orders: readonly Order[], causes: readonly string[]): void {
      const pending = orders.filter(({ status }) => status === 'PENDING');
      if (pending.length === 0) return;
      const jobs = queue
        .wake(
          pending.map(({ workspaceId }) => workspaceId),
          causes,
        )
        .catch((error: unknown) => {
          log.warn(
            { err: error, orders: pending.length },
            'orders recorded but not enqueued; the sweeper will find them',
          );
        })
        .finally(() => enqueuing.delete(jobs));
      enqueuing.add(jobs);
    },
    /** Resolves once every order recorded so far is enqueued, or could not be and is left to the sweeper. */
    drain: async (): Promise<void> => {
      await Promise.all(enqueuing);
    },
  };
}
