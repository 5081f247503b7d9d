import { publish, subscribe, type RedisClient } from './connection.ts';

const channelOf = (prefix: string): string => `${prefix}:changed`;

/** Tells every API process that the administrator changed something that they remember. Best effort: caches expire anyway. */
export async function announceChange(redis: RedisClient, prefix: string): Promise<void> {
  await publish(redis, channelOf(prefix), '');
}

/** @param redis a subscriber's connection. @param againEveryMs see {@link subscribe}. */
export async function subscribeToChanges(
  redis: RedisClient,
  prefix: string,
  onChange: () => void,
  againEveryMs?: number,
): Promise<void> {
  await subscribe(redis, channelOf(prefix), onChange, againEveryMs);
}
