import { LRUCache } from 'lru-cache';
import { createBatcher } from '../batcher.ts';
import { createFreshCache } from '../cache.ts';
import { startRounds } from '../rounds.ts';
import type { ApiKey, ApiKeys, KeyRate, Scope } from '../storage/api-keys.ts';
import type { ThroughFailover } from '../storage/failover.ts';
import type { Workspaces } from '../storage/workspaces.ts';
import { parseNetwork, type Network } from './address.ts';
import { openSecret, type MasterKeys } from './secrets.ts';

/** Everything the pipeline has to know of a key, its owner and its workspace. */
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
  /** Undefined where the settings' rate for every key holds. */
  readonly rate: KeyRate | undefined;
  /** The secrets valid now: two during the overlap of a rotation. */
  secrets(now: Date): readonly string[];
}

export type Principals = ReturnType<typeof createPrincipals>;

/** A change by the administrator bites within a second on every process, also where the word of it gets lost. */
const rememberedMs = 900;
const rememberedMax = 10_000;
/** Keys asked for this lately are read anew in the background, so that no request of theirs waits for a query. */
const inUseMs = 60_000;
const inUseMax = 1_000;
const refreshEveryMs = 400;
const refreshMaxMs = 12_000;

const absent = Symbol('no such key');
type Known = Principal | typeof absent;

interface PrincipalSources {
  readonly apiKeys: Pick<ApiKeys, 'findMany'>;
  readonly workspaces: Pick<Workspaces, 'existing' | 'areMembers'>;
  readonly masterKeys: MasterKeys;
  readonly throughFailover: ThroughFailover;
}

/**
 * Keys with their workspaces, never older than {@link rememberedMs}. Those in use are read in the background, all of them
 * by one set of queries a round, however many there are and however many requests ask; one that is new, or was not asked
 * for in a while, is read while its request waits.
 */
export function createPrincipals(sources: PrincipalSources) {
  const cache = createFreshCache<Known>({ max: rememberedMax, ttlMs: rememberedMs });
  const inUse = new LRUCache<string, true>({ max: inUseMax, ttl: inUseMs, perf: performance });

  async function read(keyIds: readonly string[]): Promise<Map<string, Known | Error>> {
    if (keyIds.length === 0) return new Map();
    const keep = cache.begin();
    const found = await readPrincipals(keyIds, sources);
    const known = new Map<string, Known | Error>(keyIds.map((id) => [id, found.get(id) ?? absent]));
    for (const [id, one] of known) if (!(one instanceof Error)) keep(id, one);
    return known;
  }

  const readOne = createBatcher<string, Known>({
    flush: async (keyIds): Promise<(Known | Error)[]> => {
      // What another batch has read meanwhile is not read again.
      const remembered = new Map<string, Known | undefined>(keyIds.map((id) => [id, cache.get(id)]));
      const found = await read([...remembered.keys()].filter((id) => remembered.get(id) === undefined));
      return keyIds.map((id) => remembered.get(id) ?? found.get(id) ?? absent);
    },
  });

  const rounds = startRounds({
    everyMs: refreshEveryMs,
    roundMaxMs: refreshMaxMs,
    round: async () => {
      await read([...inUse.keys()]);
    },
  });

  function use(keyId: string, known: Known | undefined): Principal | undefined {
    if (known === undefined || known === absent) return undefined;
    inUse.set(keyId, true);
    return known;
  }

  return {
    /** What is remembered of a key, without asking anyone; undefined where that is nothing, or no such key. */
    remembered: (keyId: string): Principal | undefined => use(keyId, cache.get(keyId)),
    /**
     * Waits out an election rather than take what was remembered for longer.
     * @returns undefined where there is no such key. Throws where MongoDB is away for longer than that, or than the time left.
     */
    find: async (keyId: string, timeLeftMs: () => number): Promise<Principal | undefined> => {
      const known = cache.get(keyId) ?? (await sources.throughFailover(() => readOne(keyId), timeLeftMs));
      return use(keyId, known);
    },
    /** Reads everything anew from now on: something was changed. */
    forget: cache.forget,
    /** Stops reading in the background. */
    close: () => rounds.close(),
  };
}

/** By key, of those that exist; an error where a key's secret cannot be opened, which is no matter of the others. */
async function readPrincipals(
  keyIds: readonly string[],
  { apiKeys, workspaces, masterKeys }: PrincipalSources,
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
        return [key.id, error instanceof Error ? error : new Error(String(error))];
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
