import { LRUCache } from 'lru-cache';
import { createBatcher } from '../waiting/batcher.ts';
import { toError } from '../errors.ts';
import { FreshCache } from '../cache.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { Scope } from '../domain/scopes.ts';
import type { ApiKey, ApiKeys, KeyRate } from '../storage/keys/api-keys.ts';
import { createThroughFailover, type ThroughFailover } from '../waiting/failover.ts';
import { isTransientFault } from '../storage/shared/transaction.ts';
import type { Workspaces } from '../storage/workspaces.ts';
import { parseNetwork, type Network } from '../address.ts';
import { openSecret, type MasterKeys } from './secrets.ts';

/** Everything that the pipeline has to know about a key, its owner and its workspace. */
export interface Principal {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly isEnabled: boolean;
  readonly workspaceExists: boolean;
  readonly ownerIsMember: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined where the key may be used from anywhere. */
  readonly whitelist: readonly Network[] | undefined;
  /** Undefined if the settings' rate for all keys applies. */
  readonly rate: KeyRate | undefined;
  /** The secrets valid now: two during the overlap of a rotation. */
  secrets(now: Date): readonly string[];
}

/** So a change by the administrator takes effect within a second in every process, even if its announcement is lost. */
const rememberedMs = 900;
const rememberedMax = 10_000;
/** Keys used within this time are read again in the background, so that none of their requests waits for a query. */
const inUseMs = 60_000;
const inUseMax = 1_000;
/** How many look-ups of keys that are not in use may be under way, or wait for the end of an election. */
export const coldLookupsMax = 1_024;
/** Stands for the workspace of every key that is not in use. */
const unknownWorkspace = 'unknown';
const usualRefreshEveryMs = 400;
const refreshMaxMs = 12_000;

const absent = Symbol('no such key');
type CachedPrincipal = Principal | typeof absent;

interface StoredPrincipals {
  readonly apiKeys: Pick<ApiKeys, 'findMany'>;
  readonly workspaces: Pick<Workspaces, 'existing' | 'areMembers'>;
}

export type Principals = ReturnType<typeof createPrincipals>;

/**
 * Keys with their workspaces and owners, never older than {@link rememberedMs}. The keys in use are read in the background:
 * one set of queries a round, however many requests ask for them. A key that is new, or was not used for a while, is read
 * while its request waits.
 * @param throughFailover for keys in use; others have permits of their own.
 * @param refreshEveryMs the pause between reads of the keys in use.
 */
export function createPrincipals(
  stored: StoredPrincipals,
  masterKeys: MasterKeys,
  throughFailover: ThroughFailover,
  refreshEveryMs = usualRefreshEveryMs,
) {
  // Nothing is signed yet, so invented key ids must not take the places of clients who wait for their transfers.
  const throughFailoverCold = createThroughFailover(isTransientFault, {
    max: coldLookupsMax,
    ofKeyMax: coldLookupsMax,
  });
  const cache = new FreshCache<CachedPrincipal>({ max: rememberedMax, ttlMs: rememberedMs });
  /** By key, its workspace. */
  const inUse = new LRUCache<string, string>({ max: inUseMax, ttl: inUseMs, perf: performance });
  const readOne = createBatcher<string, CachedPrincipal>(readMissing);

  function use(keyId: string, cached: CachedPrincipal | undefined): Principal | undefined {
    if (cached === undefined || cached === absent) return undefined;
    inUse.set(keyId, cached.workspaceId);
    return cached;
  }

  /** Keys that another batch has read meanwhile are not read again. */
  async function readMissing(keyIds: readonly string[]): Promise<(CachedPrincipal | Error)[]> {
    const remembered = new Map<string, CachedPrincipal | undefined>(keyIds.map((id) => [id, cache.get(id)]));
    const justRead = await read([...remembered.keys()].filter((id) => remembered.get(id) === undefined));
    return keyIds.map((id) => remembered.get(id) ?? justRead.get(id) ?? absent);
  }

  async function read(keyIds: readonly string[]): Promise<Map<string, CachedPrincipal | Error>> {
    if (keyIds.length === 0) return new Map();
    const keep = cache.begin();
    const principals = await readPrincipals(keyIds, stored, masterKeys);
    const byId = new Map<string, CachedPrincipal | Error>(keyIds.map((id) => [id, principals.get(id) ?? absent]));
    for (const [id, one] of byId) if (!(one instanceof Error)) keep(id, one);
    return byId;
  }

  const rounds = startRounds({
    everyMs: refreshEveryMs,
    roundMaxMs: refreshMaxMs,
    round: () => read([...inUse.keys()]),
  });

  return {
    /** What is remembered of a key, without a query; undefined if nothing is, or if there is no such key. */
    remembered: (keyId: string): Principal | undefined => use(keyId, cache.get(keyId)),
    /**
     * Finds a key. During an election it waits, and does not use what was remembered for too long.
     * @returns undefined if there is no such key. Throws if MongoDB is away for longer than an election or the time left.
     */
    async find(keyId: string, timeLeftMs: () => number): Promise<Principal | undefined> {
      const remembered = cache.get(keyId);
      if (remembered !== undefined) return use(keyId, remembered);
      const workspaceId = inUse.get(keyId);
      const through = workspaceId === undefined ? throughFailoverCold : throughFailover;
      return use(keyId, await through(workspaceId ?? unknownWorkspace, () => readOne(keyId), timeLeftMs));
    },
    /** Forgets all keys, because something was changed. */
    forget: (): void => {
      cache.forget();
    },
    /** Stops reading in the background. */
    close: (): Promise<void> => rounds.close(),
  };
}

/** By key id, for keys that exist; an error for a key whose secret cannot be opened, so that the others still work. */
async function readPrincipals(
  keyIds: readonly string[],
  { apiKeys, workspaces }: StoredPrincipals,
  masterKeys: MasterKeys,
): Promise<Map<string, Principal | Error>> {
  const keys = await apiKeys.findMany(keyIds);
  if (keys.length === 0) return new Map();
  const [existing, areMembers] = await Promise.all([
    workspaces.existing(keys.map(({ workspaceId }) => workspaceId)),
    workspaces.areMembers(keys.map(({ workspaceId, ownerId }) => ({ workspaceId, userId: ownerId }))),
  ]);
  return new Map<string, Principal | Error>(
    keys.map((key, index) => {
      const workspaceExists = existing.has(key.workspaceId);
      try {
        return [key.id, toPrincipal(key, workspaceExists, areMembers[index] === true, masterKeys)];
      } catch (error) {
        return [key.id, toError(error)];
      }
    }),
  );
}

function toPrincipal(key: ApiKey, workspaceExists: boolean, ownerIsMember: boolean, masterKeys: MasterKeys): Principal {
  const secrets = key.secrets.map((sealed) => ({
    text: openSecret(sealed, key.id, masterKeys),
    expiresAt: sealed.expiresAt,
  }));
  return {
    keyId: key.id,
    workspaceId: key.workspaceId,
    ownerId: key.ownerId,
    isEnabled: key.status === 'ENABLED',
    workspaceExists,
    ownerIsMember,
    scopes: new Set(key.scopes),
    whitelist: key.ipWhitelist.length === 0 ? undefined : key.ipWhitelist.flatMap((entry) => parseNetwork(entry) ?? []),
    rate: key.rate ?? undefined,
    secrets: (now) => secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ text }) => text),
  };
}
