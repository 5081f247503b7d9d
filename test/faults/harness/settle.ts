import { setTimeout as delay } from 'node:timers/promises';
import type { Filter } from 'mongodb';
import type { Sent } from './sent.ts';
import type { Stack } from './stack.ts';

interface OrderDocument {
  _id: string;
  status: string;
}

const pollMs = 50;
const shownMax = 10;

/**
 * Waits until these orders, or all that are not set aside, are terminal in MongoDB.
 * @returns the milliseconds it took. @throws after `limitMs`, naming some that are not.
 */
export async function untilTerminal(stack: Stack, which: readonly Sent[] | 'all', limitMs: number): Promise<number> {
  const startedAt = performance.now();
  let ids: Filter<OrderDocument>['_id'] =
    which === 'all'
      ? { $nin: stack.byHand.setAside }
      : { $in: which.flatMap(({ acknowledged }) => acknowledged?.transferId ?? []) };
  const orders = stack.mongodb.client.db().collection<OrderDocument>('orders');
  for (;;) {
    const pending = await orders.find({ _id: ids, status: 'PENDING' }).toArray();
    const tookMs = performance.now() - startedAt;
    if (pending.length === 0) return tookMs;
    if (tookMs > limitMs) {
      const some = pending.slice(0, shownMax).map((order) => JSON.stringify(order));
      throw new Error([`${pending.length} orders are not terminal after ${limitMs} ms:`, ...some].join('\n  '));
    }
    // Terminal is for good, so what is not PENDING any more need not be asked for again.
    if (which !== 'all') ids = { $in: pending.map(({ _id }) => _id) };
    await delay(pollMs);
  }
}
