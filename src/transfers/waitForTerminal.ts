import { isTerminal } from '../domain/order.ts';
import type { Order } from '../domain/order.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Orders } from '../storage/orders.ts';

/**
 * Waits until an order is terminal, or the time is over, and returns it as it then stands. The notice is listened for
 * before the order is read, so that none slips between; a lost notice costs the client its time, never the truth.
 */
export async function waitForTerminal(
  order: Order,
  timeoutMs: number,
  orders: Orders,
  notices: PostedNotices,
): Promise<Order> {
  const stop = new AbortController();
  const noticed = notices.wait(order.id, timeoutMs, stop.signal);
  try {
    const now = (await orders.find(order.workspaceId, order.id)) ?? order;
    if (isTerminal(now.status)) return now;
    await noticed;
    return (await orders.find(order.workspaceId, order.id)) ?? now;
  } finally {
    stop.abort();
  }
}
