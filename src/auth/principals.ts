import { LRUCache } from 'lru-cache';
import type { ApiKey, ApiKeys, KeyRate, Scope } from '../storage/apiKeys.ts';
import type { Workspaces } from '../storage/workspaces.ts';
import { parseNetwork } from './address.ts';
import type { Network } from './address.ts';
import { openSecret } from './secrets.ts';
import type { MasterKeys } from './secrets.ts';

/** Everything the pipeline has to know of a key, its owner and its workspace. */
export interface Principal {
  readonly keyId: string;
  readonly workspaceId: string;
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

export interface Principals {
  /** @returns undefined where there is no such key. Throws where MongoDB is away. */
  find(keyId: string): Promise<Principal | undefined>;
  /** Reads everything anew from now on: something was changed. */
  forget(): void;
}

/** A change by the administrator bites within a second on every process, also where the word of it gets lost. */
const rememberedMs = 900;
const refreshAheadMs = 450;
const rememberedMax = 10_000;

const absent = Symbol('no such key');
type Known = Principal | typeof absent;

interface PrincipalSources {
  readonly apiKeys: ApiKeys;
  readonly workspaces: Workspaces;
  readonly masterKeys: MasterKeys;
}

/**
 * Keys with their workspaces, read at most once in {@link rememberedMs}, however many requests ask at once; one that is
 * asked for late in that time is read anew in the background, so that under load no request waits for it.
 */
export function createPrincipals({ apiKeys, workspaces, masterKeys }: PrincipalSources): Principals {
  const cache = new LRUCache<string, Known>({ max: rememberedMax, ttl: rememberedMs, perf: performance });
  const underWay = new Map<string, Promise<Known>>();

  async function read(keyId: string): Promise<Known> {
    const key = await apiKeys.find(keyId);
    if (key === undefined) return absent;
    const [workspace, ownerIsMember] = await Promise.all([
      workspaces.find(key.workspaceId),
      workspaces.isMember(key.workspaceId, key.ownerId),
    ]);
    return toPrincipal(key, workspace !== undefined, ownerIsMember, masterKeys);
  }

  function refresh(keyId: string): Promise<Known> {
    const begun = underWay.get(keyId);
    if (begun !== undefined) return begun;
    const reading = read(keyId)
      .then((known) => {
        // What was begun before a change was announced may have missed it.
        if (underWay.get(keyId) === reading) cache.set(keyId, known);
        return known;
      })
      .finally(() => {
        if (underWay.get(keyId) === reading) underWay.delete(keyId);
      });
    underWay.set(keyId, reading);
    return reading;
  }

  return {
    find: async (keyId) => {
      let known = cache.get(keyId);
      if (known === undefined) known = await refresh(keyId);
      // Where it fails, a later request finds nothing remembered and meets the error itself.
      else if (cache.getRemainingTTL(keyId) < refreshAheadMs) refresh(keyId).catch(() => undefined);
      return known === absent ? undefined : known;
    },
    forget: () => {
      cache.clear();
      underWay.clear();
    },
  };
}

function toPrincipal(key: ApiKey, workspaceExists: boolean, ownerIsMember: boolean, masterKeys: MasterKeys): Principal {
  const secrets = key.secrets.map((sealed) => ({
    text: openSecret(sealed, key.id, masterKeys),
    expiresAt: sealed.expiresAt,
  }));
  return {
    keyId: key.id,
    workspaceId: key.workspaceId,
    isEnabled: key.status === 'ENABLED',
    workspaceExists,
    ownerIsMember,
    scopes: new Set(key.scopes),
    whitelist: key.ipWhitelist.length === 0 ? undefined : key.ipWhitelist.flatMap((entry) => parseNetwork(entry) ?? []),
    rate: key.rate ?? undefined,
    secrets: (now) => secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ text }) => text),
  };
}
