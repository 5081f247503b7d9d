import { Cluster } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../batcher.ts';
import { slotTag, type RedisClient } from './connection.ts';

/**
 * A nonce is remembered this long: a timestamp may lie 60 s ahead of the server's clock and stay valid until 60 s after
 * it, and a body may arrive up to 32 s after its headers, of which the timestamp is one. Source: docs/contract.md, "Nonce".
 */
const rememberedMs = 160_000;

/** A key's requests are counted second by second. */
const countedMs = 1_000;

/** A request of a key, counted. */
export interface Counted {
  /** The key's requests of this second, this one included. */
  readonly requestCount: number;
  /** How long until they are counted anew. */
  readonly countedForMs: number;
}

export type Nonces = ReturnType<typeof createNonces>;

/** A full batch takes half a millisecond of Redis's one thread. */
const spendMaxMs = 2_000;
/** Keys of a cluster with requests at once. One that is let go meanwhile still gets its answers. */
const groupedKeysMax = 10_000;

/**
 * Of pairs of a nonce and its key's count. One command for many requests is half of what each would cost here and there;
 * and of one key's requests in it, all are counted by one increment.
 */
const spendScript = `
local answers, fresh, counters = {}, {}, {}
for index = 1, #KEYS, 2 do
  local counter = KEYS[index + 1]
  answers[index], answers[index + 1] = 0, 0
  if redis.call('SET', KEYS[index], '', 'PX', ARGV[1], 'NX') then
    if fresh[counter] == nil then
      fresh[counter] = 0
      counters[#counters + 1] = counter
    end
    fresh[counter] = fresh[counter] + 1
    answers[index] = fresh[counter]
  end
end
local before, ttls = {}, {}
for _, counter in ipairs(counters) do
  before[counter] = redis.call('INCRBY', counter, fresh[counter]) - fresh[counter]
  ttls[counter] = redis.call('PTTL', counter)
  if ttls[counter] < 0 then
    ttls[counter] = tonumber(ARGV[2])
    redis.call('PEXPIRE', counter, ttls[counter])
  end
end
for index = 1, #KEYS, 2 do
  local counter = KEYS[index + 1]
  if answers[index] > 0 then
    answers[index], answers[index + 1] = answers[index] + before[counter], ttls[counter]
  end
end
return answers
`;

interface SpendingRedis {
  /** @returns of each pair of keys the count and its milliseconds to live; a count of 0 where the nonce was spent before. */
  spendNonces(keyCount: number, ...keysAndTimes: readonly (string | number)[]): Promise<number[]>;
}

/**
 * Nonces in Redis, each scoped to its key; one round trip a call, shared with other calls of the same moment. On a cluster
 * with those of the same key alone: other keys may lie on another node, which may be away.
 */
export function createNonces(redis: RedisClient, prefix: string) {
  redis.defineCommand('spendNonces', { lua: spendScript });
  const commands = redis as RedisClient & SpendingRedis;
  // A key's id has a fixed form without a colon, so no two (key, nonce) pairs share a name.
  const name = (keyId: string, nonce: string): string => `${prefix}:nonce:${slotTag(redis, keyId)}:${nonce}`;
  const counter = (keyId: string): string => `${prefix}:rate:key:${slotTag(redis, keyId)}`;
  const createSpend = () =>
    createBatcher({
      flushMaxMs: spendMaxMs,
      isInTime: (_, waitedMs) => waitedMs <= spendMaxMs,
      flush: async (requests: readonly { keyId: string; nonce: string }[]): Promise<(Counted | undefined)[]> => {
        const keys = requests.flatMap(({ keyId, nonce }) => [name(keyId, nonce), counter(keyId)]);
        const answers = await commands.spendNonces(keys.length, ...keys, rememberedMs, countedMs);
        return requests.map((_, index) => {
          const requestCount = answers[2 * index] ?? 0;
          const countedForMs = answers[2 * index + 1] ?? 0;
          return requestCount === 0 ? undefined : { requestCount, countedForMs };
        });
      },
    });
  const spends = new LRUCache<string, ReturnType<typeof createSpend>>({ max: groupedKeysMax, memoMethod: createSpend });
  return {
    /**
     * Records a nonce of a key, and counts the key's request. Of any number of callers at once exactly one is told a count;
     * a nonce that was spent before counts nothing, or whoever captured one request could use up its key's rate with it.
     * @returns undefined where the nonce was spent before. Throws where Redis is away.
     */
    spend: (keyId: string, nonce: string): Promise<Counted | undefined> =>
      spends.memo(redis instanceof Cluster ? keyId : 'every key')({ keyId, nonce }),
    /** Whether a nonce of a key is still to be spent; records nothing. Throws where Redis is away. */
    isUnspent: async (keyId: string, nonce: string): Promise<boolean> => (await redis.exists(name(keyId, nonce))) === 0,
  };
}
