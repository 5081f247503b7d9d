import { Cluster } from 'ioredis';
import { createBatcher, createBatchers } from '../waiting/batcher.ts';
import { slotTag, type RedisClient } from './connection.ts';

/**
 * How long a nonce is remembered. A timestamp may lie 60 s ahead of the server's clock, is valid until 60 s after its time,
 * and comes with the headers, after which the body may take up to 32 s. Source: docs/contract.md, "Nonce".
 */
const rememberedMs = 160_000;

/** A key's requests are counted second by second. */
export const countedMs = 1_000;

/** The name of the counter of a key's requests. */
export function requestCounter(redis: RedisClient, prefix: string, keyId: string): string {
  return `${prefix}:rate:key:${slotTag(redis, keyId)}`;
}

/** A request of a key, counted. */
export interface RequestCount {
  /** The key's requests of this second, this one included. */
  readonly requestCount: number;
  /** How long until they are counted anew. */
  readonly countedForMs: number;
}

export type Nonces = ReturnType<typeof createNonces>;

/** A full batch takes half a millisecond of Redis's one thread. */
const spendMaxMs = 2_000;

/**
 * Takes pairs of a nonce and its key's counter. One command for many requests halves the cost here and in Redis, and counts
 * all requests of one key by a single increment.
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

interface Spending {
  readonly keyId: string;
  readonly nonce: string;
}

interface SpendingRedis {
  /** @returns for each pair of keys the count and its milliseconds to live; a count of 0 if the nonce was spent before. */
  spendNonces(keyCount: number, ...keysAndTimes: readonly (string | number)[]): Promise<number[]>;
}

/**
 * Nonces in Redis, each scoped to its key. A call takes one round trip, shared with calls that arrive together. On a cluster
 * only calls of the same key share one, because other keys may be on another node, which may be away.
 */
export function createNonces(redis: RedisClient, prefix: string) {
  redis.defineCommand('spendNonces', { lua: spendScript });
  const commands = redis as RedisClient & SpendingRedis;
  // A key's id has a fixed form without a colon, so no two (key, nonce) pairs share a name.
  const name = (keyId: string, nonce: string): string => `${prefix}:nonce:${slotTag(redis, keyId)}:${nonce}`;
  const counter = (keyId: string): string => requestCounter(redis, prefix, keyId);
  const limits = { flushMaxMs: spendMaxMs, isInTime: (_: Spending, waitedMs: number) => waitedMs <= spendMaxMs };
  const spendAll = async (requests: readonly Spending[]): Promise<(RequestCount | undefined)[]> => {
    const keys = requests.flatMap(({ keyId, nonce }) => [name(keyId, nonce), counter(keyId)]);
    const answers = await commands.spendNonces(keys.length, ...keys, rememberedMs, countedMs);
    return requests.map((_, index) => {
      const requestCount = answers[2 * index] ?? 0;
      const countedForMs = answers[2 * index + 1] ?? 0;
      return requestCount === 0 ? undefined : { requestCount, countedForMs };
    });
  };
  const spend =
    redis instanceof Cluster ? createBatchers(({ keyId }) => keyId, spendAll, limits) : createBatcher(spendAll, limits);
  return {
    /**
     * Records a nonce of a key, and counts the key's request. Of any number of callers at once exactly one gets a count. A
     * nonce that was spent before is not counted, or whoever captured a request could use up its key's rate with it.
     * @returns undefined if the nonce was spent before. Throws if Redis is away.
     */
    spend: (keyId: string, nonce: string): Promise<RequestCount | undefined> => spend({ keyId, nonce }),
    /** Whether a nonce of a key is unspent; records nothing. Throws if Redis is away. */
    isUnspent: async (keyId: string, nonce: string): Promise<boolean> => (await redis.exists(name(keyId, nonce))) === 0,
  };
}
