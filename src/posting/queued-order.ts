import { unitOf, type OrderToPost } from '../orders/order.ts';
import { changedIdsOf } from '../orders/types.ts';
import type { PostingJobResult } from '../queue/queue.ts';

/** What became of an order: `requeued` if the partition's next owner is to post it. */
export type Outcome = keyof PostingJobResult | 'requeued';

type OnOutcome = (outcome: Outcome | Error) => void;

/** An order that a job has brought, until its outcome is known. */
export class QueuedOrder {
  readonly id: string;
  readonly workspaceId: string;
  /** Aborts when the order is to be left to the next owner, unless it is in a group already. */
  readonly signal: AbortSignal;
  /**
   * Orders wait in the line of their workspace: at its front those that are read, then those that a query is reading, then
   * the unread ones. One in a group is in no line any more.
   */
  state: 'unread' | 'reading' | 'read' | 'in group' | 'settled' = 'unread';
  /** Known once it is read; so are its keys. */
  order: OrderToPost | undefined;
  /** Ids of what it changes. No two groups in flight have one in common. */
  busyKeys: readonly string[] = [];
  /** How many orders it is, once it is read: more than one if it is the first of an atomic batch. */
  size = 1;
  /** No promise for each order: a job's orders are hundreds, and ten thousands may be in hand. */
  readonly #listeners: OnOutcome[];

  /** @param onOutcome is called once; before others that listen. */
  constructor({ id, workspaceId, signal }: Pick<QueuedOrder, 'id' | 'workspaceId' | 'signal'>, onOutcome: OnOutcome) {
    this.id = id;
    this.workspaceId = workspaceId;
    this.signal = signal;
    this.#listeners = [onOutcome];
  }

  /** Calls once the outcome is known; never, if it is known already. */
  listen(onOutcome: OnOutcome): void {
    this.#listeners.push(onOutcome);
  }

  /** Only the first call counts. */
  settle(outcome: Outcome | Error): void {
    if (this.state === 'settled') return;
    this.state = 'settled';
    for (const listener of this.#listeners) listener(outcome);
  }
}

export type ReadOrder = QueuedOrder & { readonly order: OrderToPost };

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
