import type { Collection, Db } from 'mongodb';
import { leastIdAt } from '../domain/ids.ts';
import type { OrderDocument } from './orders.ts';
import { orderIndexes, setAside } from './schema.ts';

/** What waits, as it was at one moment. */
export interface LookAtPending {
  /** Orders that wait for a worker, counted up to a limit. */
  readonly waiting: number;
  /** The same with those that are set aside for the operator. */
  readonly pending: number;
  /** Orders that were stored by then, and have a lesser id, are COMPLETED or FAILED, and so they stay. */
  readonly settledBefore: string;
}

/**
 * As many orders that are set aside are left out of a count: their index is read for each count, and the operator is told
 * of the first. Those beyond count as waiting.
 */
export const setAsideCountedMax = 1_000_000;

/** An order is on its way from getting its id to being stored for less, but for an election or a clock that is wrong. */
const onItsWayMs = 2_000;

export type PendingOrders = ReturnType<typeof openPendingOrders>;

/** The orders of everybody that are PENDING. */
export function openPendingOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    /**
     * Looks at them: what waits is counted, up to `countMax`, as those that are PENDING, less those that are set aside. All
     * is answered from index keys alone; an index that holds the difference would be written with every order.
     */
    async look(countMax: number): Promise<LookAtPending> {
      const newest = leastIdAt('order', new Date(Date.now() - onItsWayMs));
      const [oldest, aside] = await Promise.all([
        collection.findOne(
          { status: 'PENDING' },
          { sort: { _id: 1 }, projection: { _id: 1 }, hint: orderIndexes.pending },
        ),
        collection.countDocuments(setAside, { limit: setAsideCountedMax, hint: orderIndexes.setAside }),
      ]);
      const limit = countMax + aside;
      const pending = await collection.countDocuments({ status: 'PENDING' }, { limit, hint: orderIndexes.pending });
      return {
        waiting: Math.max(0, pending - aside),
        pending,
        settledBefore: oldest !== null && oldest._id < newest ? oldest._id : newest,
      };
    },
  };
}
