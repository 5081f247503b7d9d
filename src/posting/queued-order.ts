import { unitOf, type OrderToPost } from '../orders/order.ts';
import { changedIdsOf } from '../orders/types.ts';
import type { PostingJobResult } from '../queue/queue.ts';

/** What became of an order: `requeued` if the partition's next owner is to post it. */
export type Outcome = keyof PostingJobResult | 'requeued';

/** An order that a job has brought, until its outcome is known. */
export interface QueuedOrder {
  readonly id: string;
  readonly workspaceId: string;
  /** Aborts when the order is to be left to the next owner, unless it is in a group already. */
  readonly signal: AbortSignal;
  /**
   * Orders wait in the line of their workspace: at its front those that are read, then those that a query is reading, then
   * the unread ones. One in a group is in no line any more.
   */
  state: 'unread' | 'reading' | 'read' | 'in group' | 'settled';
  /** Known once it is read; so are its keys. */
  order: OrderToPost | undefined;
  /** Ids of what it changes. No two groups in flight have one in common. */
  busyKeys: readonly string[];
  /** How many orders it is, once it is read: more than one if it is the first of an atomic batch. */
  size: number;
  readonly outcome: Promise<Outcome | Error>;
  /** Resolves the outcome. Only the first call counts. */
  readonly settle: (outcome: Outcome | Error) => void;
}

export type ReadOrder = QueuedOrder & { readonly order: OrderToPost };

/** @param onSettled called once, before the outcome resolves. */
export function createQueuedOrder(
  { id, workspaceId, signal }: Pick<QueuedOrder, 'id' | 'workspaceId' | 'signal'>,
  onSettled: () => void,
): QueuedOrder {
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome | Error>();
  const queued: QueuedOrder = {
    id,
    workspaceId,
    signal,
    state: 'unread',
    order: undefined,
    busyKeys: [],
    size: 1,
    outcome,
    settle(settled) {
      if (queued.state === 'settled') return;
      queued.state = 'settled';
      onSettled();
      resolve(settled);
    },
  };
  return queued;
}

export function markRead(queued: QueuedOrder, order: OrderToPost): void {
  queued.state = 'read';
  queued.order = order;
  queued.busyKeys = changedIdsOf(order);
  queued.size = unitOf(order).length;
}

export function isRead(queued: QueuedOrder): queued is ReadOrder {
  return queued.state === 'read';
}

export function isSettled({ state }: QueuedOrder): boolean {
  return state === 'settled';
}
