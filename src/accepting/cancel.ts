import { ServiceError } from '../errors.ts';
import type { Order } from '../orders/order.ts';
import type { CancelOrder } from '../storage/orders/cancel.ts';
import type { OrderReference } from '../storage/orders/orders.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';
import type { ThroughFailover } from '../waiting/failover.ts';

const field = 'transferId';
/** How often one is tried that changed nothing, though the order is SCHEDULED: after an election a read may be behind for a moment. */
const attemptsMax = 3;
const retryAfterSeconds = 1;

/** Cancels an order, and wakes those who are to tell of it. See {@link CancelOrder}. */
export type Cancel = (order: Pick<Order, 'workspaceId' | 'id'>, timeLeftMs: () => number) => Promise<Order | undefined>;

/** @param onWritten is told what was left for webhooks. */
export function createCancel(cancelOrder: CancelOrder, onWritten: (entries: readonly OutboxEntry[]) => void): Cancel {
  return async ({ workspaceId, id }, timeLeftMs) => {
    const cancelled = await cancelOrder({ workspaceId, id, timeLeftMs });
    if (cancelled?.entry !== undefined) onWritten([cancelled.entry]);
    return cancelled?.order;
  };
}

interface Cancelled {
  readonly order: Order;
  /** Whether it was CANCELLED already. */
  readonly isReplay: boolean;
}

export type PrepareCancel = ReturnType<typeof createPrepareCancel>;

/** Makes every check that can refuse a cancel without effect. */
export function createPrepareCancel(
  find: (reference: OrderReference, timeLeftMs: () => number) => Promise<Order | undefined>,
  cancel: Cancel,
  throughFailover: ThroughFailover,
) {
  /** @throws ServiceError TRANSFER_NOT_FOUND; ORDER_STATE_CONFLICT it is neither SCHEDULED nor CANCELLED. */
  async function findFor(reference: OrderReference, timeLeftMs: () => number): Promise<Order> {
    const order = await find(reference, timeLeftMs);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND', { field });
    if (order.status !== 'SCHEDULED' && order.status !== 'CANCELLED')
      throw new ServiceError('ORDER_STATE_CONFLICT', { field, value: order.status });
    return order;
  }

  /** @returns the cancel itself. */
  return async (reference: OrderReference, timeLeftMs: () => number): Promise<() => Promise<Cancelled>> => {
    const { workspaceId } = reference;
    const order = await findFor(reference, timeLeftMs);
    if (order.status === 'CANCELLED') return () => Promise.resolve({ order, isReplay: true });
    return async () => {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const cancelled = await throughFailover(workspaceId, (leftMs) => cancel(order, leftMs), timeLeftMs);
        if (cancelled !== undefined) return { order: cancelled, isReplay: false };
        // Its time came first, or another cancel; or an earlier attempt of this one, whose answer was lost.
        const now = await findFor({ workspaceId, idOrBizId: order.id }, timeLeftMs);
        if (now.status !== 'SCHEDULED') return { order: now, isReplay: true };
      }
      const cause = new Error(`${order.id} is SCHEDULED, but no transaction of its cancel found it so`);
      throw new ServiceError('UNAVAILABLE', { cause, retryAfterSeconds, server: 'mongodb' });
    };
  };
}
