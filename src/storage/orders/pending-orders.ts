import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import { leastIdAt } from '../../domain/ids.ts';
import type { OrderDocument } from './orders.ts';
import { orderIndexes, setAside } from '../schema/schema.ts';

/** What waits, as it was at one moment. */
export interface LookAtPending {
  /** Orders that wait for a worker, counted up to a limit. */
  readonly waiting: number;
  /** The same with those that are set aside for the operator. */
  readonly pending: number;
  /** Orders with an id below this that were stored by then are COMPLETED or FAILED, for good. */
  readonly settledBefore: string;
}

/**
 * Up to this many orders that are set aside are left out of a count. The limit is there because each count reads their
 * index. Orders beyond it count as waiting.
 */
export const setAsideCountedMax = 1_000_000;

/** An order is stored sooner than this after it got its id, unless there is an election or a clock is wrong. */
const onItsWayMs = 2_000;

export type PendingOrders = ReturnType<typeof openPendingOrders>;

/** The PENDING orders of all workspaces. */
export function openPendingOrders(db: Db, clock: Clock = systemClock) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    /**
     * Counts the orders that wait, up to `countMax`: the PENDING ones minus those set aside. Both counts read index keys
     * alone; on a sharded cluster, the orders too. An index of the difference would have to be written twice with every
     * order.
     */
    async look(countMax: number): Promise<LookAtPending> {
      const newest = leastIdAt('order', new Date(clock().getTime() - onItsWayMs));
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
