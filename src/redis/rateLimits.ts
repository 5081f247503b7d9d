import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { BurstyRateLimiter, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { KeyRate } from '../storage/apiKeys.ts';

export interface RateVerdict {
  readonly isAllowed: boolean;
  /** After how many seconds a retry makes sense; 0 where it is allowed. */
  readonly retryAfterSeconds: number;
  /** For the `RateLimit` header. Source: the IETF draft "RateLimit header fields for HTTP". */
  readonly header: string;
}

export interface RateLimit {
  /** Counts one for `name`. Throws where Redis is away. */
  consume(name: string): Promise<RateVerdict>;
}

export interface KeyLimit {
  /** Counts one for a key. @param rate the key's own, where it has one. Throws where Redis is away. */
  consume(keyId: string, rate: KeyRate | undefined): Promise<RateVerdict>;
}

/** In this time a key may use its whole burst once, on top of what it may do each second. */
const burstSeconds = 10;
const failureSeconds = 60;
/** Rates of keys that are at hand at once. A limiter holds no counts, so one that was let go is simply made again. */
const ownRatesMax = 1_000;

/**
 * How many requests a key may make. The count travels in the same round trip as other commands of the same moment on this
 * connection; a burst costs another one. It stands under the key alone: a new rate is held against what was used already.
 * @param usual for a key without a rate of its own.
 */
export function createKeyLimit(redis: Redis, prefix: string, usual: KeyRate): KeyLimit {
  const usualLimiter = burstyLimiter(redis, prefix, usual);
  const ownLimiters = new LRUCache<string, BurstyRateLimiter, KeyRate>({
    max: ownRatesMax,
    memoMethod: (_name, _stale, { context }) => burstyLimiter(redis, prefix, context),
  });
  return {
    consume: (keyId, rate) => {
      const limiter =
        rate === undefined ? usualLimiter : ownLimiters.memo(`${rate.perSecond}:${rate.burst}`, { context: rate });
      return toVerdict(limiter.consume(keyId), 'key');
    },
  };
}

function burstyLimiter(redis: Redis, prefix: string, { perSecond, burst }: KeyRate): BurstyRateLimiter {
  const steady = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:rate:key`,
    points: perSecond,
    duration: 1,
  });
  const extra = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:rate:burst`,
    points: Math.max(0, burst - perSecond),
    duration: burstSeconds,
  });
  return new BurstyRateLimiter(steady, extra);
}

/** How often authentication may fail from one address in a minute. */
export function createFailureLimit(redis: Redis, prefix: string, perMinute: number): RateLimit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:rate:address`,
    points: perMinute,
    duration: failureSeconds,
  });
  return { consume: (address) => toVerdict(limiter.consume(address), 'address') };
}

/** The library rejects with its result where the limit is passed, and with an error where Redis is away. */
async function toVerdict(consuming: Promise<RateLimiterRes>, policy: string): Promise<RateVerdict> {
  try {
    const { remainingPoints, msBeforeNext } = await consuming;
    return { isAllowed: true, retryAfterSeconds: 0, header: headerOf(policy, remainingPoints, msBeforeNext) };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { msBeforeNext } = refusal;
    return { isAllowed: false, retryAfterSeconds: secondsOf(msBeforeNext), header: headerOf(policy, 0, msBeforeNext) };
  }
}

function headerOf(policy: string, remaining: number, msBeforeNext: number): string {
  return `"${policy}";r=${remaining};t=${secondsOf(msBeforeNext)}`;
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
