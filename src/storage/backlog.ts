import type { Collection, Db } from 'mongodb';
import { timeOfId } from '../domain/ids.ts';
import type { FailureName, OrderStatus } from '../domain/order.ts';
import type { PostedBy } from './orders.ts';

/** What waits for the workers, and what waits for the operator. */
export interface Backlog {
  /** Orders that wait for a worker, up to {@link pendingCountMax}. */
  readonly pending: number;
  readonly oldestPendingAt: Date | undefined;
  /** Orders set aside, of the {@link oldestLookedAtMax} oldest. */
  readonly stuck: number;
}

/** An order as the operator follows it: what happened to it, and nothing of its money. */
export interface TrailOrder {
  readonly _id: string;
  readonly bizId: string;
  readonly workspaceId: string;
  readonly status: OrderStatus;
  readonly failure: FailureName | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly postedBy?: PostedBy;
  readonly fault?: { readonly attempts: number; readonly reason: string; readonly at: Date };
  readonly stuckSince?: Date | null;
}

export const pendingCountMax = 10_000;
const oldestLookedAtMax = 1_000;
/** The operator's questions give way to the service's work. */
const timeMaxMs = 1_000;

export type Backlogs = ReturnType<typeof openBacklog>;

/** What the operator asks of the `orders` collection; each question is bounded in rows and in time. */
export function openBacklog(db: Db) {
  const collection: Collection<TrailOrder> = db.collection('orders');
  const pending = { status: 'PENDING' } as const;
  return {
    /** Orders that are set aside grow old: they are looked for among the oldest. */
    async read(): Promise<Backlog> {
      const [count, oldest] = await Promise.all([
        collection.countDocuments(pending, { limit: pendingCountMax, maxTimeMS: timeMaxMs }),
        collection
          .find(pending, { sort: { _id: 1 }, limit: oldestLookedAtMax, maxTimeMS: timeMaxMs })
          .project<Pick<TrailOrder, '_id' | 'stuckSince'>>({ stuckSince: 1 })
          .toArray(),
      ]);
      const first = oldest.find(({ stuckSince }) => (stuckSince ?? null) === null);
      const stuck = oldest.filter(({ stuckSince }) => (stuckSince ?? null) !== null).length;
      return {
        pending: first === undefined ? 0 : Math.max(1, count - stuck),
        oldestPendingAt: first === undefined ? undefined : timeOfId('order', first._id),
        stuck,
      };
    },

    /** An order by its id, whatever its workspace. */
    async find(orderId: string): Promise<TrailOrder | undefined> {
      return (await collection.findOne({ _id: orderId }, { maxTimeMS: timeMaxMs })) ?? undefined;
    },
  };
}
