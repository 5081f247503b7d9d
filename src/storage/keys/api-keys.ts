import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import type { Scope } from '../../domain/scopes.ts';
import { inOneReply } from '../shared/commands.ts';
import { withId, type Stored } from '../shared/decimal.ts';

/** An API secret, encrypted with the master key of that version (AES-256-GCM). */
export interface SealedSecret {
  readonly masterKeyVersion: number;
  /** 12 bytes of initialisation vector, the ciphertext, 16 bytes of tag. */
  readonly sealed: Uint8Array;
  readonly createdAt: Date;
  /** When a secret that was rotated out stops being valid; null for the current one. */
  readonly expiresAt: Date | null;
}

/** How many requests a key may make: `perSecond`, and up to `burst` in one second now and then. */
export interface KeyRate {
  readonly perSecond: number;
  /** At least `perSecond`. */
  readonly burst: number;
}

export interface ApiKey {
  /** The public identifier, sent in `X-Api-Key`. */
  readonly id: string;
  readonly workspaceId: string;
  /** The user who owns the key. It works only while that user is a member of the workspace. */
  readonly ownerId: string;
  readonly scopes: readonly Scope[];
  readonly status: 'ENABLED' | 'DISABLED';
  /** Addresses and CIDRs; empty where any address may use the key. */
  readonly ipWhitelist: readonly string[];
  /** Absent or null if the settings' rate for all keys applies. */
  readonly rate?: KeyRate | null;
  readonly secrets: readonly SealedSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type ApiKeyDocument = Stored<ApiKey>;

/** What the administrator may change of a key. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'scopes' | 'status' | 'ipWhitelist' | 'rate' | 'secrets'>>;

export type ApiKeys = ReturnType<typeof openApiKeys>;

/** The `apiKeys` collection. */
export function openApiKeys(db: Db, clock: Clock = systemClock) {
  const collection: Collection<ApiKeyDocument> = db.collection('apiKeys', { promoteBuffers: true });
  return {
    async insert({ id, ...key }: ApiKey): Promise<void> {
      await collection.insertOne({ _id: id, ...key });
    },

    async find(id: string): Promise<ApiKey | undefined> {
      const document = await collection.findOne({ _id: id });
      return document === null ? undefined : withId(document);
    },

    /** Those of the keys that exist, in no order. */
    async findMany(ids: readonly string[]): Promise<ApiKey[]> {
      const documents = await collection.find({ _id: { $in: [...ids] } }, inOneReply(ids.length)).toArray();
      return documents.map(withId);
    },

    /** Keys of one workspace, or of all, oldest first. */
    async list(workspaceId?: string): Promise<ApiKey[]> {
      const filter = workspaceId === undefined ? {} : { workspaceId };
      const documents = await collection.find(filter).sort({ _id: 1 }).toArray();
      return documents.map(withId);
    },

    /** Whether any secret is sealed with this version of the master key. */
    async areSealedWith(masterKeyVersion: number): Promise<boolean> {
      return (await collection.findOne({ 'secrets.masterKeyVersion': masterKeyVersion })) !== null;
    },

    /**
     * @param readAt the `updatedAt` of the key as it was read, for a change that depends on what was read.
     * @returns the key as changed; undefined if there is none, or if it has changed since it was read.
     */
    async change(id: string, change: ApiKeyChange, readAt?: Date): Promise<ApiKey | undefined> {
      const document = await collection.findOneAndUpdate(
        readAt === undefined ? { _id: id } : { _id: id, updatedAt: readAt },
        { $set: { ...change, updatedAt: clock() } },
        { returnDocument: 'after' },
      );
      return document === null ? undefined : withId(document);
    },
  };
}
