import type { Collection, Db } from 'mongodb';
import type { Posting } from '../domain/fold-orders.ts';
import { leastIdAt, newId } from '../domain/ids.ts';
import type { WebhookType } from '../domain/webhook.ts';

/** What one group settled in one workspace, and who is still to be told. Of each order its id: all else it has itself. */
export interface OutboxEntry {
  readonly _id: string;
  readonly workspaceId: string;
  readonly completed: readonly string[];
  readonly failed: readonly string[];
  /** Endpoints that are still to be told. */
  readonly pending: readonly string[];
  readonly createdAt: Date;
}

/** An endpoint and the events that it asked for. */
export interface Subscriber {
  readonly endpointId: string;
  readonly events: readonly WebhookType[];
  /** One that is not is told of nothing now, but may be by a replay. */
  readonly isEnabled: boolean;
}

/** By workspace; of workspaces that have no endpoint nothing. */
export type Subscribers = ReadonlyMap<string, readonly Subscriber[]>;

const entriesCountedMax = 1_000;

/** Who has been told of all is in no key of the index of what is pending. */
export const isPending = { pending: { $gt: '' } } as const;

/**
 * What a posting leaves for webhooks: an entry a workspace, none for a workspace where nobody asked for what happened. An
 * endpoint that is disabled asks for the entry alone, to have it replayed. Written in the posting's own transaction, so that it
 * is there if and only if the orders are settled.
 */
export function outboxOf({ completed, failed, settled, postedAt }: Posting, subscribers: Subscribers): OutboxEntry[] {
  if (subscribers.size === 0) return [];
  const workspaceOf = (id: string): string => settled.get(id)?.workspaceId ?? '';
  const completedOf = Map.groupBy(completed, workspaceOf);
  const failedOf = Map.groupBy([...failed.values()].flat(), workspaceOf);
  return [...subscribers].flatMap(([workspaceId, endpoints]) => {
    const ids = { completed: completedOf.get(workspaceId) ?? [], failed: failedOf.get(workspaceId) ?? [] };
    const isTold = ({ events }: Subscriber): boolean =>
      (ids.completed.length > 0 && events.includes('transfer.completed')) ||
      (ids.failed.length > 0 && events.includes('transfer.failed'));
    const told = endpoints.filter(isTold);
    if (told.length === 0) return [];
    const pending = told.filter(({ isEnabled }) => isEnabled).map(({ endpointId }) => endpointId);
    return [{ _id: newId('webhookBatch'), workspaceId, ...ids, pending, createdAt: postedAt }];
  });
}

/** The `webhookOutbox` collection. Its entries are removed after 30 days, by MongoDB itself. */
export function openWebhookOutbox(db: Db) {
  const collection: Collection<OutboxEntry> = db.collection('webhookOutbox');
  return {
    /** The oldest entries that an endpoint is still to be told of. */
    async pendingFor(workspaceId: string, endpointId: string, countMax: number): Promise<OutboxEntry[]> {
      return collection.find({ workspaceId, pending: endpointId }).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** How many events an endpoint is still to be told of, and since when; counted up to a limit. */
    async waitingFor(workspaceId: string, endpointId: string): Promise<{ events: number; since: Date | undefined }> {
      const events = { $sum: { $add: [{ $size: '$completed' }, { $size: '$failed' }] } };
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

    /** Entries of a workspace after one, up to and with another, oldest first; whoever has been told of them. */
    async between(workspaceId: string, after: string, to: string, countMax: number): Promise<OutboxEntry[]> {
      const _id = { $gt: after, $lte: to };
      return collection.find({ workspaceId, _id }).sort({ _id: 1 }).limit(countMax).toArray();
    },

    /** Notes that an endpoint was told of an entry, or that each of its events is remembered by itself. */
    async settle({ workspaceId, _id }: OutboxEntry, endpointId: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id }, { $pull: { pending: endpointId } });
    },
  };
}

/** After every entry that was written until a time. */
export function outboxEnd(time: Date): string {
  return outboxStart(new Date(time.getTime() + 1));
}

/** Before every entry that is written from a time on. */
export function outboxStart(time: Date): string {
  return leastIdAt('webhookBatch', time);
}
