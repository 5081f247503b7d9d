import { EventEmitter } from 'node:events';
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

/** Waits for notices of some orders. */
export interface Listening {
  /** True once all were heard of; false when the time is over. */
  readonly heard: Promise<boolean>;
  /** Waits no longer for this one: it is known to have ended. */
  readonly drop: (orderId: string) => void;
}

/** @param redis a subscriber's connection; others may have subscribed to other channels on it. */
export async function subscribeToNotices(redis: RedisClient, prefix: string) {
  const posted = new EventEmitter().setMaxListeners(0);
  let listening = 0;
  await subscribe(redis, channelOf(prefix), (message) => {
    if (listening === 0) return;
    for (const orderId of orderIdsOf(message)) posted.emit(orderId, orderId);
  });

  return {
    /**
     * Listens from now on, until notices have named all of the orders, `timeoutMs` is over or `signal` aborts. A notice may be
     * lost, or have come before: the caller reads the orders either way.
     */
    listen(orderIds: readonly string[], timeoutMs: number, signal: AbortSignal): Listening {
      // Of what is left of a request's time there is a fraction, which AbortSignal does not take.
      const isOver = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
      const missing = new Set(orderIds);
      const { promise: heard, resolve } = Promise.withResolvers<boolean>();
      const end = (): void => {
        for (const orderId of missing) posted.off(orderId, drop);
        isOver.removeEventListener('abort', end);
        listening -= 1;
        resolve(missing.size === 0);
      };
      const drop = (orderId: string): void => {
        if (!missing.delete(orderId)) return;
        posted.off(orderId, drop);
        if (missing.size === 0) end();
      };
      listening += 1;
      for (const orderId of missing) posted.on(orderId, drop);
      isOver.addEventListener('abort', end);
      if (isOver.aborted || missing.size === 0) end();
      return { heard, drop };
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
