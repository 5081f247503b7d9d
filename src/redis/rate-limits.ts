import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { KeyRate } from '../storage/api-keys.ts';
import type { Counted } from './nonces.ts';
import type { RedisClient } from './connection.ts';

export type RateVerdict = ReturnType<typeof verdictOf>;
export type FailureLimit = ReturnType<typeof createFailureLimit>;
export type KeyLimit = ReturnType<typeof createKeyLimit>;

/** In this time a key may use its whole burst once, on top of what it may do each second. */
const burstSeconds = 10;
const failureSeconds = 60;
/** Bursts of keys that are at hand at once. A limiter holds no counts, so one that was let go is simply made again. */
const burstsMax = 1_000;
const policyOfKeys = 'key';

/**
 * How many requests a key may make. The counts stand under the key alone: a new rate is held against what was used already.
 * @param usual for a key without a rate of its own.
 */
export function createKeyLimit(redis: RedisClient, prefix: string, usual: KeyRate) {
  const bursts = new LRUCache<number, RateLimiterRedis>({
    max: burstsMax,
    memoMethod: (points) => createLimiter(redis, `${prefix}:rate:burst`, points, burstSeconds),
  });
  return {
    /**
     * Judges a request that was counted: at no cost within the rate, by another round trip where it takes from the burst.
     * @param rate the key's own, where it has one. Rejects where Redis is away.
     */
    judge(
      keyId: string,
      rate: KeyRate | undefined,
      { requestCount, countedForMs }: Counted,
    ): RateVerdict | Promise<RateVerdict> {
      const { perSecond, burst } = rate ?? usual;
      if (requestCount > perSecond) {
        return judgeExtra(bursts.memo(Math.max(0, burst - perSecond)), keyId, countedForMs);
      }
      return verdictOf(policyOfKeys, true, perSecond - requestCount, countedForMs);
    },
  };
}

/** A request past the steady rate takes one from the burst. */
async function judgeExtra(burst: RateLimiterRedis, keyId: string, countedForMs: number): Promise<RateVerdict> {
  const { isAllowed, msBeforeNext } = await tryConsume(burst, keyId);
  return verdictOf(policyOfKeys, isAllowed, 0, Math.min(countedForMs, msBeforeNext));
}

/** How often authentication may fail from one address in a minute. */
export function createFailureLimit(redis: RedisClient, prefix: string, perMinute: number) {
  const limiter = createLimiter(redis, `${prefix}:rate:address`, perMinute, failureSeconds);
  return {
    /** Counts one for an address, unless its limit is passed already: that is known here. Throws where Redis is away. */
    async consume(address: string): Promise<RateVerdict> {
      const { isAllowed, remainingPoints, msBeforeNext } = await tryConsume(limiter, address);
      return verdictOf('address', isAllowed, remainingPoints, msBeforeNext);
    },
  };
}

/** Who is past a limit is remembered in this process until it holds no more, and costs Redis nothing meanwhile. */
function createLimiter(redis: RedisClient, keyPrefix: string, points: number, seconds: number): RateLimiterRedis {
  // The library takes 0 for "never".
  const inMemoryBlockOnConsumed = Math.max(1, points);
  return new RateLimiterRedis({ storeClient: redis, inMemoryBlockOnConsumed, keyPrefix, points, duration: seconds });
}

/** The library rejects with its result where the limit is passed, and with an error where Redis is away. */
async function tryConsume(limiter: RateLimiterRedis, name: string) {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(name);
    return { isAllowed: true, remainingPoints, msBeforeNext };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { isAllowed: false, remainingPoints: 0, msBeforeNext: refusal.msBeforeNext };
  }
}

/** @param remaining how many more there may be until the time is over, a burst left aside. */
function verdictOf(policy: string, isAllowed: boolean, remaining: number, msBeforeNext: number) {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return {
    isAllowed,
    /** After how many seconds a retry makes sense; 0 where it is allowed. */
    retryAfterSeconds: isAllowed ? 0 : seconds,
    remaining,
    /** For the `RateLimit` header. Source: the IETF draft "RateLimit header fields for HTTP". */
    header: `"${policy}";r=${remaining};t=${seconds}`,
  };
}
