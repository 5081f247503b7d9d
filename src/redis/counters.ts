import type { RedisClient } from './connection.ts';

/** Takes what is free below a limit, up to so many. */
const takeUpToScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local endsInMs = redis.call('PTTL', KEYS[1])
local taken = math.min(tonumber(ARGV[1]), math.max(0, tonumber(ARGV[2]) - used))
if taken > 0 then
  redis.call('INCRBY', KEYS[1], taken)
  if endsInMs < 0 then
    endsInMs = tonumber(ARGV[3])
    redis.call('PEXPIRE', KEYS[1], endsInMs)
  end
end
return {taken, endsInMs}
`;

/** Takes all or nothing: what is free, or more than the limit if no more was taken before than ARGV[3]. */
const takeAllScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local endsInMs = redis.call('PTTL', KEYS[1])
local isBeyond = used + tonumber(ARGV[1]) > tonumber(ARGV[2])
if isBeyond and used > tonumber(ARGV[3]) then return {0, used, endsInMs} end
redis.call('INCRBY', KEYS[1], ARGV[1])
local lastsMs = tonumber(ARGV[isBeyond and 5 or 4])
if endsInMs < 0 or isBeyond then
  endsInMs = math.max(endsInMs, lastsMs)
  redis.call('PEXPIRE', KEYS[1], endsInMs)
end
return {1, used, endsInMs}
`;

/** Gives back, unless the counter has begun anew since: then it has more time left than it had. */
const giveBackScript = `
local endsInMs = redis.call('PTTL', KEYS[1])
if endsInMs >= 0 and endsInMs <= tonumber(ARGV[2]) then redis.call('DECRBY', KEYS[1], ARGV[1]) end
`;

interface CounterCommands {
  takeUpTo(name: string, count: number, limit: number, lastsMs: number): Promise<[taken: number, endsInMs: number]>;
  takeAll(
    name: string,
    count: number,
    limit: number,
    wholeUpTo: number,
    lastsMs: number,
    beyondLastsMs: number,
  ): Promise<[isTaken: 0 | 1, used: number, endsInMs: number]>;
  giveBack(name: string, count: number, endsInMs: number): Promise<null>;
}

/** What is taken beyond a limit, in one piece, as long as the counter is whole. */
export interface Beyond {
  /** A counter of which no more was taken is whole. */
  readonly wholeUpTo: number;
  /** How long the counter then lasts. */
  readonly lastsMs: number;
}

/**
 * Counters in Redis that end some time after they began. Each call is one command with one key, as a cluster wants it; of
 * any number of them at once none takes what another has taken. Each throws if Redis is away.
 */
export function createCounters(redis: RedisClient) {
  const define = (name: keyof CounterCommands, lua: string): void => {
    redis.defineCommand(name, { lua, numberOfKeys: 1 });
  };
  define('takeUpTo', takeUpToScript);
  define('takeAll', takeAllScript);
  define('giveBack', giveBackScript);
  const commands = redis as RedisClient & CounterCommands;
  return {
    /** Takes what is free below a limit, up to `count`. @param lastsMs how long a counter lasts that begins with it. */
    async takeUpTo(name: string, count: number, limit: number, lastsMs: number) {
      const [taken, endsInMs] = await commands.takeUpTo(name, count, limit, lastsMs);
      return { taken, endsInMs };
    },
    /**
     * Takes all or nothing below a limit.
     * @param beyond present if it may be taken beyond the limit.
     * @returns whether it was taken, and what was used before.
     */
    async takeAll(name: string, count: number, limit: number, lastsMs: number, beyond?: Beyond) {
      const { wholeUpTo, lastsMs: beyondLastsMs } = beyond ?? { wholeUpTo: -1, lastsMs };
      const [isTaken, used, endsInMs] = await commands.takeAll(name, count, limit, wholeUpTo, lastsMs, beyondLastsMs);
      return { isTaken: isTaken === 1, used, endsInMs };
    },
    /** Gives back what {@link takeUpTo} took, with the time that it said, unless the counter has ended since. */
    async giveBack(name: string, { taken, endsInMs }: { taken: number; endsInMs: number }): Promise<void> {
      if (taken > 0) await commands.giveBack(name, taken, endsInMs);
    },
  };
}
