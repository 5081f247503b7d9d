import type { ClientSession, Collection, Db, Document } from 'mongodb';
import { remainingOf } from '../../domain/progress.ts';
import type { Order } from '../../orders/order.ts';
import { orderIndexes } from '../schema/schema.ts';
import { byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { inTransaction } from '../shared/transaction.ts';
import { toDocument, toOrder, type OrderDocument, type TrailOrder } from './orders.ts';

/** An order about which the service has something to do by itself. */
export interface DueOrder {
  readonly id: string;
  readonly workspaceId: string;
}

const hint = orderIndexes.due;
const longAgo = new Date(0);

/** The orders that are due, in the `orders` collection. Each question is bounded. */
export function openDueOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  async function find(workspaceId: Document | string, now: Date, countMax: number, maxTimeMS: number) {
    const options = {
      hint,
      projection: { _id: 1, workspaceId: 1 },
      limit: countMax,
      maxTimeMS,
      ...inOneReply(countMax),
    };
    const filter = { workspaceId, dueAt: { $gt: longAgo, $lte: now } };
    const rows = await collection.find(filter, { ...options, sort: { workspaceId: 1, dueAt: 1, _id: 1 } }).toArray();
    return rows.map((row): DueOrder => ({ id: row._id, workspaceId: row.workspaceId }));
  }

  /** Those of some holds that an order refers to which is still to be posted. */
  async function holdsInUse(
    workspaceId: string,
    holds: readonly string[],
    session: ClientSession,
  ): Promise<Set<string>> {
    if (holds.length === 0) return new Set();
    const children = await collection
      .find({ workspaceId, parentId: { $in: [...holds] }, status: 'PENDING' }, { session, hint: orderIndexes.ofParent })
      .project<{ parentId: string }>({ parentId: 1 })
      .toArray();
    return new Set(children.map(({ parentId }) => parentId));
  }

  return {
    /** How many COMPLETED ones have been due since before a moment, counted up to `countMax`, and since when the longest. */
    async late(
      before: Date,
      countMax: number,
    ): Promise<{ readonly count: number; readonly oldestAt: Date | undefined }> {
      const filter = { workspaceId: { $gt: '' }, dueAt: { $gt: longAgo, $lte: before }, status: 'COMPLETED' as const };
      const options = { hint, limit: countMax, projection: { dueAt: 1 }, maxTimeMS: operatorMaxMs };
      const rows = await collection.find(filter, { ...options, ...inOneReply(countMax) }).toArray();
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

    /** Those of the workspaces behind one: workspace by workspace, the longest due first. Reads index keys alone. */
    behind: (workspaceId: string, now: Date, countMax: number): Promise<DueOrder[]> =>
      find({ $gt: workspaceId }, now, countMax, operatorMaxMs),

    /** Those of a workspace. @throws if its shard does not answer in time. */
    of: (workspaceId: string, now: Date, countMax: number, maxTimeMS: number): Promise<DueOrder[]> =>
      find(workspaceId, now, countMax, maxTimeMS),

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
        const hasEnded = { status: { $in: ['COMPLETED', 'FAILED'] as const } };
        const ended = await collection
          .find(
            { workspaceId, _id: { $in: [...ids] }, dueAt: { $gt: longAgo }, ...hasEnded, ...isDue },
            { session, ...inOneReply(ids.length), ...byId },
          )
          .toArray();
        const inUse = await holdsInUse(
          workspaceId,
          ended.map(({ _id }) => _id),
          session,
        );
        const ready = ended.filter(({ _id }) => !inUse.has(_id));
        if (ready.length === 0) return [];
        const released = ready
          .map(toOrder)
          .filter((hold) => hold.status === 'COMPLETED' && remainingOf(hold).greaterThan(0))
          .map(releaseOf);
        const readyIds = ready.map(({ _id }) => _id);
        await collection.updateMany({ workspaceId, _id: { $in: readyIds } }, { $set: { dueAt: null } }, { session });
        if (released.length > 0) await collection.insertMany(released.map(toDocument), { session });
        return released;
      });
    },
  };
}
