import pTimeout from 'p-timeout';
import { isTerminal, type Order } from '../orders/order.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Orders } from '../storage/orders/orders.ts';

/** The longest wait for a read. The order is recorded, and its client should not wait longer to hear it. */
const readMaxMs = 1_000;

/**
 * Waits until an order is terminal or the time is over, and returns it as it then stands, at most a second later. It listens
 * for the notice before it reads the order, so that none is missed. A lost notice costs the client time, but the answer is
 * still right. If the order cannot be read, or nobody waits any more, it is returned as it was last known.
 * @param gone aborts once nobody waits any more.
 */
export async function waitForTerminal(
  order: Order,
  timeoutMs: number,
  {
    orders,
    notices,
    gone,
  }: { readonly orders: Pick<Orders, 'find'>; readonly notices: PostedNotices; readonly gone: AbortSignal },
): Promise<Order> {
  const stop = new AbortController();
  const endsAt = performance.now() + timeoutMs + readMaxMs;
  const noticed = notices.wait(order.id, timeoutMs, AbortSignal.any([stop.signal, gone]));
  const read = async (known: Order): Promise<Order> => {
    try {
      const leftMs = Math.max(1, Math.min(readMaxMs, endsAt - performance.now()));
      const found = orders.find(order.workspaceId, order.id);
      return (await pTimeout(found, { milliseconds: leftMs, fallback: () => undefined })) ?? known;
    } catch {
      return known;
    }
  };
  try {
    const now = await read(order);
    if (isTerminal(now.status)) return now;
    await noticed;
    return gone.aborted ? now : await read(now);
  } finally {
    stop.abort();
  }
}
