import type { Collection, Db } from 'mongodb';
import { timeOfId } from '../../domain/ids.ts';
import { toOrder, waiting, type OrderDocument, type TrailOrder } from './orders.ts';
import { operatorMaxMs } from '../shared/commands.ts';
import { orderIndexes, setAside } from '../schema/schema.ts';

export const stuckCountedMax = 1_000;

export type Backlog = Awaited<ReturnType<Backlogs['read']>>;
export type Backlogs = ReturnType<typeof openBacklog>;

/** What the operator asks of the `orders` collection; each question is bounded in rows and in time. */
export function openBacklog(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    /**
     * What waits for the workers, and what waits for the operator.
     * @param counted how many orders wait for a worker, counted up to one above `countMax`.
     */
    async read(counted: number, countMax: number) {
      const [first, stuck] = await Promise.all([
        collection.findOne(waiting, {
          ...{ sort: { _id: 1 }, projection: { _id: 1 } },
          ...{ hint: orderIndexes.pending, maxTimeMS: operatorMaxMs },
        }),
        collection.countDocuments(setAside, {
          ...{ limit: stuckCountedMax, hint: orderIndexes.setAside, maxTimeMS: operatorMaxMs },
        }),
      ]);
      return {
        // The count is a moment old: if an order was found, at least one waits, whatever the count says.
        pending: first === null ? 0 : Math.max(1, Math.min(counted, countMax)),
        /** Whether more may wait than were counted, so that `pending` is a lower bound. */
        isLowerBound: first !== null && counted > countMax,
        oldestPendingAt: first === null ? undefined : timeOfId('order', first._id),
        /** Orders set aside, counted up to {@link stuckCountedMax}. */
        stuck,
      };
    },

    /** The workspaces of which more than `moreThan` orders wait, with their number, among the first `countMax` that wait. */
    async crowded({ moreThan, countMax }: { moreThan: number; countMax: number }): Promise<Map<string, number>> {
      const pipeline = [
        { $match: waiting },
        { $limit: countMax },
        { $group: { _id: '$workspaceId', orders: { $sum: 1 } } },
        { $match: { orders: { $gt: moreThan } } },
      ];
      const found = await collection
        .aggregate<{ _id: string; orders: number }>(pipeline, {
          hint: orderIndexes.pending,
          maxTimeMS: operatorMaxMs,
        })
        .toArray();
      return new Map(found.map(({ _id, orders }) => [_id, orders]));
    },

    /** An order by its id, whatever its workspace. */
    async find(orderId: string): Promise<TrailOrder | undefined> {
      const document = await collection.findOne({ _id: orderId }, { maxTimeMS: operatorMaxMs });
      return document === null ? undefined : toOrder(document);
    },
  };
}
