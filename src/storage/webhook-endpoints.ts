import { MongoServerError, type Collection, type Db, type Filter } from 'mongodb';
import { newId, timeOfId } from '../domain/ids.ts';
import type { WebhookType } from '../domain/webhook.ts';
import type { SealedSecret } from './api-keys.ts';
import { errorCodes } from './error-codes.ts';
import { webhookIndexes } from './schema.ts';
import type { Stored } from './stored.ts';
import { UnsettledError } from './transaction.ts';
import type { Subscriber } from './webhook-outbox.ts';

/** The most endpoints of one workspace, whatever their status. */
export const endpointsMax = 10;

export type DisabledReason = 'REQUESTED' | 'FAILING' | 'GONE';

/** Where a workspace's events are sent. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookType[];
  readonly status: 'ENABLED' | 'DISABLED';
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly secrets: readonly SealedSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** How many runs in a row have failed since an event was last delivered. */
  readonly failures: number;
  readonly failingSince: Date | null;
  /** Nothing is sent before this time; null if nothing stands in the way. */
  readonly retryAt: Date | null;
  /** When a worker is to look for something to send, even if no job says so. */
  readonly nextCheckAt: Date;
  /** When a worker last came to send what waits: a minute ago at most, but longer if the receiver fails. */
  readonly lookedAt: Date;
  /** Events that were waiting when the endpoint was last looked at; counted up to a limit. */
  readonly waiting: number;
  /** Since when the oldest of them has been waiting; null if none waits. */
  readonly behindSince: Date | null;
  /** A replay under way: it sends the outbox entries after `after`, up to and including `to`; null if there is none. */
  readonly replay: { readonly after: string; readonly to: string } | null;
}

export interface EndpointDocument extends Stored<WebhookEndpoint> {
  /** A number below {@link endpointsMax}, unique in the workspace. */
  readonly slot: number;
}

/** The state of an endpoint that delivery updates. */
export type EndpointState = Pick<
  WebhookEndpoint,
  | ('failures' | 'failingSince' | 'retryAt' | 'nextCheckAt' | 'waiting' | 'behindSince' | 'replay')
  | ('status' | 'disabledReason' | 'disabledAt')
>;

/** The state of an endpoint that is enabled: earlier failures no longer count. */
export const enabledAnew = {
  ...{ status: 'ENABLED', disabledReason: null, disabledAt: null },
  ...{ failures: 0, failingSince: null, retryAt: null },
} as const satisfies Partial<EndpointState>;

export type EndpointChange = Partial<Pick<WebhookEndpoint, 'secrets' | 'lookedAt'> & EndpointState>;

export type WebhookEndpoints = ReturnType<typeof openWebhookEndpoints>;

type EndpointCollection = Collection<EndpointDocument>;

/** The `webhookEndpoints` collection. */
export function openWebhookEndpoints(db: Db) {
  const collection: EndpointCollection = db.collection('webhookEndpoints', { promoteBuffers: true });
  return { ...ownersCalls(collection), ...deliverysCalls(collection) };
}

/** What the owner of endpoints, and the administrator, do with them. */
function ownersCalls(collection: EndpointCollection) {
  return {
    /**
     * Unique indexes guard the limit, and the one endpoint for each URL, against several creates at once.
     * @returns 'full' or 'exists' if nothing was stored.
     * @throws UnsettledError the endpoint that is in the way is on no majority yet, as after an election.
     */
    async create(
      values: Pick<WebhookEndpoint, 'workspaceId' | 'url' | 'description' | 'events'>,
      secretOf: (id: string) => SealedSecret,
    ): Promise<WebhookEndpoint | 'full' | 'exists'> {
      const id = newId('webhook');
      const createdAt = timeOfId('webhook', id);
      const endpoint: Omit<EndpointDocument, 'slot'> = {
        ...values,
        ...enabledAnew,
        ...{ _id: id, secrets: [secretOf(id)], createdAt, updatedAt: createdAt },
        ...{ nextCheckAt: createdAt, lookedAt: createdAt, waiting: 0, behindSince: null, replay: null },
      };
      const found = await collection.find({ workspaceId: values.workspaceId }).toArray();
      const taken = new Set(found.map(({ slot }) => slot));
      const free = Array.from({ length: endpointsMax }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      for (const slot of free) {
        try {
          await collection.insertOne({ ...endpoint, slot });
          return toEndpoint({ ...endpoint, slot });
        } catch (error) {
          if (!(error instanceof MongoServerError) || error.code !== errorCodes.DuplicateKey) throw error;
          // Another create was faster, with this URL or only with this slot. What no majority has may yet be lost.
          const stored = await collection.find({ workspaceId: values.workspaceId }).toArray();
          if (stored.some(({ url }) => url === values.url)) return 'exists';
          if (!stored.some((other) => other.slot === slot)) {
            throw new UnsettledError('no majority has the endpoint that this one repeats');
          }
        }
      }
      return found.some(({ url }) => url === values.url) ? 'exists' : 'full';
    },

    async find(workspaceId: string, id: string): Promise<WebhookEndpoint | undefined> {
      const document = await collection.findOne({ _id: id, workspaceId });
      return document === null ? undefined : toEndpoint(document);
    },

    /** Of one workspace, or of all, oldest first. */
    async list(workspaceId?: string): Promise<WebhookEndpoint[]> {
      const filter = workspaceId === undefined ? {} : { workspaceId };
      const documents = await collection.find(filter).sort({ _id: 1 }).toArray();
      return documents.map(toEndpoint);
    },

    /**
     * Makes a change of the owner's or the administrator's.
     * @param readAt the `updatedAt` of the endpoint as it was read, for a change that depends on what was read.
     * @returns the endpoint as changed; undefined if there is none, or if it has changed since it was read.
     */
    async change(
      { workspaceId, id }: Pick<WebhookEndpoint, 'workspaceId' | 'id'>,
      change: EndpointChange,
      readAt?: Date,
    ): Promise<WebhookEndpoint | undefined> {
      const read = readAt === undefined ? {} : { updatedAt: readAt };
      return set(collection, { _id: id, workspaceId, ...read }, { ...change, updatedAt: new Date() });
    },

    /** Notes how far a replay has come, unless another one was asked for meanwhile. */
    async advanceReplay({ workspaceId, id, replay }: WebhookEndpoint, after: string | undefined): Promise<void> {
      if (replay === null) return;
      const next = after === undefined ? null : { ...replay, after };
      const asRead = { 'replay.after': replay.after, 'replay.to': replay.to };
      await collection.updateOne({ _id: id, workspaceId, ...asRead }, { $set: { replay: next } });
    },

    /** Every version of the master key that a secret is sealed with. */
    async masterKeyVersions(): Promise<number[]> {
      const versions: readonly unknown[] = await collection.distinct('secrets.masterKeyVersion');
      return versions.map(Number);
    },

    async areSealedWith(masterKeyVersion: number): Promise<boolean> {
      return (await collection.findOne({ 'secrets.masterKeyVersion': masterKeyVersion })) !== null;
    },

    async remove(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.deleteOne({ _id: id, workspaceId })).deletedCount === 1;
    },
  };
}

/** What delivery reads and records. */
function deliverysCalls(collection: EndpointCollection) {
  return {
    /** What these workspaces' endpoints asked for. */
    async subscribers(workspaceIds: readonly string[]): Promise<(Subscriber & { readonly workspaceId: string })[]> {
      const documents = await collection
        .find({ workspaceId: { $in: [...workspaceIds] } })
        .project<Pick<EndpointDocument, '_id' | 'workspaceId' | 'events' | 'status'>>({
          ...{ workspaceId: 1, events: 1, status: 1 },
        })
        .toArray();
      return documents.map(({ _id: endpointId, workspaceId, events, status }) => ({
        ...{ endpointId, workspaceId, events },
        isEnabled: status === 'ENABLED',
      }));
    },

    /** Endpoints whose check is due, the longest overdue first. */
    async dueChecks(
      now: Date,
      countMax: number,
    ): Promise<Pick<WebhookEndpoint, 'id' | 'workspaceId' | 'nextCheckAt'>[]> {
      const documents = await collection
        .find({ status: 'ENABLED', nextCheckAt: { $lte: now } }, { hint: webhookIndexes.dueChecks })
        .sort({ nextCheckAt: 1 })
        .limit(countMax)
        .project<Pick<EndpointDocument, '_id' | 'workspaceId' | 'nextCheckAt'>>({ workspaceId: 1, nextCheckAt: 1 })
        .toArray();
      return documents.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
    },

    /** Defers the next check of these endpoints, because they are being looked at. The next round finds others. */
    async deferChecks(ids: readonly string[], until: Date): Promise<void> {
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { nextCheckAt: until } });
    },

    /** Records the state that delivery found. @returns undefined if the endpoint was changed, disabled or removed since. */
    async note(
      { workspaceId, id, updatedAt }: Pick<WebhookEndpoint, 'workspaceId' | 'id' | 'updatedAt'>,
      state: Partial<EndpointState>,
    ): Promise<WebhookEndpoint | undefined> {
      const asRead = { _id: id, workspaceId, status: 'ENABLED', updatedAt } as const;
      return set(collection, asRead, { ...state, lookedAt: new Date() });
    },
  };
}

async function set(
  collection: EndpointCollection,
  filter: Filter<EndpointDocument>,
  values: object,
): Promise<WebhookEndpoint | undefined> {
  const document = await collection.findOneAndUpdate(filter, { $set: values }, { returnDocument: 'after' });
  return document === null ? undefined : toEndpoint(document);
}

function toEndpoint({ _id, slot: _slot, ...rest }: EndpointDocument): WebhookEndpoint {
  return { id: _id, ...rest };
}
