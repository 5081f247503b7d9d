import type { Redis } from 'ioredis';

/**
 * A nonce is remembered this long: a timestamp may lie 60 s ahead of the server's clock and stay valid until 60 s after
 * it. Source: decisions, "Nonce".
 */
const rememberedMs = 125_000;

/** A key's requests are counted second by second. */
const countedMs = 1_000;

/** A request of a key, counted. */
export interface Counted {
  /** The key's requests of this second, this one included. */
  readonly requestCount: number;
  /** How long until they are counted anew. */
  readonly countedForMs: number;
}

export interface Nonces {
  /**
   * Records a nonce of a key, and counts the key's request. Of any number of callers at once exactly one is told a count;
   * a nonce that was spent before counts nothing, or whoever captured one request could use up its key's rate with it.
   * @returns undefined where the nonce was spent before. Throws where Redis is away.
   */
  spend(keyId: string, nonce: string): Promise<Counted | undefined>;
  /** Whether a nonce of a key was spent already; records nothing. Throws where Redis is away. */
  isSpent(keyId: string, nonce: string): Promise<boolean>;
}

/** Of a nonce and a key's count; one command rather than two halves what a request costs here and in Redis. */
const spendScript = `
if not redis.call('SET', KEYS[1], '', 'PX', ARGV[1], 'NX') then return {} end
local count = redis.call('INCR', KEYS[2])
local ttl = redis.call('PTTL', KEYS[2])
if ttl < 0 then
  ttl = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return {count, ttl}
`;

interface SpendingRedis {
  spendNonce(
    nonceKey: string,
    countKey: string,
    nonceMs: number,
    countMs: number,
  ): Promise<[] | [count: number, ttlMs: number]>;
}

/** Nonces in Redis, each scoped to its key; one round trip a call, shared with other calls of the same moment. */
export function createNonces(redis: Redis, prefix: string): Nonces {
  redis.defineCommand('spendNonce', { numberOfKeys: 2, lua: spendScript });
  const commands = redis as Redis & SpendingRedis;
  // A key's id has a fixed form without a colon, so no two (key, nonce) pairs share a name.
  const name = (keyId: string, nonce: string): string => `${prefix}:nonce:${keyId}:${nonce}`;
  return {
    spend: async (keyId, nonce) => {
      const countKey = `${prefix}:rate:key:${keyId}`;
      const answer = await commands.spendNonce(name(keyId, nonce), countKey, rememberedMs, countedMs);
      if (answer.length === 0) return undefined;
      const [requestCount, countedForMs] = answer;
      return { requestCount, countedForMs };
    },
    isSpent: async (keyId, nonce) => (await redis.exists(name(keyId, nonce))) === 1,
  };
}
