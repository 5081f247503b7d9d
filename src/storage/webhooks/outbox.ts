import type { Collection, Db } from 'mongodb';
import type { Replay, WebhookEndpoint } from './endpoints.ts';

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

/** Where an entry has the orders of a type of event. */
const idsOf = { 'transfer.completed': '$completed', 'transfer.failed': '$failed' } as const;
const entriesCountedMax = 1_000;

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
      const events = { $sum: { $add: types.map((type) => ({ $size: idsOf[type] })) } };
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
