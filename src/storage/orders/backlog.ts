import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import { isTestWorkspace, leastIdAt, timeOfId } from '../../domain/ids.ts';
import type { Order } from '../../orders/order.ts';
import { toOrder, type OrderDocument } from './documents.ts';
import { readBefore } from '../shared/causality.ts';
import { ofRealTime, operatorMaxMs } from '../shared/commands.ts';
import { orderIndexes } from '../schema/schema.ts';
import { byWorkspace, readUnsettled, type UnsettledPlace } from './unsettled.ts';

export const stuckCountedMax = 1_000;
/** A page of a count holds no fewer orders, so that small limits do not make many pages. */
const pageMin = 1_000;
const hint = orderIndexes.unsettled;
const keys = { _id: 1, workspaceId: 1 } as const;
/** An order with an older id is looked at, whether it was SCHEDULED before; well below the age that is an alarm. */
const oldAfterMs = 10_000;
/** How many such orders are looked at. */
export const oldMax = 10_000;

/** What waits for the workers, at one moment. */
export interface BacklogSnapshot {
  /** Orders, those of each workspace counted up to one above its limit, and in all up to one above theirs. */
  readonly waiting: number;
  /** The same of each workspace of which some wait, as far as they were counted. */
  readonly byWorkspace: ReadonlyMap<string, number>;
  /** Whether more may wait than were counted. */
  readonly isLowerBound: boolean;
  /** Since when the oldest among those that were counted has waited, test workspaces left out; undefined if none waits. */
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
export function openBacklog(db: Db, clock: Clock = systemClock) {
  const collection: Collection<OrderDocument> = db.collection('orders');

  /** How many of the first `countMax` orders that wait belong to each workspace, in the order of the workspaces. */
  async function countPage(workspaceId: { readonly $gt: string } | { readonly $gte: string }, countMax: number) {
    const stages = [
      { $match: { workspaceId, status: 'PENDING' } },
      { $sort: byWorkspace },
      { $limit: countMax },
      { $group: { _id: '$workspaceId', orders: { $sum: 1 }, oldest: { $min: '$_id' } } },
    ];
    const counted = collection.aggregate<Counted>(stages, { hint, maxTimeMS: operatorMaxMs });
    return (await counted.toArray()).sort((a, b) => (a._id < b._id ? -1 : 1));
  }

  /**
   * Since when the oldest of some orders has waited, those of one workspace or of all. One that was SCHEDULED has waited since
   * its time, however long before it was created. So its id says little, and if that is old, all with old ids are looked at.
   * @param oldest the one with the least id.
   */
  async function waitingSince(
    oldest: UnsettledPlace | undefined,
    workspaceId: string | typeof ofRealTime,
  ): Promise<Date | undefined> {
    if (oldest === undefined) return undefined;
    const byItsId = timeOfId('order', oldest.id);
    const oldBefore = new Date(clock().getTime() - oldAfterMs);
    if (byItsId >= oldBefore) return byItsId;
    const ofOldest = { workspaceId: oldest.workspaceId, _id: oldest.id, executeAt: { $exists: true } };
    const wasScheduled = await collection.findOne(ofOldest, { projection: { _id: 1 }, maxTimeMS: operatorMaxMs });
    if (wasScheduled === null) return byItsId;
    const stages = [
      { $match: { workspaceId, status: 'PENDING', _id: { $lt: leastIdAt('order', oldBefore) } } },
      { $sort: byWorkspace },
      { $limit: oldMax },
      { $group: { _id: null, since: { $min: { $max: ['$createdAt', '$executeAt'] } } } },
    ];
    const counted = collection.aggregate<{ since: Date }>(stages, { hint, maxTimeMS: operatorMaxMs });
    const [old] = await counted.toArray();
    return old?.since;
  }

  return {
    /**
     * Counts the orders that wait, workspace by workspace and by index keys alone, a page a command. A workspace with which
     * a page ends may have more: the next page begins with it, or beyond it if it fills a page by itself. So a workspace costs
     * a page at the most, and one whose orders are set aside nothing. It ends as soon as more wait than may.
     * @throws if a shard of a cluster does not answer, whosever orders it has.
     */
    async snapshot({
      countMax,
      perWorkspaceMax,
    }: {
      countMax: number;
      perWorkspaceMax: number;
    }): Promise<BacklogSnapshot> {
      const pageSize = Math.min(countMax, Math.max(perWorkspaceMax, pageMin)) + 1;
      let waiting = 0;
      let isLowerBound = false;
      const byWorkspace = new Map<string, number>();
      let oldest: UnsettledPlace | undefined;
      for (let from: Parameters<typeof countPage>[0] = { $gt: '' }; ;) {
        const page = await countPage(from, pageSize);
        const isFull = page.reduce((sum, { orders }) => sum + orders, 0) === pageSize;
        const cut = isFull && page.length > 1 ? page.pop() : undefined;
        for (const { _id, orders, oldest: first } of page) {
          const counted = Math.min(orders, perWorkspaceMax + 1);
          byWorkspace.set(_id, counted);
          waiting += counted;
          isLowerBound ||= orders > perWorkspaceMax;
          if (!isTestWorkspace(_id) && first <= (oldest?.id ?? first)) oldest = { workspaceId: _id, id: first };
        }
        const last = page.at(-1);
        if (!isFull || last === undefined || waiting > countMax) break;
        from = cut === undefined ? { $gt: last._id } : { $gte: cut._id };
      }
      const oldestPendingAt = await waitingSince(oldest, ofRealTime);
      if (waiting > countMax) return { waiting: countMax + 1, byWorkspace, isLowerBound: true, oldestPendingAt };
      return { waiting, byWorkspace, isLowerBound, oldestPendingAt };
    },

    /** How many orders of a workspace wait, counted up to `countMax`. @throws if its shard does not answer in time. */
    countOf: (workspaceId: string, countMax: number): Promise<number> =>
      collection.countDocuments(
        { workspaceId, status: 'PENDING' },
        { limit: countMax, hint, maxTimeMS: operatorMaxMs },
      ),

    /** Since when the oldest order of a workspace has waited. */
    async oldestOf(workspaceId: string): Promise<Date | undefined> {
      const [oldest] = await waitingOrders(collection, workspaceId, undefined, 1);
      return waitingSince(oldest, workspaceId);
    },

    /** Orders of some workspaces that wait, those below an id if one is given: workspace by workspace, oldest first. */
    waitingBehind: (
      workspaceId: { readonly $gt: string; readonly $lt?: string },
      countMax: number,
      before?: string,
    ): Promise<UnsettledPlace[]> => waitingOrders(collection, workspaceId, before, countMax),

    /** The oldest order of a workspace that waits, if its id is below one that is given; none otherwise. */
    oldestBefore: (workspaceId: string, before: string | undefined, maxTimeMS: number): Promise<UnsettledPlace[]> =>
      waitingOrders(collection, workspaceId, before, 1, maxTimeMS),

    /** What a snapshot says, as the operator is told it, and what waits for the operator. */
    async read({ waiting, isLowerBound, oldestPendingAt }: BacklogSnapshot, countMax: number) {
      const setAside = { workspaceId: ofRealTime, status: 'SET_ASIDE' } as const;
      return {
        pending: Math.min(waiting, countMax),
        isLowerBound,
        oldestPendingAt,
        /** Orders set aside, but not in test workspaces, whose clients may ask for that; counted up to {@link stuckCountedMax}. */
        stuck: await collection.countDocuments(setAside, { limit: stuckCountedMax, hint, maxTimeMS: operatorMaxMs }),
      };
    },

    /** An order by its id, whatever its workspace. */
    find: (orderId: string): Promise<Order | undefined> => find(db, orderId),
  };
}

/** @param before only those with ids below this one, if one is given. */
async function waitingOrders(
  collection: Collection<OrderDocument>,
  workspaceId: string | { readonly $gt: string; readonly $lt?: string },
  before: string | undefined,
  countMax: number,
  maxTimeMS = operatorMaxMs,
): Promise<UnsettledPlace[]> {
  const filter = {
    workspaceId,
    status: 'PENDING',
    ...(before === undefined ? {} : { _id: { $lt: before } }),
  } as const;
  const counted = await readUnsettled(collection, filter, countMax, { projection: keys, maxTimeMS });
  return counted.map(({ _id, workspaceId }) => ({ id: _id, workspaceId }));
}

async function find(db: Db, orderId: string): Promise<Order | undefined> {
  const options = { maxTimeMS: operatorMaxMs };
  const document = await readBefore(db.client, (session) =>
    db.collection<OrderDocument>('orders').findOne({ _id: orderId }, { ...options, session }),
  );
  return document === null ? undefined : toOrder(document);
}
