import { unitOf, type OrderToPost } from '../orders/order.ts';
import { toError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { RefusedWriteError } from '../storage/group-writes.ts';
import type { Settling } from '../storage/orders/orders.ts';
import type { StuckOrders } from '../storage/orders/stuck-orders.ts';
import { isDocumentFault } from '../storage/shared/transaction.ts';
import { inSpan } from '../tracing.ts';
import type { EndIfHung, PostingSlot, PostInTransaction } from './group-transaction.ts';
import type { PostObserver } from './observer.ts';
import type { PostedCounts } from '../queue/posting-queue.ts';

export type Outcome = keyof PostedCounts;
type Outcomes = ReadonlyMap<string, Outcome | Error>;

/** Posts a group in a session of its own; see {@link createPostGroup}. */
export type PostGroup = (orders: readonly OrderToPost[]) => Promise<Outcomes>;

interface PostGroupOptions {
  readonly postInTransaction: PostInTransaction;
  readonly stuckOrders: Pick<StuckOrders, 'recordFaults'>;
  readonly observe: PostObserver;
  readonly log: Logger;
  readonly endIfHung: EndIfHung;
}

/** How often an order may fail for a reason of its own before it is set aside. */
const faultsMax = 4;

interface OrderFault {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly error: Error;
}

export type PostGroupIn = (orders: readonly OrderToPost[], slot: PostingSlot) => Promise<Outcomes>;

/**
 * @returns a function that posts a group in one transaction, without the orders that cannot be posted for a reason of their
 * own. Leaving out those that the fold names costs nothing. If MongoDB refuses others, they are taken out and the rest is
 * posted again. Posting is a no-op for an order that is no longer PENDING. The orders are posted in the order given. It
 * resolves to the outcome of each order by id: an Error for one that could not be posted; none for one that was no longer
 * PENDING. It throws if MongoDB is away or the group lost too many conflicts: it is then not known which orders were posted.
 */
export function createPostGroup({
  postInTransaction,
  stuckOrders,
  observe,
  log,
  endIfHung,
}: PostGroupOptions): PostGroupIn {
  async function postSkippingFaulty(orders: readonly OrderToPost[], slot: PostingSlot): Promise<Outcomes> {
    const outcomes = new Map<string, Outcome | Error>();
    const add = (more: Outcomes): void => {
      for (const [id, outcome] of more) outcomes.set(id, outcome);
    };
    let settling: Settling = 'together';
    for (let rest = orders; rest.length > 0;) {
      try {
        const { posted, faults } = await postTogether(rest, slot, settling);
        add(posted);
        add(await recordFaults(faults));
        return outcomes;
      } catch (error) {
        if (!isDocumentFault(error)) throw error;
        const faults = faultsOf(error, rest);
        if (faults.length > 0) {
          add(await recordFaults(faults));
          rest = rest.filter(({ id }) => !outcomes.has(id));
        } else if (error instanceof RefusedWriteError && settling === 'together') settling = 'one by one';
        else {
          // The error names no order, so it is found by halving the group.
          const middle = Math.ceil(rest.length / 2);
          for (const half of [rest.slice(0, middle), rest.slice(middle)]) add(await postSkippingFaulty(half, slot));
          return outcomes;
        }
      }
    }
    return outcomes;
  }

  async function postTogether(
    orders: readonly OrderToPost[],
    slot: PostingSlot,
    settling: Settling,
  ): Promise<{ posted: Outcomes; faults: readonly OrderFault[] }> {
    const startedAt = performance.now();
    const committed = await postInTransaction(orders, slot, settling);
    if (committed === undefined) return { posted: new Map(), faults: [] };
    const { posting, attempts } = committed;
    log.debug({ orders: posting.ended.length, attempts }, 'group posted');
    if (posting.ended.length > 0) observe.groupPosted({ ...committed, durationMs: performance.now() - startedAt });
    const posted = new Map(
      posting.ended.map(({ order, failure }) => [order.id, failure === null ? 'completed' : 'failed'] as const),
    );
    const faults = posting.unpostable.map((error) => ({
      workspaceId: error.workspaceId,
      orderId: error.orderId,
      error,
    }));
    return { posted, faults };
  }

  async function recordFaults(faults: readonly OrderFault[]): Promise<Outcomes> {
    const [first] = faults;
    if (first === undefined) return new Map();
    const reasons = faults.map(({ error, ...order }) => ({ ...order, reason: error.message }));
    const setAside = await endIfHung(stuckOrders.recordFaults(reasons, faultsMax));
    log.error(
      { err: first.error, orderId: first.orderId, orders: faults.length, setAside: setAside.size },
      'orders cannot be posted; the first is named',
    );
    return new Map(faults.map(({ orderId, error }) => [orderId, setAside.has(orderId) ? 'setAside' : error]));
  }

  return async (orders, slot) => {
    const startedAt = performance.now();
    const span = { kind: 'internal', attributes: { orders: orders.length } } as const;
    try {
      return await inSpan('post group', span, () => postSkippingFaulty(orders, slot));
    } catch (error) {
      observe.groupFailed(performance.now() - startedAt);
      log.warn({ err: error, orders: orders.length }, 'group not posted; it is tried again');
      throw error;
    }
  };
}

/** The orders that made a group fail; none if the error does not name them. */
function faultsOf(error: unknown, orders: readonly OrderToPost[]): OrderFault[] {
  const refused = error instanceof RefusedWriteError ? error : undefined;
  const cause = toError(refused?.cause ?? error);
  const refusedIds = new Set(orders.length === 1 ? orders.map(({ id }) => id) : refused?.orderIds);
  // An atomic batch is at fault as a whole, by its first order.
  return orders
    .filter((order) => unitOf(order).some(({ id }) => refusedIds.has(id)))
    .map(({ workspaceId, id }) => ({ workspaceId, orderId: id, error: cause }));
}
