import { publish } from './connection.ts';
import type { RedisClient } from './connection.ts';

const channelOf = (prefix: string): string => `${prefix}:changed`;

/** Tells every API process that the administrator changed a key, a member, a workspace or a wallet. Best effort: caches expire anyway. */
export async function announceChange(redis: RedisClient, prefix: string): Promise<void> {
  await publish(redis, channelOf(prefix), '');
}

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToChanges(redis: RedisClient, prefix: string, onChange: () => void): Promise<void> {
  redis.on('message', (channel: string) => {
    if (channel === channelOf(prefix)) onChange();
  });
  await redis.subscribe(channelOf(prefix));
}
