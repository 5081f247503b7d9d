import { EventEmitter, once, setMaxListeners } from 'node:events';
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

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToNotices(redis: RedisClient, prefix: string) {
  const posted = new EventEmitter().setMaxListeners(0);
  await subscribe(redis, channelOf(prefix), (message) => {
    if (posted.eventNames().length === 0) return;
    for (const orderId of orderIdsOf(message)) posted.emit(orderId);
  });

  return {
    /**
     * Resolves to true when notices have named all of the orders, to false after `timeoutMs` or when `signal` aborts. A notice
     * may be lost: the caller reads the orders either way.
     */
    async wait(orderIds: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<boolean> {
      // Of what is left of a request's time there is a fraction, which AbortSignal does not take.
      const isOver = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
      // One for each order.
      setMaxListeners(0, isOver);
      return Promise.all(orderIds.map((orderId) => once(posted, orderId, { signal: isOver }))).then(
        () => true,
        () => false,
      );
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
