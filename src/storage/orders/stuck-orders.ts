import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import type { OrderDocument, StoredStatus } from './documents.ts';
import { anyOf, byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
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

  /** Nobody looks for the others of an atomic batch but with the first. So they may be behind it for a moment. */
  async function moveOthers(
    workspaceId: ReturnType<typeof anyOf>,
    firsts: readonly Pick<OrderDocument, 'otherIds'>[],
    { from, to }: Readonly<Record<'from' | 'to', StoredStatus>>,
  ): Promise<void> {
    const otherIds = firsts.flatMap((first) => first.otherIds ?? []);
    if (otherIds.length === 0) return;
    await collection.updateMany({ workspaceId, _id: { $in: otherIds }, status: from }, { $set: { status: to } }, byId);
  }

  return {
    /**
     * Counts a failed attempt to post each of these orders, in three round trips however many there are. Orders that have
     * failed `attemptsMax` times are set aside, with the others of their atomic batch, which takes a fourth. An order that is
     * no longer PENDING stays as it is.
     * @returns the ids of those that are set aside.
     */
    async recordFaults(faults: readonly OrderFault[], attemptsMax: number): Promise<Set<string>> {
      const now = clock();
      const ofAll = {
        workspaceId: anyOf(faults.map(({ workspaceId }) => workspaceId)),
        _id: { $in: faults.map(({ orderId }) => orderId) },
      };
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
      await collection.updateMany(
        { ...ofAll, status: 'PENDING', 'fault.attempts': { $gte: attemptsMax } },
        { $set: { status: 'SET_ASIDE', stuckSince: now } },
      );
      const stuck = await collection
        .find({ ...ofAll, status: 'SET_ASIDE' }, { ...inOneReply(faults.length), projection: { otherIds: 1 } })
        .toArray();
      await moveOthers(ofAll.workspaceId, stuck, { from: 'PENDING_IN_BATCH', to: 'SET_ASIDE_IN_BATCH' });
      return new Set(stuck.map(({ _id }) => _id));
    },

    /**
     * Orders that were set aside, workspace by workspace, oldest first in each. No index has their reasons: those of one are
     * looked for however long it takes.
     */
    async list(countMax: number, { reason, until, after }: StuckQuery = {}): Promise<StuckOrder[]> {
      const filter = {
        status: 'SET_ASIDE',
        ...(until === undefined ? {} : { stuckSince: { $lte: until } }),
        ...(reason === undefined ? {} : { 'fault.reason': reason }),
      } as const;
      const options = { ...listed, ...(reason === undefined && { maxTimeMS: operatorMaxMs }) };
      const documents = await readUnsettledAfter(collection, filter, after, countMax, options);
      return documents.flatMap(({ _id: id, workspaceId, fault, stuckSince }) =>
        fault === undefined || stuckSince === undefined
          ? []
          : [{ id, workspaceId, attempts: fault.attempts, reason: fault.reason, stuckSince }],
      );
    },

    /** Lets orders of a workspace be posted again; why they were set aside stays known. @returns how many of them were. */
    async release(workspaceId: string, ids: readonly string[]): Promise<number> {
      const firsts = { workspaceId, _id: { $in: [...ids] }, status: 'SET_ASIDE' as const, otherIds: { $exists: true } };
      const batches = await collection
        .find(firsts, { ...byId, ...inOneReply(ids.length), projection: { otherIds: 1 } })
        .toArray();
      // Before their first, with which they are looked for from then on.
      await moveOthers(workspaceId, batches, { from: 'SET_ASIDE_IN_BATCH', to: 'PENDING_IN_BATCH' });
      const { modifiedCount } = await collection.updateMany(
        { workspaceId, _id: { $in: [...ids] }, status: 'SET_ASIDE' },
        { $set: { status: 'PENDING' }, $rename: { fault: 'releasedFault' }, $unset: { stuckSince: true } },
        byId,
      );
      return modifiedCount;
    },
  };
}
