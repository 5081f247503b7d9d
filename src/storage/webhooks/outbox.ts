import type { Collection, Db } from 'mongodb';
import { newIdIn } from '../../domain/ids.ts';
import { webhookTypes, type WebhookType } from '../../domain/webhook.ts';
import type { Ending, Posting } from '../../orders/fold.ts';
import type { Replay, Subscriber, Subscribers, WebhookEndpoint } from './endpoints.ts';

/** The ids of orders that ended together, in one workspace, by how they did. */
export interface EndedIds {
  readonly completed: readonly string[];
  readonly failed: readonly string[];
  /** Absent if there are none. */
  readonly cancelled?: readonly string[];
}

/** What orders of a workspace ended in one transaction, and the endpoints that this is still to be sent to. */
export interface OutboxEntry extends EndedIds {
  readonly _id: string;
  readonly workspaceId: string;
  /** Endpoints that it is still to be sent to. */
  readonly pending: readonly string[];
  /** Endpoints that asked for it and were disabled then; absent if there were none. A replay may still send it to them. */
  readonly missedBy?: readonly string[];
  readonly createdAt: Date;
}

/** Where an entry has the orders of a type of event. */
const partOf = {
  'transfer.completed': 'completed',
  'transfer.failed': 'failed',
  'transfer.cancelled': 'cancelled',
} as const satisfies Record<WebhookType, keyof EndedIds>;
const entriesCountedMax = 1_000;

/** The ids of the orders that an event of a type is to tell of. */
export function idsOf(ended: EndedIds, type: WebhookType): readonly string[] {
  return ended[partOf[type]] ?? [];
}

/**
 * What a posting leaves for webhooks: one entry for each workspace with an endpoint that asked for what happened. It is to be
 * written in the transaction that ends the orders, so that it is there if and only if they have ended.
 */
export function entriesOf({ ended, postedAt }: Posting, subscribers: Subscribers): OutboxEntry[] {
  if (subscribers.size === 0) return [];
  const byWorkspace = Map.groupBy(ended, ({ order }) => order.workspaceId);
  return [...subscribers].flatMap(([workspaceId, endpoints]) => {
    const idsOfStatus = (status: Ending['status']): string[] =>
      (byWorkspace.get(workspaceId) ?? []).flatMap((ending) => (ending.status === status ? [ending.order.id] : []));
    const cancelled = idsOfStatus('CANCELLED');
    const ids = {
      completed: idsOfStatus('COMPLETED'),
      failed: idsOfStatus('FAILED'),
      ...(cancelled.length === 0 ? {} : { cancelled }),
    };
    return newEntry(workspaceId, ids, endpoints, postedAt) ?? [];
  });
}

/**
 * The entry for orders of a workspace that ended; undefined if none of its endpoints asked for what happened. A disabled
 * endpoint is not named in the entry, but the entry is made for it too, so that it can be replayed.
 * @param at when they did.
 */
export function newEntry(
  workspaceId: string,
  ended: EndedIds,
  endpoints: readonly Subscriber[],
  at: Date,
): OutboxEntry | undefined {
  const happened = webhookTypes.filter((type) => idsOf(ended, type).length > 0);
  const asking = endpoints.filter(({ events }) => happened.some((type) => events.includes(type)));
  if (asking.length === 0) return undefined;
  const idsOfThose = (isEnabled: boolean): string[] =>
    asking.filter((each) => each.isEnabled === isEnabled).map(({ endpointId }) => endpointId);
  const [pending, missedBy] = [idsOfThose(true), idsOfThose(false)];
  const missed = missedBy.length === 0 ? {} : { missedBy };
  return { _id: newIdIn(workspaceId, 'webhookBatch', at), workspaceId, ...ended, pending, ...missed, createdAt: at };
}

/** The `webhookOutbox` collection. Its entries are removed after 30 days, by MongoDB itself. */
export function openWebhookOutbox(db: Db) {
  const collection: Collection<OutboxEntry> = db.collection('webhookOutbox');
  return {
    /** The oldest entries that are still to be sent to an endpoint. */
    async pendingFor(workspaceId: string, endpointId: string, countMax: number): Promise<OutboxEntry[]> {
      return collection.find({ workspaceId, pending: endpointId }).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** How many events are still to be sent to an endpoint, counted up to a limit, and since when the oldest has waited. */
    async waitingFor({
      workspaceId,
      id: endpointId,
      events: types,
    }: Pick<WebhookEndpoint, 'id' | 'workspaceId' | 'events'>): Promise<{ events: number; since: Date | undefined }> {
      const events = { $sum: { $add: types.map((type) => ({ $size: { $ifNull: [`$${partOf[type]}`, []] } })) } };
      const [counted] = await collection
        .aggregate<{ events: number; since: Date }>([
          { $match: { workspaceId, pending: endpointId } },
          { $sort: { _id: 1 } },
          { $limit: entriesCountedMax },
          { $group: { _id: null, events, since: { $min: '$createdAt' } } },
        ])
        .toArray();
      return { events: counted?.events ?? 0, since: counted?.since };
    },

    /**
     * Entries of a workspace after `after`, up to and including `to`, oldest first.
     * @param missedBy only those that this endpoint missed, and was not sent by a replay either; absent: whoever has had them.
     */
    async between(
      workspaceId: string,
      { after, to }: Pick<Replay, 'after' | 'to'>,
      countMax: number,
      missedBy?: string,
    ): Promise<OutboxEntry[]> {
      const filter = { workspaceId, _id: { $gt: after, $lte: to }, ...(missedBy === undefined ? {} : { missedBy }) };
      return collection.find(filter).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** Records that each event of an entry has become a delivery to an endpoint. */
    async settle({ workspaceId, _id }: OutboxEntry, endpointId: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id }, { $pull: { pending: endpointId, missedBy: endpointId } });
    },
  };
}
