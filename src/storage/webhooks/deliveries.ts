import type { Collection, Db } from 'mongodb';
import { systemClockOf, type ClockOf } from '../../clock.ts';
import type { WebhookType } from '../../domain/webhook.ts';
import { webhookIndexes } from '../schema/schema.ts';
import { upsert } from '../shared/commands.ts';
import type { AlertEventDocument } from '../wallets/limits.ts';
import type { EndpointName } from './endpoints.ts';

/** How many deliveries of an endpoint are kept, those of the newest orders. Those still to be sent are kept as well. */
export const deliveriesKept = 1_000;
/** More are not counted. */
const countMax = 10_000;

/** The type of a test, which is about no order, and is sent when the endpoint's owner asks for it. */
export const testType = 'webhook.test';

/** What became of an event at an endpoint. */
export interface Delivery {
  readonly eventId: string;
  readonly type: WebhookType | typeof testType;
  /** What it tells of an alert; absent of all others. */
  readonly alert?: AlertEventDocument;
  /** SET_ASIDE: not tried again by itself. */
  readonly state: 'PENDING' | 'DELIVERED' | 'SET_ASIDE';
  readonly attempts: number;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** Why the last attempt failed, as a symbol; null where it did not. */
  readonly error: string | null;
  /** How long the last attempt took. */
  readonly durationMs: number | null;
  /** Null if no further attempt will be made. */
  readonly nextAttemptAt: Date | null;
  /** Null before the first attempt; a replay begins anew. */
  readonly lastAttemptAt: Date | null;
  /** Since when it is to be sent: since its replay, if it was replayed. */
  readonly dueSince: Date;
  /** When this event was first to be sent to this endpoint. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface DeliveryDocument extends Delivery {
  readonly _id: string;
  readonly workspaceId: string;
  readonly endpointId: string;
}

const countWaiting = [
  { $limit: countMax },
  { $group: { _id: null, events: { $sum: 1 }, since: { $min: '$dueSince' } } },
] as const;

/** The `webhookDeliveries` collection. A delivery is removed 30 days after its last change, by MongoDB itself. */
export function openWebhookDeliveries(db: Db, clockOf: ClockOf = systemClockOf) {
  const collection: Collection<DeliveryDocument> = db.collection('webhookDeliveries');
  return {
    /**
     * Stores deliveries as they are now, in one command: one document for each, whether it was stored before or not. What was
     * stored before keeps its `createdAt`. May be repeated without harm.
     */
    async store({ workspaceId, id: endpointId }: EndpointName, deliveries: readonly Delivery[]): Promise<void> {
      if (deliveries.length === 0) return;
      const updatedAt = (await clockOf(workspaceId))();
      const updates = deliveries.map(({ createdAt, ...delivery }) => ({
        updateOne: {
          filter: { _id: deliveryId(endpointId, delivery.eventId), workspaceId },
          update: { $set: { ...delivery, endpointId, updatedAt }, $setOnInsert: { createdAt } },
          upsert: true,
        },
      }));
      await upsert(() => collection.bulkWrite(updates, { ordered: false }));
    },

    /** The delivery of an event to an endpoint, if it is kept. */
    async find({ workspaceId, id }: EndpointName, eventId: string): Promise<Delivery | undefined> {
      const document = await collection.findOne({ workspaceId, _id: deliveryId(id, eventId) });
      return document === null ? undefined : toDelivery(document);
    },

    /** Forgets old deliveries of an endpoint. It keeps the newest {@link deliveriesKept}, and those still to be sent. */
    async prune({ workspaceId, id }: EndpointName): Promise<void> {
      const all = { workspaceId, _id: { $gt: deliveryId(id, ''), $lt: endOf(id) } };
      const options = { sort: { _id: -1 }, skip: deliveriesKept, projection: { _id: 1 } } as const;
      const first = await collection.findOne(all, options);
      if (first === null) return;
      const old = { workspaceId, _id: { $gt: deliveryId(id, ''), $lte: first._id } };
      await collection.deleteMany({ ...old, state: { $ne: 'PENDING' } });
    },

    /** Forgets all deliveries of an endpoint that was removed. */
    async removeAll({ workspaceId, id }: EndpointName): Promise<void> {
      await collection.deleteMany({ workspaceId, _id: { $gt: deliveryId(id, ''), $lt: endOf(id) } });
    },

    /** Deliveries that are due, the longest due first. */
    async due(endpoint: EndpointName, now: Date, countMax: number): Promise<Delivery[]> {
      const documents = await collection
        .find({ ...pendingOf(endpoint), nextAttemptAt: { $lte: now } }, { hint: webhookIndexes.retries })
        .sort({ nextAttemptAt: 1 })
        .limit(countMax)
        .toArray();
      return documents.map(toDelivery);
    },

    /** When the next one is to be sent; undefined where none is. */
    async nextDue(endpoint: EndpointName): Promise<Date | undefined> {
      const options = { hint: webhookIndexes.retries, sort: { nextAttemptAt: 1 } } as const;
      return (await collection.findOne(pendingOf(endpoint), options))?.nextAttemptAt ?? undefined;
    },

    /** Whether at least so many deliveries are still to be sent. */
    async hasPending(endpoint: EndpointName, count: number): Promise<boolean> {
      const options = { hint: webhookIndexes.retries, limit: count } as const;
      return (await collection.countDocuments(pendingOf(endpoint), options)) === count;
    },

    /** How many deliveries are still to be sent, counted up to ten thousand, and since when the oldest has waited. */
    async waitingFor(endpoint: EndpointName): Promise<{ events: number; since: Date | undefined }> {
      const [counted] = await collection
        .aggregate<{ events: number; since: Date }>([{ $match: pendingOf(endpoint) }, ...countWaiting], {
          hint: webhookIndexes.retries,
        })
        .toArray();
      return { events: counted?.events ?? 0, since: counted?.since };
    },

    /** Deliveries, those of the newest orders first. @param below only deliveries of events older than this one. */
    async list({ workspaceId, id }: EndpointName, size: number, below?: string): Promise<Delivery[]> {
      const _id = { $gt: deliveryId(id, ''), $lt: below === undefined ? endOf(id) : deliveryId(id, below) };
      const documents = await collection.find({ workspaceId, _id }).sort({ _id: -1 }).limit(size).toArray();
      return documents.map(toDelivery);
    },
  };
}

function pendingOf({ workspaceId, id }: EndpointName) {
  return { workspaceId, endpointId: id, state: 'PENDING' } as const;
}

function toDelivery({ _id, workspaceId: _, endpointId: __, ...delivery }: DeliveryDocument): Delivery {
  return delivery;
}

function deliveryId(endpointId: string, eventId: string): string {
  return `${endpointId}.${eventId}`;
}

/** '/' is the character after '.'. */
function endOf(endpointId: string): string {
  return `${endpointId}/`;
}
