import type { Currencies } from '../domain/currency.ts';
import { applyEffects, ImpossibleEffectError, type FailureName, type WalletDraft } from '../domain/effects.ts';
import { withOneMore, type CountedStatus } from '../domain/order-counts.ts';
import type { Parent } from '../domain/progress.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import type { OrderToPost } from './order.ts';
import { typeOf, UnknownOrderTypeError } from './types.ts';

/** An order that others refer to. */
export interface ParentOrder extends Parent {
  readonly workspaceId: string;
  readonly expiresAt?: Date;
  /** Counts every change of its progress: the guard of a conditional update. */
  readonly changes: number;
}

/** What a group is folded with, by id. */
export interface ReadToPost {
  readonly wallets: ReadonlyMap<string, Wallet>;
  readonly parents: ReadonlyMap<string, ParentOrder>;
}

export interface Posting {
  /** Each order that is completed or failed, by its id. */
  readonly settled: ReadonlyMap<string, OrderToPost>;
  /** Ids of the orders whose effects were applied, in the order in which they were. */
  readonly completed: readonly string[];
  /** Ids of the orders that are to fail, by reason. */
  readonly failed: ReadonlyMap<FailureName, readonly string[]>;
  /** The orders that cannot be folded at all. They are in no other part of the posting. */
  readonly unpostable: readonly UnpostableOrderError[];
  /** Of the completed orders, in their order: for each move the debit, then the credit. */
  readonly flows: readonly Flow[];
  /** Each touched wallet once, as it is afterwards; its `version` is still the one that was read. */
  readonly wallets: readonly Wallet[];
  /** The orders that were used, as they are afterwards; their `changes` still those that were read. */
  readonly parents: readonly ParentOrder[];
  /** When the group counts as posted; see {@link settledAt} for one of its orders. */
  readonly postedAt: Date;
}

/**
 * By how much an order may be dated after the poster's clock and still give its time to its group, so that clocks that
 * differ a little make no difference. An order that is dated further ahead has a time of its own, or the wrong clock of one
 * process would date the money of others.
 */
export const aheadMaxMs = 1_000;

/** When an order of a posting counts as settled: never before it was created. */
export function settledAt({ settled, postedAt }: Posting, orderId: string): Date {
  const createdAt = settled.get(orderId)?.createdAt;
  return createdAt !== undefined && createdAt > postedAt ? createdAt : postedAt;
}

/** An order that cannot be folded at all: a fault of the data, not a failure that clients see. */
export class UnpostableOrderError extends Error {
  override readonly name = 'UnpostableOrderError';
  readonly orderId: string;
  readonly workspaceId: string;

  constructor({ id, workspaceId }: Pick<OrderToPost, 'id' | 'workspaceId'>, reason: string) {
    super(`order ${id} cannot be posted: ${reason}`);
    this.orderId = id;
    this.workspaceId = workspaceId;
  }
}

/**
 * Folds a group of pending orders into what has to be written, in the order given: an earlier credit may fund a later
 * debit. Orders whose source has too little available are folded once more after all others, in the order given, before they
 * fail. Pure: the same input gives the same result. Source: docs/posting.md, "The order of posting".
 * @param orders all PENDING, in the order in which they came to the poster. Their ids do not decide, because they carry the
 * clocks of the processes that accepted the orders.
 * @param read every wallet that the orders name, and every order that they refer to, as read in the posting transaction's
 * snapshot.
 * @param now the poster's clock. If it is behind by up to {@link aheadMaxMs}, the group counts as posted when its youngest
 * order was created. No flow is dated before its wallet's last one.
 */
export function foldOrders(
  orders: readonly OrderToPost[],
  { wallets, parents }: ReadToPost,
  currencies: Currencies,
  now: Date,
): Posting {
  const latestMs = now.getTime() + aheadMaxMs;
  const postedAt = orders.reduce(
    (latest, { createdAt }) => (createdAt > latest && createdAt.getTime() <= latestMs ? createdAt : latest),
    now,
  );
  /** The group's own copies of the wallets that changed. */
  const current = new Map<string, WalletDraft>();
  /** How far the orders are that the group has used. */
  const used = new Map<string, ParentOrder>();
  const settled = new Map<string, OrderToPost>();
  const completed: string[] = [];
  const failed = new Map<FailureName, string[]>();
  const unpostable: UnpostableOrderError[] = [];
  const flows: Flow[] = [];

  const parentNow = (id: string): ParentOrder | undefined => used.get(id) ?? parents.get(id);
  const seen = { wallet: (id: string) => current.get(id) ?? wallets.get(id), parent: parentNow };

  /** Applies the order's effects, if they can be. @returns why they cannot, with the balances as they are now. */
  function apply(order: OrderToPost): FailureName | UnpostableOrderError | undefined {
    const decimals = currencies.get(order.currency);
    if (decimals === undefined) return new UnpostableOrderError(order, `the currency ${order.currency} is not known`);
    const cause = { orderId: order.id, currency: order.currency, decimals, postedAt };
    try {
      const parent = order.parentId === undefined ? undefined : parentNow(order.parentId);
      const effects = typeOf(order).effects(order, { postedAt, parent });
      if (typeof effects === 'string') return effects;
      const applied = applyEffects(effects, seen, cause);
      if (typeof applied === 'string') return applied;
      for (const [id, draft] of applied.wallets) current.set(id, draft);
      for (const [id, progress] of applied.progress) {
        const before = parentNow(id);
        if (before !== undefined) used.set(id, { ...before, progress });
      }
      flows.push(...applied.flows);
      count(order, 'COMPLETED');
    } catch (error) {
      if (!(error instanceof ImpossibleEffectError) && !(error instanceof UnknownOrderTypeError)) throw error;
      return new UnpostableOrderError(order, error.message);
    }
    completed.push(order.id);
    return undefined;
  }

  function settle(order: OrderToPost, refusal: ReturnType<typeof apply>): void {
    if (refusal === undefined) return;
    if (refusal instanceof UnpostableOrderError) {
      unpostable.push(refusal);
      return;
    }
    count(order, 'FAILED');
    const ids = failed.get(refusal);
    if (ids === undefined) failed.set(refusal, [order.id]);
    else ids.push(order.id);
  }

  /** Each wallet that the order names has one order more in that state. */
  function count(order: OrderToPost, status: CountedStatus): void {
    settled.set(order.id, order);
    for (const { id } of typeOf(order).wallets(order)) {
      const draft = current.get(id) ?? copyOf(wallets.get(id));
      if (draft === undefined) continue;
      draft.orders = withOneMore(draft.orders, order.type, status);
      if (draft.updatedAt < postedAt) draft.updatedAt = postedAt;
      current.set(id, draft);
    }
  }

  const lacking: OrderToPost[] = [];
  for (const order of orders) {
    const refusal = apply(order);
    if (refusal === 'INSUFFICIENT_BALANCE') lacking.push(order);
    else settle(order, refusal);
  }
  for (const order of lacking) settle(order, apply(order));
  return {
    settled,
    completed,
    failed,
    unpostable,
    flows,
    wallets: [...current.values()],
    parents: [...used.values()],
    postedAt,
  };
}

function copyOf(wallet: Wallet | undefined): WalletDraft | undefined {
  return wallet && { ...wallet };
}
