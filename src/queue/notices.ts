import { publish } from '../redis/connection.ts';
import type { RedisClient } from '../redis/connection.ts';

export type PostedNotices = Awaited<ReturnType<typeof subscribeToNotices>>;

const channelOf = (prefix: string): string => `${prefix}:posted`;

/** Tells every API process which orders were posted, after the commit. Best effort. */
export function createNoticeSender(redis: RedisClient, prefix: string): (orderIds: readonly string[]) => void {
  return (orderIds) => {
    if (orderIds.length > 0) publish(redis, channelOf(prefix), JSON.stringify(orderIds)).catch(() => undefined);
  };
}

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToNotices(redis: RedisClient, prefix: string) {
  const waiting = new Map<string, Set<(posted: boolean) => void>>();
  redis.on('message', (channel: string, message: string) => {
    if (channel !== channelOf(prefix) || waiting.size === 0) return;
    for (const orderId of JSON.parse(message) as string[]) {
      for (const settle of waiting.get(orderId) ?? []) settle(true);
    }
  });
  await redis.subscribe(channelOf(prefix));

  return {
    /**
     * Resolves to true when a notice names the order, to false after `timeoutMs` or when `signal` aborts. A notice may be
     * lost: the caller reads the order either way.
     */
    wait(orderId: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
      return new Promise((resolve) => {
        const settle = (posted: boolean): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          const settlers = waiting.get(orderId);
          settlers?.delete(settle);
          if (settlers?.size === 0) waiting.delete(orderId);
          resolve(posted);
        };
        const giveUp = (): void => {
          settle(false);
        };
        const timer = setTimeout(giveUp, timeoutMs);
        signal.addEventListener('abort', giveUp, { once: true });
        const settlers = waiting.get(orderId) ?? new Set();
        waiting.set(orderId, settlers.add(settle));
      });
    },
  };
}
