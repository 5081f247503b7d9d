import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import type { RedisClient } from './connection.ts';
import { createCounters } from './counters.ts';
import { countedMs, requestCounter, type RequestCount } from './nonces.ts';

export type RateVerdict = ReturnType<typeof verdictOf>;
export type FailureLimit = ReturnType<typeof createFailureLimit>;
export type KeyLimit = ReturnType<typeof createKeyLimit>;

/** What a request has taken of its key's rate so far. */
export interface Charged {
  /** As how many requests it counts. */
  readonly count: number;
  /** How many of them the burst gave. */
  readonly fromBurst: number;
}

/** In this time a key may use its whole burst once, on top of what it may do each second. */
const burstSeconds = 10;
const failureSeconds = 60;
/** Limiters kept for the sizes of bursts. A limiter holds no counts, so one that was dropped is simply made again. */
const burstsMax = 1_000;
const policyOfKeys = 'key';

/**
 * How many requests a key may make. Counts are stored by the key alone, so a new rate also counts what was used before.
 * @param usual for a key without a rate of its own.
 */
export function createKeyLimit(redis: RedisClient, prefix: string, usual: KeyRate) {
  const burstPrefix = `${prefix}:rate:burst`;
  const bursts = new LRUCache<number, RateLimiterRedis>({
    max: burstsMax,
    memoMethod: (points) => createLimiter(redis, burstPrefix, points, burstSeconds),
  });
  const counters = createCounters(redis);
  return {
    /**
     * Judges a request that was counted: at no cost within the rate, with another round trip if it takes from the burst.
     * @param rate the key's own, if it has one. Rejects if Redis is away.
     */
    judge(
      keyId: string,
      rate: KeyRate | undefined,
      { requestCount, countedForMs }: RequestCount,
    ): RateVerdict | Promise<RateVerdict> {
      const { perSecond, burst } = rate ?? usual;
      if (requestCount > perSecond) {
        return judgeExtra(bursts.memo(Math.max(0, burst - perSecond)), keyId, countedForMs);
      }
      return verdictOf(policyOfKeys, true, perSecond - requestCount, countedForMs);
    },
    /**
     * Counts a request that was counted and judged as `count` of them, or leaves it at what was charged before: it takes what is
     * left of the second, then from the burst, or nothing. More than a key may ever do at once passes while its burst is whole,
     * but for what the request itself has taken of it; that is then used for as long as the rate needs to make up for it.
     * @param rate the key's own, if it has one. @param charged what an earlier charge of the request has told. Rejects if Redis
     * is away.
     */
    async charge(
      keyId: string,
      rate: KeyRate | undefined,
      count: number,
      { requestCount }: RequestCount,
      charged?: Charged,
    ): Promise<{ readonly verdict: RateVerdict; readonly charged: Charged }> {
      const { perSecond, burst } = rate ?? usual;
      const extra = Math.max(0, burst - perSecond);
      const before = charged ?? { count: 1, fromBurst: requestCount > perSecond ? 1 : 0 };
      const second = requestCounter(redis, prefix, keyId);
      const more = Math.max(0, count - before.count);
      const ofSecond = await counters.takeUpTo(second, more, perSecond, countedMs);
      const fromBurst = more - ofSecond.taken;
      const done = { count: before.count + more, fromBurst: before.fromBurst + fromBurst };
      const allowed = { verdict: verdictOf(policyOfKeys, true, 0, ofSecond.endsInMs), charged: done };
      if (fromBurst === 0) return allowed;
      const lastsMs = burstSeconds * 1_000;
      const beyond = {
        wholeUpTo: before.fromBurst,
        lastsMs: Math.max(lastsMs, Math.ceil((1_000 * done.fromBurst) / Math.max(1, perSecond))),
      };
      const isAbove = count > perSecond + extra;
      const name = `${burstPrefix}:${keyId}`;
      const ofBurst = await counters.takeAll(name, fromBurst, extra, lastsMs, isAbove ? beyond : undefined);
      if (ofBurst.isTaken) return allowed;
      await counters.giveBack(second, ofSecond);
      // A new second may be enough.
      const isBurstNeeded = isAbove || count > perSecond + extra - ofBurst.used;
      const endsInMs = isBurstNeeded ? ofBurst.endsInMs : ofSecond.endsInMs;
      return { verdict: verdictOf(policyOfKeys, false, ofSecond.taken, endsInMs), charged: before };
    },
  };
}

/** A request beyond the steady rate takes one from the burst. */
async function judgeExtra(burst: RateLimiterRedis, keyId: string, countedForMs: number): Promise<RateVerdict> {
  const { isAllowed, msBeforeNext } = await tryConsume(burst, keyId);
  return verdictOf(policyOfKeys, isAllowed, 0, Math.min(countedForMs, msBeforeNext));
}

/** How often authentication may fail from one address in a minute. */
export function createFailureLimit(redis: RedisClient, prefix: string, perMinute: number) {
  const limiter = createLimiter(redis, `${prefix}:rate:address`, perMinute, failureSeconds);
  return {
    /** Counts a failure of an address, unless this process knows that its limit is passed. Throws if Redis is away. */
    async consume(address: string): Promise<RateVerdict> {
      const { isAllowed, remainingPoints, msBeforeNext } = await tryConsume(limiter, address);
      return verdictOf('address', isAllowed, remainingPoints, msBeforeNext);
    },
  };
}

/** This process remembers who is beyond a limit until that ends. Meanwhile it costs Redis nothing. */
export function createLimiter(
  redis: RedisClient,
  keyPrefix: string,
  points: number,
  seconds: number,
): RateLimiterRedis {
  // For the library 0 means "never".
  const inMemoryBlockOnConsumed = Math.max(1, points);
  return new RateLimiterRedis({ storeClient: redis, inMemoryBlockOnConsumed, keyPrefix, points, duration: seconds });
}

/** The library rejects with its result if the limit is passed, and with an error if Redis is away. */
export async function tryConsume(limiter: RateLimiterRedis, name: string, points = 1) {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(name, points);
    return { isAllowed: true, remainingPoints, msBeforeNext };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { isAllowed: false, remainingPoints: 0, msBeforeNext: refusal.msBeforeNext };
  }
}

/** @param remaining how many more requests are allowed until the time is over, not counting a burst. */
export function verdictOf(policy: string, isAllowed: boolean, remaining: number, msBeforeNext: number) {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return {
    isAllowed,
    /** After how many seconds a retry makes sense; 0 if the request is allowed. */
    retryAfterSeconds: isAllowed ? 0 : seconds,
    remaining,
    /** For the `RateLimit` header. Source: the IETF draft "RateLimit header fields for HTTP". */
    header: `"${policy}";r=${remaining};t=${seconds}`,
  };
}
