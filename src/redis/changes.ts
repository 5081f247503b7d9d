import type { Redis } from 'ioredis';

const channelOf = (prefix: string): string => `${prefix}:changed`;

/** Tells every API process that the administrator changed a key, a member, a workspace or a wallet. Best effort: caches expire anyway. */
export async function announceChange(redis: Redis, prefix: string): Promise<void> {
  await redis.publish(channelOf(prefix), '');
}

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToChanges(redis: Redis, prefix: string, onChange: () => void): Promise<void> {
  redis.on('message', (channel: string) => {
    if (channel === channelOf(prefix)) onChange();
  });
  await redis.subscribe(channelOf(prefix));
}
