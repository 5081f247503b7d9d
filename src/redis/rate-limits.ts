import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { KeyRate } from '../storage/keys/api-keys.ts';
import { slotTag, type RedisClient } from './connection.ts';
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
 * Takes from the counters of a key's second and of its burst: all or nothing. What is above all that the key may do passes once the
 * burst is whole but for what the request took of it before, and then uses the burst until the rate has made up for it.
 */
const chargeScript = `
local more, perSecond, extra, burstBefore = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local isAbove, secondMs, burstMs = ARGV[5] == '1', tonumber(ARGV[6]), tonumber(ARGV[7])
local usedOfSecond = tonumber(redis.call('GET', KEYS[1]) or '0')
local usedOfBurst = tonumber(redis.call('GET', KEYS[2]) or '0')
local secondEndsInMs, burstEndsInMs = redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2])
local ofSecond = math.min(more, math.max(0, perSecond - usedOfSecond))
local ofBurst = more - ofSecond
local isBeyond = usedOfBurst + ofBurst > extra
if ofBurst > 0 and isBeyond and not (isAbove and usedOfBurst <= burstBefore) then
  return {0, ofSecond, ofBurst, usedOfBurst, secondEndsInMs, burstEndsInMs}
end
if ofSecond > 0 then
  redis.call('INCRBY', KEYS[1], ofSecond)
  if secondEndsInMs < 0 then
    secondEndsInMs = secondMs
    redis.call('PEXPIRE', KEYS[1], secondEndsInMs)
  end
end
if ofBurst > 0 then
  redis.call('INCRBY', KEYS[2], ofBurst)
  if isBeyond then burstMs = math.max(burstMs, math.ceil(1000 * (burstBefore + ofBurst) / math.max(1, perSecond))) end
  if burstEndsInMs < 0 or isBeyond then redis.call('PEXPIRE', KEYS[2], math.max(burstEndsInMs, burstMs)) end
end
return {1, ofSecond, ofBurst, usedOfBurst, secondEndsInMs, burstEndsInMs}
`;

interface ChargingRedis {
  chargeKey(
    ...keysAndArguments: readonly (string | number)[]
  ): Promise<
    [
      isTaken: 0 | 1,
      ofSecond: number,
      ofBurst: number,
      usedOfBurst: number,
      secondEndsInMs: number,
      burstEndsInMs: number,
    ]
  >;
}

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
  redis.defineCommand('chargeKey', { lua: chargeScript, numberOfKeys: 2 });
  const commands = redis as RedisClient & ChargingRedis;
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
        return judgeExtra(bursts.memo(Math.max(0, burst - perSecond)), slotTag(redis, keyId), countedForMs);
      }
      return verdictOf(policyOfKeys, true, perSecond - requestCount, countedForMs);
    },
    /**
     * Counts a request that was counted and judged as `count` of them, or leaves it at what was charged before: it takes what is
     * left of the second, then from the burst, or nothing. More than a key may ever do at once passes while its burst is whole,
     * but for what the request itself has taken of it; that is then used for as long as the rate needs to make up for it. One
     * command, so of any number at once none takes what another has taken.
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
      const more = Math.max(0, count - before.count);
      const isAbove = count > perSecond + extra;
      const [isTaken, ofSecond, ofBurst, usedOfBurst, secondEndsInMs, burstEndsInMs] = await commands.chargeKey(
        ...[requestCounter(redis, prefix, keyId), `${burstPrefix}:${slotTag(redis, keyId)}`],
        ...[more, perSecond, extra, before.fromBurst, Number(isAbove), countedMs, burstSeconds * 1_000],
      );
      if (isTaken === 1) {
        const verdict = verdictOf(policyOfKeys, true, 0, secondEndsInMs);
        return { verdict, charged: { count: before.count + more, fromBurst: before.fromBurst + ofBurst } };
      }
      // A new second may be enough.
      const isBurstNeeded = isAbove || count > perSecond + extra - usedOfBurst;
      const endsInMs = isBurstNeeded ? burstEndsInMs : secondEndsInMs;
      return { verdict: verdictOf(policyOfKeys, false, ofSecond, endsInMs), charged: before };
    },
  };
}

/** A request beyond the steady rate takes one from the burst. */
async function judgeExtra(burst: RateLimiterRedis, name: string, countedForMs: number): Promise<RateVerdict> {
  const { isAllowed, msBeforeNext } = await tryConsume(burst, name);
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
