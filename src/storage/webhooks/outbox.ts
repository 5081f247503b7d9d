import type { Collection, Db } from 'mongodb';
import { newIdIn } from '../../domain/ids.ts';
import type { AlertEvent } from '../../domain/alerts.ts';
import { alertType, webhookTypes, type WebhookType } from '../../domain/webhook.ts';
import type { Ending, Posting } from '../../orders/fold.ts';
import { toAlertEventDocument, type AlertEventDocument } from '../wallets/limits.ts';
import type { Replay, Subscriber, Subscribers, WebhookEndpoint } from './endpoints.ts';

/** What happened in one transaction in one workspace: the ids of orders that ended, by how they did, and what alerts tell. */
export interface Happened {
  readonly completed: readonly string[];
  readonly failed: readonly string[];
  /** Absent if there are none. */
  readonly cancelled?: readonly string[];
  /** Absent if there are none. */
  readonly alerts?: readonly TellingAlert[];
}

/** An event of an alert: all that it tells, because its wallet goes on changing. */
export type TellingAlert = AlertEventDocument & { readonly eventId: string };

/** What happened in one transaction, and the endpoints that this is still to be sent to. */
export interface OutboxEntry extends Happened {
  readonly _id: string;
  readonly workspaceId: string;
  /** Endpoints that it is still to be sent to. */
  readonly pending: readonly string[];
  /** Endpoints that asked for it and were disabled then; absent if there were none. A replay may still send it to them. */
  readonly missedBy?: readonly string[];
  readonly createdAt: Date;
}

/** Where an entry has the events of a type. */
const partOf = {
  'transfer.completed': 'completed',
  'transfer.failed': 'failed',
  'transfer.cancelled': 'cancelled',
  [alertType]: 'alerts',
} as const satisfies Record<WebhookType, keyof Happened>;
const entriesCountedMax = 1_000;

/** The ids of the orders that events of a type are to tell of. */
export function idsOf(happened: Happened, type: Exclude<WebhookType, typeof alertType>): readonly string[] {
  return happened[partOf[type]] ?? [];
}

/**
 * What a posting leaves for webhooks: one entry for each workspace with an endpoint that asked for what happened. It is to be
 * written in the transaction that ends the orders, so that it is there if and only if they have ended.
 */
export function entriesOf({ ended, alerts, postedAt }: Posting, subscribers: Subscribers): OutboxEntry[] {
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
      ...alertsIn(alerts.filter((alert) => alert.workspaceId === workspaceId)),
    };
    return newEntry(workspaceId, ids, endpoints, postedAt) ?? [];
  });
}

/** The events of alerts, as an entry has them; each with a new id. */
export function alertsIn(events: readonly AlertEvent[]): Pick<Happened, 'alerts'> {
  if (events.length === 0) return {};
  const eventIdOf = ({ workspaceId, at }: AlertEvent): string => newIdIn(workspaceId, 'webhookEvent', at);
  return { alerts: events.map((event) => ({ eventId: eventIdOf(event), ...toAlertEventDocument(event) })) };
}

/**
 * The entry for what happened in a workspace; undefined if none of its endpoints asked for what happened. A disabled
 * endpoint is not named in the entry, but the entry is made for it too, so that it can be replayed.
 * @param at when it did.
 */
export function newEntry(
  workspaceId: string,
  happened: Happened,
  endpoints: readonly Subscriber[],
  at: Date,
): OutboxEntry | undefined {
  const types = webhookTypes.filter((type) => (happened[partOf[type]]?.length ?? 0) > 0);
  const asking = endpoints.filter(({ events }) => types.some((type) => events.includes(type)));
  if (asking.length === 0) return undefined;
  const idsOfThose = (isEnabled: boolean): string[] =>
    asking.filter((each) => each.isEnabled === isEnabled).map(({ endpointId }) => endpointId);
  const [pending, missedBy] = [idsOfThose(true), idsOfThose(false)];
  const missed = missedBy.length === 0 ? {} : { missedBy };
  return { _id: newIdIn(workspaceId, 'webhookBatch', at), workspaceId, ...happened, pending, ...missed, createdAt: at };
}

/** The `webhookOutbox` collection. Its entries are removed after 30 days, by MongoDB itself. */
export function openWebhookOutbox(db: Db) {
  const collection: Collection<OutboxEntry> = db.collection('webhookOutbox');
  return {
    /** The oldest entry that is still to be sent to an endpoint; null if there is none. */
    nextFor: (workspaceId: string, endpointId: string): Promise<OutboxEntry | null> =>
      collection.findOne({ workspaceId, pending: endpointId }, { sort: { _id: 1 } }),

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
     * The oldest entry of a workspace after `after`, up to and including `to`; null if there is none.
     * @param missedBy only one that this endpoint missed, and was not sent by a replay either; absent: whoever has had it.
     */
    nextBetween(
      workspaceId: string,
      { after, to }: Pick<Replay, 'after' | 'to'>,
      missedBy?: string,
    ): Promise<OutboxEntry | null> {
      const filter = { workspaceId, _id: { $gt: after, $lte: to }, ...(missedBy === undefined ? {} : { missedBy }) };
      return collection.findOne(filter, { sort: { _id: 1 } });
    },

    /** Records that each event of an entry has become a delivery to an endpoint. */
    async settle({ workspaceId, _id }: OutboxEntry, endpointId: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id }, { $pull: { pending: endpointId, missedBy: endpointId } });
    },
  };
}
