import type { Collection, Db, Document, Filter, UpdateFilter } from 'mongodb';
import { operatorMaxMs } from '../shared/commands.ts';
import { systemClock, systemClockOf, type Clock, type ClockOf } from '../../clock.ts';
import { newId, timeOfId } from '../../domain/ids.ts';
import type { WebhookType } from '../../domain/webhook.ts';
import type { SealedSecret } from '../keys/api-keys.ts';
import { isServerError } from '../shared/error-codes.ts';
import { webhookIndexes } from '../schema/schema.ts';
import { withId, type Stored } from '../shared/decimal.ts';
import { IndeterminateError } from '../shared/transaction.ts';

/** The most endpoints of one workspace, whatever their status. */
export const endpointsMax = 10;

/** The reasons for which the service itself disables an endpoint. */
export const ownReasons = ['FAILING', 'GONE'] as const;

export type DisabledReason = 'REQUESTED' | (typeof ownReasons)[number];

/** An owner's call has a failing endpoint tried before its time no sooner than this after the last call that did. */
export const hastenEveryMs = 60_000;

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
  /** When a call of the owner's last ended the wait for `retryAt`; null if none has. */
  readonly hastenedAt: Date | null;
  /** When a worker is to check for something to send, even if no job says so. */
  readonly nextCheckAt: Date;
  /** When a worker last came to send what waits: a minute ago at most, but longer if the receiver fails. */
  readonly lookedAt: Date;
  /** Events that were waiting after the last run or check; counted up to a limit. */
  readonly waiting: number;
  /** Since when the oldest of them has been waiting; null if none waits. */
  readonly behindSince: Date | null;
  /** The replay under way; null if there is none. */
  readonly replay: Replay | null;
}

/** A replay sends the outbox entries after `after`, up to and including `to`. */
export interface Replay {
  readonly after: string;
  readonly to: string;
  /** Where it began. */
  readonly from: string;
  /** Whether only what became visible late is still to be sent. */
  readonly isLate?: boolean;
}

export interface EndpointDocument extends Stored<WebhookEndpoint> {
  /** A number below {@link endpointsMax}, unique in the workspace. */
  readonly slot: number;
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

/** What a run of an endpoint leaves in it. */
export interface EndpointAfterRun extends Pick<
  WebhookEndpoint,
  'failures' | 'failingSince' | 'retryAt' | 'nextCheckAt' | 'waiting' | 'behindSince'
> {
  /** Why the service disables the endpoint; undefined if it does not. */
  readonly disabledReason: (typeof ownReasons)[number] | undefined;
}

export type EndpointChange = Partial<Omit<EndpointDocument, '_id' | 'workspaceId' | 'slot'>>;

const enabled = { status: 'ENABLED', disabledReason: null, disabledAt: null } as const;

export type WebhookEndpoints = ReturnType<typeof openWebhookEndpoints>;

type EndpointCollection = Collection<EndpointDocument>;

/**
 * The `webhookEndpoints` collection. @param clock dates changes, and what workers do. @param clockOf by it endpoints are tried again,
 * and given up.
 */
export function openWebhookEndpoints(db: Db, clock: Clock = systemClock, clockOf: ClockOf = systemClockOf) {
  const collection: EndpointCollection = db.collection('webhookEndpoints', { promoteBuffers: true });
  return { ...ownersCalls(collection, clock, clockOf), ...deliverysCalls(collection, clock) };
}

/** What the owner of endpoints, and the administrator, do with them. */
function ownersCalls(collection: EndpointCollection, clock: Clock, clockOf: ClockOf) {
  return {
    /**
     * Unique indexes guard the limit, and the one endpoint for each URL, against several creates at once.
     * @param values with the URL as it is parsed.
     * @returns 'full' or 'exists' if nothing was stored.
     * @throws IndeterminateError the endpoint that is in the way is on no majority yet, as after an election.
     */
    async create(
      values: Pick<WebhookEndpoint, 'workspaceId' | 'url' | 'description' | 'events'>,
      secretOf: (id: string) => SealedSecret,
    ): Promise<WebhookEndpoint | 'full' | 'exists'> {
      const id = newId('webhook', clock());
      const createdAt = timeOfId('webhook', id);
      const endpoint: Omit<EndpointDocument, 'slot'> = {
        ...values,
        ...enabled,
        failures: 0,
        failingSince: null,
        retryAt: null,
        hastenedAt: null,
        _id: id,
        secrets: [secretOf(id)],
        createdAt,
        updatedAt: createdAt,
        nextCheckAt: createdAt,
        lookedAt: createdAt,
        waiting: 0,
        behindSince: null,
        replay: null,
      };
      const existing = await collection.find({ workspaceId: values.workspaceId }).toArray();
      if (existing.some(({ url }) => url === values.url)) return 'exists';
      for (const slot of freeSlots(existing)) {
        try {
          await collection.insertOne({ ...endpoint, slot });
          return toEndpoint({ ...endpoint, slot });
        } catch (error) {
          if (!isServerError(error, 'DuplicateKey')) throw error;
          // Another create was faster, with this URL or only with this slot. What no majority has may yet be lost.
          const stored = await collection.find({ workspaceId: values.workspaceId }).toArray();
          if (stored.some(({ url }) => url === values.url)) return 'exists';
          if (!stored.some((other) => other.slot === slot)) {
            throw new IndeterminateError('no majority has the endpoint that this one repeats');
          }
        }
      }
      return 'full';
    },

    async find(workspaceId: string, id: string): Promise<WebhookEndpoint | undefined> {
      const document = await collection.findOne({ _id: id, workspaceId });
      return document === null ? undefined : toEndpoint(document);
    },

    /** For the operator, who may not know its workspace. */
    async findAnywhere(id: string): Promise<WebhookEndpoint | undefined> {
      const document = await collection.findOne({ _id: id }, { maxTimeMS: operatorMaxMs });
      return document === null ? undefined : toEndpoint(document);
    },

    /** Of one workspace, or of all, oldest first. @param limits how long the server may take; absent: as long as it needs. */
    async list(workspaceId?: string, limits: { readonly maxTimeMS?: number } = {}): Promise<WebhookEndpoint[]> {
      const filter = workspaceId === undefined ? {} : { workspaceId };
      const documents = await collection.find(filter, limits).sort({ _id: 1 }).toArray();
      return documents.map(toEndpoint);
    },

    /**
     * Makes a change of the owner's or the administrator's.
     * @param readAt the `updatedAt` of the endpoint as it was read, for a change that depends on what was read.
     * @returns the endpoint as changed; undefined if there is none, or if it has changed since it was read.
     */
    async change(endpoint: EndpointName, change: EndpointChange, readAt?: Date): Promise<WebhookEndpoint | undefined> {
      return set(collection, { ...nameOf(endpoint), ...asReadAt(readAt) }, { $set: { ...change, updatedAt: clock() } });
    },

    /**
     * Has an endpoint checked soon. One that is backing off is tried before its time, if no call had that done within
     * {@link hastenEveryMs}; otherwise it keeps its time. What counts its failures stays as it is.
     * @param replay one to begin. @param asRead what must hold of the endpoint.
     * @returns the endpoint as changed; undefined if there is none of which that holds.
     */
    async hasten(
      endpoint: EndpointName,
      replay?: Replay,
      asRead: Filter<EndpointDocument> = {},
    ): Promise<WebhookEndpoint | undefined> {
      const isEnabled = { $eq: ['$status', 'ENABLED'] };
      // As a literal, because a stage would only add the fields to those of the replay before.
      const replaying = replay === undefined ? {} : { replay: { $literal: replay } };
      const now = (await clockOf(endpoint.workspaceId))();
      return set(collection, { ...nameOf(endpoint), ...asRead }, [
        { $set: { ...replaying, ...soonerFrom(clock(), now, isEnabled) } },
      ]);
    },

    /**
     * Enables an endpoint, and has it checked as {@link hasten} does. If the service had disabled it, it may fail for a day
     * again until that happens.
     * @param readAt as that of {@link change}. @returns as that.
     */
    async enable(endpoint: EndpointName, readAt?: Date): Promise<WebhookEndpoint | undefined> {
      const [realNow, now] = [clock(), (await clockOf(endpoint.workspaceId))()];
      const wasGivenUp = { $in: ['$disabledReason', [...ownReasons]] };
      const failingSince = { $cond: [wasGivenUp, now, '$failingSince'] };
      return set(collection, { ...nameOf(endpoint), ...asReadAt(readAt) }, [
        { $set: { ...enabled, failingSince, lookedAt: realNow, ...soonerFrom(realNow, now, true) } },
      ]);
    },

    /** Whether any secret is sealed with this version of the master key. */
    async areSealedWith(masterKeyVersion: number): Promise<boolean> {
      return (await collection.findOne({ 'secrets.masterKeyVersion': masterKeyVersion })) !== null;
    },

    /** @param readAt as that of {@link change}. @returns whether it was there, as it was read. */
    async remove(workspaceId: string, id: string, readAt?: Date): Promise<boolean> {
      return (await collection.deleteOne({ _id: id, workspaceId, ...asReadAt(readAt) })).deletedCount === 1;
    },
  };
}

function freeSlots(endpoints: readonly Pick<EndpointDocument, 'slot'>[]): number[] {
  const taken = new Set(endpoints.map(({ slot }) => slot));
  return Array.from({ length: endpointsMax }, (_, slot) => slot).filter((slot) => !taken.has(slot));
}

/** What delivery reads and records. */
function deliverysCalls(collection: EndpointCollection, clock: Clock) {
  return {
    /** What these workspaces' endpoints asked for. */
    async subscribers(workspaceIds: readonly string[]): Promise<(Subscriber & { readonly workspaceId: string })[]> {
      const documents = await collection
        .find({ workspaceId: { $in: [...workspaceIds] } }, { projection: { workspaceId: 1, events: 1, status: 1 } })
        .toArray();
      return documents.map(({ _id: endpointId, workspaceId, events, status }) => ({
        endpointId,
        workspaceId,
        events,
        isEnabled: status === 'ENABLED',
      }));
    },

    /** Endpoints whose check is due, the longest overdue first. */
    async dueChecks(now: Date, countMax: number): Promise<EndpointName[]> {
      const documents = await collection
        .find({ status: 'ENABLED', nextCheckAt: { $lte: now } }, { hint: webhookIndexes.dueChecks })
        .sort({ nextCheckAt: 1 })
        .limit(countMax)
        .project<Stored<EndpointName>>({ workspaceId: 1 })
        .toArray();
      return documents.map(withId);
    },

    /** Defers the next check of these endpoints, because one is under way. The next round finds others. */
    async deferChecks(ids: readonly string[], until: Date): Promise<void> {
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { nextCheckAt: until } });
    },

    /** Records that a worker came to an endpoint while it backs off, and when to check it again. */
    async checkLater(endpoint: EndpointName, nextCheckAt: Date): Promise<void> {
      const whileBackingOff = { ...nameOf(endpoint), retryAt: { $ne: null } };
      await collection.updateOne(whileBackingOff, { $set: { nextCheckAt, lookedAt: clock() } });
    },

    /**
     * Records what a run found, whatever the owner changed meanwhile: failures count in any case. But if an owner's call had
     * the endpoint tried before its time meanwhile, that try is still to come, and it is not disabled before it. A time for
     * the next check that a change set stays.
     * @param asRead the endpoint as it was when the run began.
     * @returns undefined if the endpoint was removed since.
     */
    async recordRun(
      asRead: WebhookEndpoint,
      { disabledReason, retryAt, nextCheckAt, ...counts }: EndpointAfterRun,
      now = clock(),
    ): Promise<WebhookEndpoint | undefined> {
      const wasChanged = { $ne: ['$updatedAt', asRead.updatedAt] };
      const wasHastened = { $ne: ['$hastenedAt', asRead.hastenedAt] };
      const isDisabled = { $and: [{ $eq: ['$status', 'ENABLED'] }, { $not: [wasHastened] }] };
      const disabled = { status: 'DISABLED', disabledReason, disabledAt: now };
      const disabling = Object.entries(disabledReason === undefined ? {} : disabled).map(([name, value]) => [
        name,
        { $cond: [isDisabled, value, `$${name}`] },
      ]);
      return set(collection, nameOf(asRead), [
        {
          $set: {
            ...counts,
            lookedAt: now,
            retryAt: { $cond: [wasHastened, '$retryAt', retryAt] },
            nextCheckAt: { $cond: [wasChanged, '$nextCheckAt', nextCheckAt] },
            ...(Object.fromEntries(disabling) as object),
          },
        },
      ]);
    },

    /** Records how far a replay has come, unless another one was asked for meanwhile. @param next null: it has ended. */
    async advanceReplay(endpoint: EndpointName, { after, to }: Replay, next: Replay | null): Promise<void> {
      const asRead = { 'replay.after': after, 'replay.to': to };
      await collection.updateOne({ ...nameOf(endpoint), ...asRead }, { $set: { replay: next } });
    },
  };
}

export type EndpointName = Pick<WebhookEndpoint, 'workspaceId' | 'id'>;

function nameOf({ workspaceId, id }: EndpointName) {
  return { _id: id, workspaceId };
}

function asReadAt(updatedAt: Date | undefined) {
  return updatedAt === undefined ? {} : { updatedAt };
}

/**
 * Stages' values for an endpoint that is to be checked soon. @param now by its workspace's clock. @param isEnabled an expression; a
 * disabled one is not tried.
 */
function soonerFrom(realNow: Date, now: Date, isEnabled: Document | true) {
  const isBackingOff = { $gt: ['$retryAt', now] };
  const isTooSoon = { $gt: ['$hastenedAt', new Date(realNow.getTime() - hastenEveryMs)] };
  const isHastened = { $and: [isEnabled, isBackingOff, { $not: [isTooSoon] }] };
  return {
    retryAt: { $cond: [isHastened, null, '$retryAt'] },
    hastenedAt: { $cond: [isHastened, realNow, '$hastenedAt'] },
    nextCheckAt: { $cond: [{ $and: [isBackingOff, { $not: [isHastened] }] }, '$nextCheckAt', realNow] },
    updatedAt: realNow,
  };
}

async function set(
  collection: EndpointCollection,
  filter: Filter<EndpointDocument>,
  update: UpdateFilter<EndpointDocument> | Document[],
): Promise<WebhookEndpoint | undefined> {
  const document = await collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
  return document === null ? undefined : toEndpoint(document);
}

function toEndpoint({ _id, slot: _slot, ...rest }: EndpointDocument): WebhookEndpoint {
  return { id: _id, ...rest };
}
