import type { Redis } from 'ioredis';
import { BurstyRateLimiter, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

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

/** In this time a key may use its whole burst once, on top of what it may do each second. */
const burstSeconds = 10;
const failureSeconds = 60;

/**
 * How many requests a key may make: `perSecond`, and up to `burst` in one second now and then. The count travels in the
 * same round trip as other commands of the same moment on this connection; a burst costs another one.
 */
export function createKeyLimit(redis: Redis, prefix: string, perSecond: number, burst: number): RateLimit {
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
  const limiter = new BurstyRateLimiter(steady, extra);
  return { consume: (keyId) => toVerdict(limiter.consume(keyId), 'key') };
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
