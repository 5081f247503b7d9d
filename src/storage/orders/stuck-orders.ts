import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import { anyOf, byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { inTransaction, unwrapped } from '../shared/transaction.ts';
import type { OrderDocument } from './documents.ts';
import { readUnsettledAfter, type UnsettledPlace } from './unsettled.ts';

export interface StuckOrder {
  readonly id: string;
  readonly workspaceId: string;
  readonly attempts: number;
  readonly reason: string;
  readonly stuckSince: Date;
}

interface OrderFault {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly reason: string;
}

/** An order that could not be posted, and the rest of its atomic batch. */
type FailedOrder = Pick<OrderDocument, '_id' | 'workspaceId' | 'otherIds'> & Required<Pick<OrderDocument, 'fault'>>;

/** Selects orders that are set aside; all conditions must hold. */
export interface StuckQuery {
  /** Why they could not be posted: the exact text. */
  readonly reason?: string | undefined;
  /** Set aside by this time. */
  readonly until?: Date;
  /** Behind this one. */
  readonly after?: UnsettledPlace | undefined;
}

/** What a list shows. */
const listed = { projection: { workspaceId: 1, fault: 1, stuckSince: 1 } } as const;

const reasonLengthMax = 500;

export type StuckOrders = ReturnType<typeof openStuckOrders>;

/** The faults of PENDING orders, kept in the `orders` collection itself. */
export function openStuckOrders(db: Db, clock: Clock = systemClock) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  /** Sets orders aside that have failed too often, each with the others of its atomic batch, which get its fault. */
  function setAside(tooOften: readonly FailedOrder[], stuckSince: Date): Promise<unknown> {
    const updates = tooOften.map(({ _id, workspaceId, otherIds = [], fault }) => ({
      updateMany: {
        filter: { workspaceId, _id: { $in: [_id, ...otherIds] }, status: 'PENDING' as const },
        update: { $set: { status: 'SET_ASIDE' as const, stuckSince, fault } },
        ...byId,
      },
    }));
    return inTransaction(db.client, (session) => unwrapped(collection.bulkWrite(updates, { session })));
  }

  return {
    /**
     * Counts a failed attempt to post each of these orders: of an atomic batch the first. Orders that have failed
     * `attemptsMax` times are set aside in one transaction, each with its batch. An order that is no longer PENDING stays as
     * it is.
     * @returns the ids of those that are set aside; of a batch that of the first.
     */
    async recordFaults(faults: readonly OrderFault[], attemptsMax: number): Promise<Set<string>> {
      const now = clock();
      await collection.bulkWrite(
        faults.map(({ workspaceId, orderId, reason }) => ({
          updateOne: {
            filter: { workspaceId, _id: orderId, status: 'PENDING' },
            update: {
              $inc: { 'fault.attempts': 1 },
              $set: { 'fault.reason': reason.slice(0, reasonLengthMax), 'fault.at': now },
            },
          },
        })),
        { ordered: false },
      );
      const tooOften = await collection
        .find(
          {
            workspaceId: anyOf(faults.map(({ workspaceId }) => workspaceId)),
            _id: { $in: faults.map(({ orderId }) => orderId) },
            status: 'PENDING',
            'fault.attempts': { $gte: attemptsMax },
          },
          { ...byId, ...inOneReply(faults.length) },
        )
        .project<FailedOrder>({ workspaceId: 1, otherIds: 1, fault: 1 })
        .toArray();
      if (tooOften.length > 0) await setAside(tooOften, now);
      return new Set(tooOften.map(({ _id }) => _id));
    },

    /**
     * Orders that were set aside, workspace by workspace, oldest first in each. No index has their reasons: those of one are
     * looked for however long it takes.
     */
    async list(countMax: number, { reason, until, after }: StuckQuery = {}): Promise<StuckOrder[]> {
      const filter = {
        status: 'SET_ASIDE',
        ...(until === undefined ? {} : { stuckSince: { $lte: until } }),
        // What a test workspace has wait has no fault.
        ...(reason === undefined ? { fault: { $exists: true } } : { 'fault.reason': reason }),
      } as const;
      const options = { ...listed, ...(reason === undefined && { maxTimeMS: operatorMaxMs }) };
      const documents = await readUnsettledAfter(collection, filter, after, countMax, options);
      return documents.flatMap(({ _id: id, workspaceId, fault, stuckSince }) =>
        fault === undefined || stuckSince === undefined
          ? []
          : [{ id, workspaceId, attempts: fault.attempts, reason: fault.reason, stuckSince }],
      );
    },

    /**
     * Lets orders of a workspace be posted again, each with all of its atomic batch; why they were set aside stays known.
     * @returns how many orders were set aside until now.
     */
    async release(workspaceId: string, ids: readonly string[]): Promise<number> {
      const find = (some: readonly string[]) =>
        collection.find({ workspaceId, _id: { $in: [...some] } }, { ...byId, ...inOneReply(some.length) });
      const named = await find(ids).project<Pick<OrderDocument, '_id' | 'firstId'>>({ firstId: 1 }).toArray();
      const firstIds = [...new Set(named.map(({ _id, firstId }) => firstId ?? _id))];
      const firsts = await find(firstIds).project<Pick<OrderDocument, '_id' | 'otherIds'>>({ otherIds: 1 }).toArray();
      const whole = [...ids, ...firsts.flatMap(({ _id, otherIds = [] }) => [_id, ...otherIds])];
      return inTransaction(db.client, async (session) => {
        const { modifiedCount } = await collection.updateMany(
          { workspaceId, _id: { $in: whole }, status: 'SET_ASIDE' },
          { $set: { status: 'PENDING' }, $rename: { fault: 'releasedFault' }, $unset: { stuckSince: true } },
          { ...byId, session },
        );
        return modifiedCount;
      });
    },
  };
}
