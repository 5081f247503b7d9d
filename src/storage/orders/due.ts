import type { Collection, Db } from 'mongodb';
import { remainingOf } from '../../domain/progress.ts';
import type { Order } from '../../orders/order.ts';
import { orderIndexes } from '../schema/schema.ts';
import { byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { inTransaction } from '../shared/transaction.ts';
import { toDocument, toOrder, type OrderDocument, type TrailOrder } from './documents.ts';
import { findOrdersInUse } from './orders.ts';

/** An order about which the service has something to do by itself. */
export interface DueOrder {
  readonly id: string;
  readonly dueAt: Date;
}

const hint = orderIndexes.due;
const longAgo = new Date(0);
/** Up to how many late ones are counted. */
export const lateCountedMax = 1_000;
/** Keys that a look for workspaces reads at the most. */
const keysMax = 200_000;

/** The orders that are due, in the `orders` collection. Each question is bounded. */
export function openDueOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  return {
    /** How many COMPLETED ones have been due since before a moment, up to {@link lateCountedMax}, and since when the longest. */
    async late(before: Date): Promise<{ readonly count: number; readonly oldestAt: Date | undefined }> {
      const filter = { dueAt: { $gt: longAgo, $lte: before }, status: 'COMPLETED' as const };
      const options = {
        hint: orderIndexes.dueByTime,
        limit: lateCountedMax,
        projection: { dueAt: 1 },
        maxTimeMS: operatorMaxMs,
      };
      const rows = await collection.find(filter, { ...options, ...inOneReply(lateCountedMax) }).toArray();
      const times = rows.flatMap(({ dueAt }) => dueAt?.getTime() ?? []);
      return { count: rows.length, oldestAt: times.length === 0 ? undefined : new Date(Math.min(...times)) };
    },

    /** Those of a workspace that are due next, and those that are due already. */
    async next(workspaceId: string, countMax: number): Promise<TrailOrder[]> {
      const filter = { workspaceId, dueAt: { $gt: longAgo }, status: 'COMPLETED' as const };
      const options = {
        hint,
        sort: { workspaceId: 1, dueAt: 1, _id: 1 } as const,
        limit: countMax,
        maxTimeMS: operatorMaxMs,
      };
      return (await collection.find(filter, { ...options, ...inOneReply(countMax) }).toArray()).map(toOrder);
    },

    /** The workspaces that have orders due, in no particular order. Reads a key for each order that is due. */
    async workspaces(now: Date): Promise<string[]> {
      const stages = [
        { $match: { dueAt: { $gt: longAgo, $lte: now } } },
        { $limit: keysMax },
        { $group: { _id: '$workspaceId' } },
      ];
      const options = { hint: orderIndexes.dueByTime, maxTimeMS: operatorMaxMs };
      return (await collection.aggregate<{ _id: string }>(stages, options).toArray()).map(({ _id }) => _id);
    },

    /**
     * The COMPLETED ones of a workspace that are due, the longest due first. @param after only those that are due later.
     * @throws if its shard does not answer in time.
     */
    async of(
      workspaceId: string,
      {
        after = longAgo,
        now,
        countMax,
        maxTimeMS,
      }: { after?: Date | undefined; now: Date; countMax: number; maxTimeMS: number },
    ): Promise<DueOrder[]> {
      const filter = { workspaceId, dueAt: { $gt: after, $lte: now }, status: 'COMPLETED' as const };
      const sort = { workspaceId: 1, dueAt: 1, _id: 1 } as const;
      const options = { hint, sort, projection: { dueAt: 1 }, limit: countMax, maxTimeMS, ...inOneReply(countMax) };
      const rows = await collection.find(filter, options).toArray();
      return rows.map(({ _id, dueAt }): DueOrder => ({ id: _id, dueAt: dueAt ?? now }));
    },

    /**
     * Records the orders that release what is left of holds that have expired, all or none, in one transaction: a hold that
     * another process is at, or that is used meanwhile, is read again. A hold waits while an order that refers to it is
     * still to be posted, set aside excepted, because that one may use it.
     * @param ids of one workspace's orders that are due. By MongoDB's clock too: others are left alone.
     * @param releaseOf makes the order that releases a hold.
     * @returns the orders recorded, PENDING.
     * @throws ContendedError they were changed too often meanwhile; any other error with nothing recorded, but one of the
     * commit, which may have been applied.
     */
    async releaseExpired(
      workspaceId: string,
      ids: readonly string[],
      releaseOf: (hold: Order) => Order,
    ): Promise<Order[]> {
      return inTransaction(db.client, async (session) => {
        const isDue = { $expr: { $lte: ['$dueAt', '$$NOW'] } };
        const due = { dueAt: { $gt: longAgo }, status: 'COMPLETED' as const, ...isDue };
        const holds = await collection
          .find({ workspaceId, _id: { $in: [...ids] }, ...due }, { session, ...inOneReply(ids.length), ...byId })
          .toArray();
        if (holds.length === 0) return [];
        const holdIds = holds.map(({ _id }) => _id);
        const inUse = await findOrdersInUse(collection, holdIds, [workspaceId], session);
        const ready = holds.filter(({ _id }) => !inUse.has(_id));
        if (ready.length === 0) return [];
        const released = ready
          .map(toOrder)
          .filter((hold) => remainingOf(hold).greaterThan(0))
          .map(releaseOf);
        const readyIds = ready.map(({ _id }) => _id);
        const done = { $set: { dueAt: null } };
        await collection.updateMany({ workspaceId, _id: { $in: readyIds } }, done, { session, ...byId });
        if (released.length > 0) await collection.insertMany(released.map(toDocument), { session });
        return released;
      });
    },
  };
}
