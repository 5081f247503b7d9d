import { ServiceError } from '../errors.ts';
import type { Order } from '../orders/order.ts';
import type { CancelOrder } from '../storage/orders/cancel.ts';
import type { OrderReference } from '../storage/orders/orders.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';
import type { ThroughFailover } from '../waiting/failover.ts';

const field = 'transferId';
/** How often one is tried that changed nothing, though the order is SCHEDULED: after an election a read may be behind for a moment. */
const attemptsMax = 3;

interface CancelResult {
  readonly order: Order;
  /** Whether it was CANCELLED already. */
  readonly isReplay: boolean;
}

interface CancelSources {
  readonly find: (reference: OrderReference, timeLeftMs: () => number) => Promise<Order | undefined>;
  readonly cancelOrder: CancelOrder;
  readonly throughFailover: ThroughFailover;
  /** Told what was left for webhooks. */
  readonly onWritten: (entries: readonly OutboxEntry[]) => void;
}

export type PrepareCancel = ReturnType<typeof createPrepareCancel>;

/** @returns makes every check that can refuse a cancel without effect, and returns the cancel itself. */
export function createPrepareCancel({ find, cancelOrder, throughFailover, onWritten }: CancelSources) {
  /** @throws ServiceError TRANSFER_NOT_FOUND; ORDER_STATE_CONFLICT it is neither SCHEDULED nor CANCELLED. */
  async function findFor(reference: OrderReference, timeLeftMs: () => number): Promise<Order> {
    const order = await find(reference, timeLeftMs);
    if (order === undefined) throw new ServiceError('TRANSFER_NOT_FOUND', { field });
    if (order.status !== 'SCHEDULED' && order.status !== 'CANCELLED')
      throw new ServiceError('ORDER_STATE_CONFLICT', { field, value: order.status });
    return order;
  }

  return async (reference: OrderReference, timeLeftMs: () => number): Promise<() => Promise<CancelResult>> => {
    const order = await findFor(reference, timeLeftMs);
    const { workspaceId, id } = order;
    if (order.status === 'CANCELLED') return () => Promise.resolve({ order, isReplay: true });
    return async () => {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const cancel = (leftMs: () => number) => cancelOrder({ workspaceId, id, timeLeftMs: leftMs });
        const cancelled = await throughFailover(workspaceId, cancel, timeLeftMs);
        if (cancelled?.entry !== undefined) onWritten([cancelled.entry]);
        if (cancelled !== undefined) return { order: cancelled.order, isReplay: false };
        // Its time came first, or another cancel; or an earlier attempt of this one, whose answer was lost.
        const now = await findFor({ workspaceId, idOrBizId: id }, timeLeftMs);
        if (now.status !== 'SCHEDULED') return { order: now, isReplay: true };
      }
      const cause = new Error(`${id} is SCHEDULED, but no transaction of its cancel found it so`);
      throw new ServiceError('UNAVAILABLE', { cause, server: 'mongodb' });
    };
  };
}
