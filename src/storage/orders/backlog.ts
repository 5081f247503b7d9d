import type { Collection, Db, Document } from 'mongodb';
import { timeOfId } from '../../domain/ids.ts';
import { toOrder, type OrderDocument, type TrailOrder } from './documents.ts';
import { operatorMaxMs } from '../shared/commands.ts';
import { orderIndexes } from '../schema/schema.ts';
import { byWorkspace, readUnsettled, type UnsettledPlace } from './unsettled.ts';

export const stuckCountedMax = 1_000;
/** A page of a look holds no fewer orders, so that small limits do not make many pages. */
const pageMin = 1_000;
const hint = orderIndexes.unsettled;
const keys = { _id: 1, workspaceId: 1 } as const;

/** What waits for the workers, at one moment. */
export interface Look {
  /** Orders, those of each workspace counted up to one above its limit, and in all up to one above theirs. */
  readonly waiting: number;
  /** The workspaces of which more orders wait than may, with the number that was counted. */
  readonly crowded: ReadonlyMap<string, number>;
  /** The oldest among those that were counted; undefined if none waits. */
  readonly oldestPendingAt: Date | undefined;
}

export type Backlogs = ReturnType<typeof openBacklog>;

/** What of a page is one workspace's. */
interface Counted {
  readonly _id: string;
  readonly orders: number;
  readonly oldest: string;
}

/** The orders that wait, in the `orders` collection, and what the operator asks of it; each question is bounded. */
export function openBacklog(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  /** How many of the first `countMax` orders that wait belong to each workspace, in the order of the workspaces. */
  async function countPage(workspaceId: { readonly $gt: string } | { readonly $gte: string }, countMax: number) {
    const stages = [
      { $match: { workspaceId, status: 'PENDING' } },
      { $sort: byWorkspace },
      { $limit: countMax },
      { $group: { _id: '$workspaceId', orders: { $sum: 1 }, oldest: { $min: '$_id' } } },
    ];
    const found = collection.aggregate<Counted>(stages, { hint, maxTimeMS: operatorMaxMs });
    return (await found.toArray()).sort((a, b) => (a._id < b._id ? -1 : 1));
  }

  async function waitingOrders(filter: Document, countMax: number, maxTimeMS: number): Promise<UnsettledPlace[]> {
    const options = { projection: keys, maxTimeMS };
    const found = await readUnsettled(collection, { ...filter, status: 'PENDING' }, countMax, options);
    return found.map(({ _id, workspaceId }) => ({ id: _id, workspaceId }));
  }

  return {
    /**
     * Counts the orders that wait, workspace by workspace and by index keys alone, a page a command. A workspace with which
     * a page ends may have more: the next page begins with it, or beyond it if it fills a page by itself. So a workspace costs
     * a page at the most, and one whose orders are set aside nothing. It ends as soon as more wait than may.
     * @throws if a shard of a cluster does not answer, whosever orders it has.
     */
    async look({ countMax, perWorkspaceMax }: { countMax: number; perWorkspaceMax: number }): Promise<Look> {
      const pageSize = Math.min(countMax, Math.max(perWorkspaceMax, pageMin)) + 1;
      const crowded = new Map<string, number>();
      let waiting = 0;
      let oldest: string | undefined;
      for (let from: Parameters<typeof countPage>[0] = { $gt: '' }; ;) {
        const page = await countPage(from, pageSize);
        const isFull = page.reduce((sum, { orders }) => sum + orders, 0) === pageSize;
        const cut = isFull && page.length > 1 ? page.pop() : undefined;
        for (const { _id, orders, oldest: first } of page) {
          if (orders > perWorkspaceMax) crowded.set(_id, orders);
          waiting += Math.min(orders, perWorkspaceMax + 1);
          if (oldest === undefined || first < oldest) oldest = first;
        }
        const last = page.at(-1);
        if (!isFull || last === undefined || waiting > countMax) break;
        from = cut === undefined ? { $gt: last._id } : { $gte: cut._id };
      }
      const oldestPendingAt = oldest === undefined ? undefined : timeOfId('order', oldest);
      return { waiting: Math.min(waiting, countMax + 1), crowded, oldestPendingAt };
    },

    /** How many orders of a workspace wait, counted up to `countMax`. @throws if its shard does not answer in time. */
    countOf: (workspaceId: string, countMax: number, maxTimeMS = operatorMaxMs): Promise<number> =>
      collection.countDocuments({ workspaceId, status: 'PENDING' }, { limit: countMax, hint, maxTimeMS }),

    /** Orders below an id that wait, of the workspaces behind one: workspace by workspace, oldest first. */
    waitingBehind: (workspaceId: string, before: string, countMax: number): Promise<UnsettledPlace[]> =>
      waitingOrders({ workspaceId: { $gt: workspaceId }, _id: { $lt: before } }, countMax, operatorMaxMs),

    /** The orders of a workspace that wait, oldest first, between two ids, both exclusive. */
    waitingOf: (
      { workspaceId, id }: UnsettledPlace,
      { before, countMax, maxTimeMS = operatorMaxMs }: { before: string; countMax: number; maxTimeMS?: number },
    ): Promise<UnsettledPlace[]> => waitingOrders({ workspaceId, _id: { $gt: id, $lt: before } }, countMax, maxTimeMS),

    /** What a look found, as the operator is told it, and what waits for the operator. */
    async read({ waiting, crowded, oldestPendingAt }: Look, countMax: number) {
      const setAside = { workspaceId: { $gt: '' }, status: 'SET_ASIDE' } as const;
      return {
        pending: Math.min(waiting, countMax),
        /** Whether so many wait that new ones are refused. */
        isFull: waiting > countMax,
        /** Whether more may wait than were counted, so that `pending` is a lower bound. */
        isLowerBound: waiting > countMax || crowded.size > 0,
        oldestPendingAt,
        /** Orders set aside, counted up to {@link stuckCountedMax}. */
        stuck: await collection.countDocuments(setAside, { limit: stuckCountedMax, hint, maxTimeMS: operatorMaxMs }),
      };
    },

    /** An order by its id, whatever its workspace. */
    async find(orderId: string): Promise<TrailOrder | undefined> {
      const document = await collection.findOne({ _id: orderId }, { maxTimeMS: operatorMaxMs });
      return document === null ? undefined : toOrder(document);
    },
  };
}
