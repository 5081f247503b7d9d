import type { Collection, Db, Filter } from 'mongodb';
import { timeOfId } from '../domain/ids.ts';
import type { FailureName, OrderStatus } from '../domain/order.ts';
import { waiting } from './orders.ts';
import type { PostedBy } from './orders.ts';

/** What waits for the workers, and what waits for the operator. */
export interface Backlog {
  /** Orders that wait for a worker. */
  readonly pending: number;
  /** Whether more wait than were counted: `pending` is the least number then. */
  readonly isLowerBound: boolean;
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

export const oldestLookedAtMax = 1_000;
/** The operator's questions give way to the service's work. */
const timeMaxMs = 1_000;

export type Backlogs = ReturnType<typeof openBacklog>;

/** What the operator asks of the `orders` collection; each question is bounded in rows and in time. */
export function openBacklog(db: Db) {
  const collection: Collection<TrailOrder> = db.collection('orders');
  const pending = { status: 'PENDING' } as const;

  async function oldestOf(filter: Filter<TrailOrder>, limit: number) {
    return collection
      .find(filter, { sort: { _id: 1 }, limit, maxTimeMS: timeMaxMs })
      .project<Pick<TrailOrder, '_id' | 'stuckSince'>>({ stuckSince: 1 })
      .toArray();
  }

  return {
    /**
     * Orders that are set aside grow old: they are looked for among the oldest.
     * @param counted how many orders are PENDING, set aside or not, counted up to one above `countMax`.
     */
    async read(counted: number, countMax: number): Promise<Backlog> {
      const oldest = await oldestOf(pending, oldestLookedAtMax);
      const waitingFirst = oldest.filter(({ stuckSince }) => (stuckSince ?? null) === null);
      const stuck = oldest.length - waitingFirst.length;
      // Where all that were looked at are set aside, others may still wait behind them.
      const [first] = stuck === oldestLookedAtMax ? await oldestOf(waiting, 1) : waitingFirst;
      return {
        // Counted a moment ago: an order that was found waits, whatever the count says.
        pending: first === undefined ? 0 : Math.max(1, Math.min(counted, countMax) - stuck),
        isLowerBound: first !== undefined && counted > countMax,
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
