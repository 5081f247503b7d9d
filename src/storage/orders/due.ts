import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import type { Order } from '../../orders/order.ts';
import { leftOf } from '../../orders/parent.ts';
import { orderIndexes } from '../schema/schema.ts';
import { readBefore } from '../shared/causality.ts';
import { byId, inOneReply, ofRealTime, operatorMaxMs } from '../shared/commands.ts';
import { bounded } from '../shared/page.ts';
import { inTransaction, unwrapped } from '../shared/transaction.ts';
import { toDocument, toOrder, type OrderDocument } from './documents.ts';
import { findOrdersInUse } from './orders.ts';

/** An order about which the service has something to do by itself. */
export interface DueOrder {
  readonly id: string;
  readonly dueAt: Date;
}

/** Of what is due: COMPLETED holds, which are to be released, or SCHEDULED orders, which are to be started. */
export type DueStatus = 'COMPLETED' | 'SCHEDULED';

/** What of a workspace's due orders is read. */
interface DuePage {
  readonly now: Date;
  /** Only those behind this one. */
  readonly after?: DueOrder | undefined;
  readonly countMax: number;
  readonly maxTimeMS: number;
}

/** Counts, in a transaction, what came due at a moment of a test workspace's clock. */
type CountDue = (due: number, session: ClientSession) => Promise<unknown>;

const hint = orderIndexes.due;
const sort = { workspaceId: 1, status: 1, dueAt: 1, _id: 1 } as const;
const longAgo = new Date(0);
/** Up to how many late ones are counted. */
export const lateCountedMax = 1_000;
/** Keys that a look for workspaces reads at the most, and how many looks pass over what was found before. */
const keysMax = 50_000;
const looksMax = 4;
/** By MongoDB's clock, or at a moment of a test workspace's. */
const isDue = (at: Date | '$$NOW') =>
  at === '$$NOW' ? { dueAt: { $gt: longAgo }, $expr: { $lte: ['$dueAt', at] } } : { dueAt: { $gt: longAgo, $lte: at } };

/** The orders that are due, in the `orders` collection. Each question is bounded, and reads only orders of its status. */
export function openDueOrders(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  return {
    ...testWorkspaceCalls(db, collection),

    /** How many have been due since before a moment, up to {@link lateCountedMax}, and since when the longest. */
    late: (status: DueStatus, before: Date) => countLate(collection, status, before),

    /**
     * How many of a workspace wait for their time, or are late, counted up to `countMax`.
     * @throws ServiceError ANSWER_TOO_LATE.
     */
    countOf: (workspaceId: string, status: DueStatus, countMax: number): Promise<number> =>
      bounded(
        collection.countDocuments(
          { workspaceId, status, dueAt: { $gt: longAgo } },
          { limit: countMax, hint, maxTimeMS: operatorMaxMs },
        ),
      ),

    /**
     * The workspaces that have orders due, by the real time, in no particular order. Reads a key for each order that is due, up
     * to a limit. A workspace with so many that they fill a look does not hide the others: the next look passes over its keys.
     */
    async workspaces(status: DueStatus, now: Date): Promise<string[]> {
      const options = { hint: orderIndexes.dueByTime, maxTimeMS: operatorMaxMs };
      const ids: string[] = [];
      for (let looks = 0; looks < looksMax; looks += 1) {
        const others = { workspaceId: { ...ofRealTime, ...(ids.length === 0 ? {} : { $nin: ids }) } };
        const stages = [
          { $match: { status, dueAt: { $gt: longAgo, $lte: now }, ...others } },
          { $limit: keysMax },
          { $group: { _id: '$workspaceId', orders: { $sum: 1 } } },
        ];
        const page = await collection.aggregate<{ _id: string; orders: number }>(stages, options).toArray();
        ids.push(...page.map(({ _id }) => _id));
        if (page.reduce((sum, { orders }) => sum + orders, 0) < keysMax) break;
      }
      return ids;
    },

    /** Those of a workspace that are due, the longest due first. @throws if its shard does not answer in time. */
    of: (workspaceId: string, status: DueStatus, { after, now, countMax, maxTimeMS }: DuePage): Promise<DueOrder[]> =>
      readBefore(db.client, async (session) => {
        const read = async (due: Filter<OrderDocument>, limit: number): Promise<DueOrder[]> => {
          const options = { hint, sort, projection: { dueAt: 1 }, limit, maxTimeMS, session, ...inOneReply(limit) };
          const rows = await collection.find({ workspaceId, status, ...due }, options).toArray();
          return rows.map(({ _id, dueAt }): DueOrder => ({ id: _id, dueAt: dueAt ?? now }));
        };
        const same = after === undefined ? [] : await read({ dueAt: after.dueAt, _id: { $gt: after.id } }, countMax);
        if (same.length === countMax) return same;
        const later = { dueAt: { $gt: after?.dueAt ?? longAgo, $lte: now } };
        return [...same, ...(await read(later, countMax - same.length))];
      }),

    /**
     * Starts SCHEDULED orders: from now on they are PENDING, as any other. One that is CANCELLED, or not due,
     * stays as it is. Each is guarded by itself, so it does not matter how many do this at once, or where one ends.
     * @param ids of one workspace's orders.
     * @returns those that wait for a worker now, whoever started them.
     * @throws any error with some of them started, and some not.
     */
    async start(workspaceId: string, ids: readonly string[]): Promise<{ readonly id: string; workspaceId: string }[]> {
      const ofPage = { workspaceId, _id: { $in: [...ids] } };
      const started = await collection.updateMany(
        { ...ofPage, status: 'SCHEDULED', ...isDue('$$NOW') },
        [{ $set: { status: 'PENDING', dueAt: null, updatedAt: '$$NOW' } }],
        byId,
      );
      if (started.modifiedCount === ids.length) return ids.map((id) => ({ id, workspaceId }));
      const options = { projection: { _id: 1 }, ...inOneReply(ids.length), ...byId };
      const waiting = await collection.find({ ...ofPage, status: 'PENDING' }, options).toArray();
      return waiting.map(({ _id }) => ({ id: _id, workspaceId }));
    },

    /**
     * Records the orders that release what is left of holds that have expired, all or none, in one transaction: a hold that
     * another process is at, or that is used meanwhile, is read again. A hold waits while an order that refers to it is
     * still to be posted, set aside excepted, because that one may use it.
     * @param ids of one workspace's orders that are due; others are left alone.
     * @param releaseOf makes the order that releases a hold. @param at the time of a test workspace, which counts them in the
     * same transaction; of others it is MongoDB's.
     * @returns the orders recorded, PENDING.
     * @throws ContendedError they were changed too often meanwhile; any other error with nothing recorded, but one of the
     * commit, which may have been applied.
     */
    releaseExpired: (
      workspaceId: string,
      ids: readonly string[],
      releaseOf: (hold: Order) => Order,
      at: Date | '$$NOW' = '$$NOW',
      count?: CountDue,
    ): Promise<Order[]> =>
      inTransaction(db.client, async (session) => {
        const holds = await collection
          .find(
            { workspaceId, _id: { $in: [...ids] }, status: 'COMPLETED', ...isDue(at) },
            { session, ...inOneReply(ids.length), ...byId },
          )
          .toArray();
        if (holds.length === 0) return [];
        const holdIds = holds.map(({ _id }) => _id);
        const inUse = await findOrdersInUse(collection, holdIds, [workspaceId], session);
        const ready = holds.filter(({ _id }) => !inUse.has(_id));
        if (ready.length === 0) return [];
        const released = ready
          .map(toOrder)
          .filter((hold) => leftOf(hold).greaterThan(0))
          .map(releaseOf);
        const readyIds = ready.map(({ _id }) => _id);
        const done = { $set: { dueAt: null } };
        await collection.updateMany({ workspaceId, _id: { $in: readyIds } }, done, { session, ...byId });
        await count?.(released.length, session);
        if (released.length > 0) await unwrapped(collection.insertMany(released.map(toDocument), { session }));
        return released;
      }),
  };
}

/** Those of test workspaces are late by clocks that are not the operator's. */
async function countLate(collection: Collection<OrderDocument>, status: DueStatus, before: Date) {
  const filter = { status, dueAt: { $gt: longAgo, $lte: before }, workspaceId: ofRealTime };
  const options = {
    hint: orderIndexes.dueByTime,
    limit: lateCountedMax,
    projection: { dueAt: 1 },
    maxTimeMS: operatorMaxMs,
  };
  const rows = await collection.find(filter, { ...options, ...inOneReply(lateCountedMax) }).toArray();
  const times = rows.flatMap(({ dueAt }) => dueAt?.getTime() ?? []);
  return { count: rows.length, oldestAt: times.length === 0 ? undefined : new Date(Math.min(...times)) };
}

/** What is done in test workspaces alone, by their clocks. */
function testWorkspaceCalls(db: Db, collection: Collection<OrderDocument>) {
  return {
    /**
     * As `start`, all or none, at a moment of a test workspace, which counts them in the same transaction. One that is to be SLOW
     * is set aside.
     */
    startAt: (workspaceId: string, ids: readonly string[], at: Date, count: CountDue): Promise<unknown> =>
      inTransaction(db.client, async (session) => {
        const due = { workspaceId, _id: { $in: [...ids] }, status: 'SCHEDULED', ...isDue(at) } as const;
        const slow = { $eq: ['$simulate', 'SLOW'] };
        const status = { $cond: [slow, 'SET_ASIDE', 'PENDING'] };
        const stuckSince = { $cond: [slow, at, '$$REMOVE'] };
        const started = [{ $set: { status, stuckSince, dueAt: null, updatedAt: at } }];
        const { modifiedCount } = await collection.updateMany(due, started, { session, ...byId });
        await count(modifiedCount, session);
      }),

    /** Has the orders of a test workspace posted that were to be SLOW: set aside without a fault. */
    async startSlow(workspaceId: string): Promise<void> {
      const slow = { workspaceId, status: 'SET_ASIDE', fault: { $exists: false } } as const;
      const pending = { $set: { status: 'PENDING' }, $unset: { stuckSince: true } } as const;
      await collection.updateMany(slow, pending, { hint: orderIndexes.unsettled });
    },
  };
}
