import type { Collection, Db } from 'mongodb';
import { leastIdAt, timeOfId } from '../../domain/ids.ts';
import type { WebhookType } from '../../domain/webhook.ts';

/** The ids of the orders that one group settled in one workspace, and the endpoints that they are still to be sent to. */
export interface OutboxEntry {
  readonly _id: string;
  readonly workspaceId: string;
  readonly completed: readonly string[];
  readonly failed: readonly string[];
  /** Endpoints that it is still to be sent to. */
  readonly pending: readonly string[];
  /** Endpoints that asked for it and were disabled then; absent if there were none. A replay may still send it to them. */
  readonly missedBy?: readonly string[];
  readonly createdAt: Date;
}

/** An endpoint and the events that it asked for. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: readonly WebhookType[];
  /** A disabled one is sent nothing now, but a replay may send it what it missed. */
  readonly isEnabled: boolean;
}

/** Endpoints by workspace. A workspace without any is absent. */
export type Subscribers = ReadonlyMap<string, readonly Subscriber[]>;

interface WaitingEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly events: readonly WebhookType[];
}

/** Where an entry has the orders of a type of event. */
const idsOf = { 'transfer.completed': '$completed', 'transfer.failed': '$failed' } as const;
const entriesCountedMax = 1_000;

/** Matches entries that are still to be sent. The index of `pending` has no key of one that all its endpoints have. */
export const isPending = { pending: { $gt: '' } } as const;

/** The `webhookOutbox` collection. Its entries are removed after 30 days, by MongoDB itself. */
export function openWebhookOutbox(db: Db) {
  const collection: Collection<OutboxEntry> = db.collection('webhookOutbox');
  return {
    /** The oldest entries that are still to be sent to an endpoint. */
    async pendingFor(workspaceId: string, endpointId: string, countMax: number): Promise<OutboxEntry[]> {
      return collection.find({ workspaceId, pending: endpointId }).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** How many events are still to be sent to an endpoint, counted up to a limit, and since when the oldest has waited. */
    async waitingFor(endpoint: WaitingEndpoint): Promise<{ events: number; since: Date | undefined }> {
      const { workspaceId, id: endpointId } = endpoint;
      const events = { $sum: { $add: endpoint.events.map((type) => ({ $size: idsOf[type] })) } };
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

    /** Entries of a workspace after `after`, up to and including `to`, oldest first, whoever has had them. */
    async between(
      { workspaceId, after, to }: { workspaceId: string; after: string; to: string },
      countMax: number,
    ): Promise<OutboxEntry[]> {
      const _id = { $gt: after, $lte: to };
      return collection.find({ workspaceId, _id }).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** Of the entries of {@link between} those that an endpoint missed, and was not sent by a replay either. */
    async missedBetween(
      { workspaceId, after, to }: { workspaceId: string; after: string; to: string },
      endpointId: string,
      countMax: number,
    ): Promise<OutboxEntry[]> {
      const missed = { workspaceId, _id: { $gt: after, $lte: to }, missedBy: endpointId };
      return collection.find(missed).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** Records that each event of an entry has become a delivery to an endpoint. */
    async settle({ workspaceId, _id }: OutboxEntry, endpointId: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id }, { $pull: { pending: endpointId, missedBy: endpointId } });
    },
  };
}

/** The time up to which an end of {@link outboxEnd} reaches. */
export function timeOfOutboxEnd(end: string): Date {
  return new Date(timeOfId('webhookBatch', end).getTime() - 1);
}

/** After every entry that was written until a time. */
export function outboxEnd(time: Date): string {
  return outboxStart(new Date(time.getTime() + 1));
}

/** Before every entry that is written from a time on. */
export function outboxStart(time: Date): string {
  return leastIdAt('webhookBatch', time);
}
