import type { Currencies } from '../domain/currency.ts';
import {
  applyEffects,
  ImpossibleEffectError,
  type FailureName,
  type Seen,
  type WalletDraft,
} from '../domain/effects.ts';
import { withOneMore, type CountedStatus } from '../domain/order-counts.ts';
import type { Parent } from '../domain/progress.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import { unitOf, type OrderToPost } from './order.ts';
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
  /** The orders that cannot be folded at all, of an atomic batch the first. They are in no other part of the posting. */
  readonly unpostable: readonly UnpostableOrderError[];
  /** Of the completed orders, in their order: for each move the debit, then the credit. */
  readonly flows: readonly Flow[];
  /** Each touched wallet once, as it is afterwards; its `version` is still the one that was read. */
  readonly wallets: readonly Wallet[];
  /** The wallets that the orders name, as they were read or remembered, by id. */
  readonly walletsBefore: ReadonlyMap<string, Wallet>;
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

/** Before this an order was not to be posted. */
function notBefore({ createdAt, executeAt = createdAt }: OrderToPost): Date {
  return executeAt > createdAt ? executeAt : createdAt;
}

/** When an order of a posting counts as settled: never before it was created, nor before the time that was asked for. */
export function settledAt({ settled, postedAt }: Posting, orderId: string): Date {
  const order = settled.get(orderId);
  const earliest = order === undefined ? postedAt : notBefore(order);
  return earliest > postedAt ? earliest : postedAt;
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

/** Wallets and used orders at some point of the fold. */
interface AtOnePoint extends Seen {
  readonly parent: (id: string) => ParentOrder | undefined;
}

/** What the group has changed, or an atomic batch on trial: copies of their own. */
interface Changed {
  readonly wallets: Map<string, WalletDraft>;
  /** How far the orders are that were used. */
  readonly parents: Map<string, ParentOrder>;
  readonly flows: Flow[];
  readonly now: AtOnePoint;
}

function nothingChanged(before: AtOnePoint): Changed {
  const [wallets, parents] = [new Map<string, WalletDraft>(), new Map<string, ParentOrder>()];
  const now: AtOnePoint = {
    wallet: (id) => wallets.get(id) ?? before.wallet(id),
    parent: (id) => parents.get(id) ?? before.parent(id),
  };
  return { wallets, parents, flows: [], now };
}

/** Which order of a unit cannot have its effects, and why. */
interface Refused {
  readonly order: OrderToPost;
  readonly why: FailureName | UnpostableOrderError;
}

/**
 * Folds a group of pending orders into what has to be written, in the order given: an earlier credit may fund a later
 * debit. Orders whose source has too little available are folded once more after all others, in the order given, before they
 * fail. An atomic batch counts as one order: all of it is completed, or all fails. Pure: the same input gives the same result.
 * Source: docs/posting.md, "The order of posting".
 * @param orders all PENDING, in the order in which they came to the poster. Their ids do not decide, because they carry the
 * clocks of the processes that accepted the orders.
 * @param read every wallet that the orders name, and every order that they refer to: as read in the posting transaction's
 * snapshot, or remembered and guarded by its version.
 * @param now the poster's clock. If it is behind by up to {@link aheadMaxMs}, the group counts as posted when its youngest
 * order was created, or the latest was to be posted. No flow is dated before its wallet's last one.
 */
export function foldOrders(
  orders: readonly OrderToPost[],
  { wallets, parents }: ReadToPost,
  currencies: Currencies,
  now: Date,
): Posting {
  const postedAt = postedAtOf(orders, now);
  const group = nothingChanged({ wallet: (id) => wallets.get(id), parent: (id) => parents.get(id) });
  const settled = new Map<string, OrderToPost>();
  const completed: string[] = [];
  const failed = new Map<FailureName, string[]>();
  const unpostable: UnpostableOrderError[] = [];

  /** Applies an order's effects, if they can be. @returns why they cannot, with the balances as they are now. */
  function apply(order: OrderToPost, changed: Changed): Refused['why'] | undefined {
    const decimals = currencies.get(order.currency);
    if (decimals === undefined) return new UnpostableOrderError(order, `the currency ${order.currency} is not known`);
    const cause = { orderId: order.id, currency: order.currency, decimals, postedAt };
    try {
      const parent = order.parentId === undefined ? undefined : changed.now.parent(order.parentId);
      const effects = typeOf(order).effects(order, { postedAt, parent });
      if (typeof effects === 'string') return effects;
      const applied = applyEffects(effects, changed.now, cause);
      if (typeof applied === 'string') return applied;
      for (const draft of applied.wallets) changed.wallets.set(draft.id, draft);
      for (const [id, progress] of applied.progress) {
        const before = changed.now.parent(id);
        if (before !== undefined) changed.parents.set(id, { ...before, progress });
      }
      changed.flows.push(...applied.flows);
    } catch (error) {
      if (!(error instanceof ImpossibleEffectError) && !(error instanceof UnknownOrderTypeError)) throw error;
      return new UnpostableOrderError(order, error.message);
    }
    return undefined;
  }

  /** Applies all orders of a unit, or none. */
  function applyUnit(unit: readonly OrderToPost[]): Refused | undefined {
    const changed = unit.length === 1 ? group : nothingChanged(group.now);
    for (const order of unit) {
      const why = apply(order, changed);
      if (why !== undefined) return { order, why };
    }
    if (changed !== group) {
      for (const [id, draft] of changed.wallets) group.wallets.set(id, draft);
      for (const [id, parent] of changed.parents) group.parents.set(id, parent);
      group.flows.push(...changed.flows);
    }
    for (const order of unit) {
      count(order, 'COMPLETED');
      completed.push(order.id);
    }
    return undefined;
  }

  function settle(unit: readonly OrderToPost[], refused: Refused | undefined): void {
    if (refused === undefined) return;
    const { order: atFault, why } = refused;
    if (why instanceof UnpostableOrderError) {
      const [first = atFault] = unit;
      unpostable.push(first === atFault ? why : new UnpostableOrderError(first, `of its batch, ${why.message}`));
      return;
    }
    for (const order of unit) {
      const reason = order === atFault ? why : 'BATCH_FAILED';
      count(order, 'FAILED');
      const ids = failed.get(reason);
      if (ids === undefined) failed.set(reason, [order.id]);
      else ids.push(order.id);
    }
  }

  /** Each wallet that the order names has one order more in that state. */
  function count(order: OrderToPost, status: CountedStatus): void {
    settled.set(order.id, order);
    for (const { id } of typeOf(order).wallets(order)) {
      const draft = group.wallets.get(id) ?? copyOf(wallets.get(id));
      if (draft === undefined) continue;
      draft.orders = withOneMore(draft.orders, order.type, status);
      if (draft.updatedAt < postedAt) draft.updatedAt = postedAt;
      group.wallets.set(id, draft);
    }
  }

  const lacking: (readonly OrderToPost[])[] = [];
  for (const unit of orders.map(unitOf)) {
    const refused = applyUnit(unit);
    if (refused?.why === 'INSUFFICIENT_BALANCE') lacking.push(unit);
    else settle(unit, refused);
  }
  for (const unit of lacking) settle(unit, applyUnit(unit));
  return {
    settled,
    completed,
    failed,
    unpostable,
    flows: group.flows,
    wallets: [...group.wallets.values()],
    walletsBefore: wallets,
    parents: [...group.parents.values()],
    postedAt,
  };
}

/** When a group counts as posted. */
function postedAtOf(orders: readonly OrderToPost[], now: Date): Date {
  const latestMs = now.getTime() + aheadMaxMs;
  return orders.reduce((latest, order) => {
    const earliest = notBefore(order);
    return earliest > latest && earliest.getTime() <= latestMs ? earliest : latest;
  }, now);
}

function copyOf(wallet: Wallet | undefined): WalletDraft | undefined {
  return wallet && { ...wallet };
}
