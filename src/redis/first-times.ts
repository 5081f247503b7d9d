import type { RedisClient } from './connection.ts';

/** How long it is remembered that something was done. */
const rememberedMs = 24 * 3_600_000;

/** @returns whether something is done for the first time, by its name, as far as Redis remembers. Throws if Redis is away. */
export type IsFirstTime = (name: string) => Promise<boolean>;

export function createFirstTimes(redis: RedisClient, prefix: string): IsFirstTime {
  return async (name) => (await redis.set(`${prefix}:first:${name}`, '', 'PX', rememberedMs, 'NX')) !== null;
}
