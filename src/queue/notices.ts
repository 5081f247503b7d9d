import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import { hasIdForm } from '../domain/ids.ts';
import type { RedisClient } from '../redis/connection.ts';
import { publish, subscribe } from '../redis/messages.ts';

export type PostedNotices = Awaited<ReturnType<typeof subscribeToNotices>>;

const channelOf = (prefix: string): string => `${prefix}:posted`;

/** Tells every API process which orders were posted, after the commit. Best effort. */
export function createNoticeSender(redis: RedisClient, prefix: string): (orderIds: readonly string[]) => void {
  return (orderIds) => {
    if (orderIds.length > 0) publish(redis, channelOf(prefix), JSON.stringify(orderIds)).catch(() => undefined);
  };
}

/** More orders than are posted while one that was just recorded, or read, is on its way to be waited for. */
const recentMax = 16_384;

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToNotices(redis: RedisClient, prefix: string) {
  const posted = new EventEmitter().setMaxListeners(0);
  const recent = new LRUCache<string, true>({ max: recentMax });
  await subscribe(redis, channelOf(prefix), (message) => {
    for (const orderId of orderIdsOf(message)) {
      recent.set(orderId, true);
      posted.emit(orderId, orderId);
    }
  });

  return {
    /**
     * Waits until notices have named all of the orders, those of the last moments included, `timeoutMs` is over or `signal` aborts. A
     * notice may be lost: the caller reads the orders either way.
     * @returns true once all were heard of; false when the time is over.
     */
    hear(orderIds: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<boolean> {
      // Of what is left of a request's time there is a fraction, which AbortSignal does not take.
      const isOver = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
      const missing = new Set(orderIds.filter((orderId) => !recent.has(orderId)));
      const { promise: heard, resolve } = Promise.withResolvers<boolean>();
      const end = (): void => {
        for (const orderId of missing) posted.off(orderId, onNotice);
        isOver.removeEventListener('abort', end);
        resolve(missing.size === 0);
      };
      const onNotice = (orderId: string): void => {
        missing.delete(orderId);
        posted.off(orderId, onNotice);
        if (missing.size === 0) end();
      };
      for (const orderId of missing) posted.on(orderId, onNotice);
      isOver.addEventListener('abort', end);
      if (isOver.aborted || missing.size === 0) end();
      return heard;
    },
  };
}

/** Empty if the message is not this service's: anyone who may use Redis can publish, and that must not end a process. */
function orderIdsOf(message: string): readonly string[] {
  try {
    const ids = JSON.parse(message) as unknown;
    return Array.isArray(ids) ? ids.filter(isOrderId) : [];
  } catch {
    return [];
  }
}

function isOrderId(id: unknown): id is string {
  return typeof id === 'string' && hasIdForm('order', id);
}
