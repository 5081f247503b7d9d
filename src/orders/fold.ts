import type { Currencies } from '../domain/currency.ts';
import {
  applyEffects,
  ImpossibleEffectError,
  type Failure,
  type FailureName,
  type Seen,
  type WalletDraft,
} from '../domain/effects.ts';
import { withOneMore, type CountedStatus } from '../domain/order-counts.ts';
import type { Parent } from '../domain/progress.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import { unitOf, type OrderToPost } from './order.ts';
import { defers, typeOf, UnknownOrderTypeError, walletIdsOf } from './types.ts';

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

/** How an order ends. */
export interface Ending {
  readonly order: OrderToPost;
  readonly status: CountedStatus;
  /** Why it failed; null if it did not. */
  readonly failure: FailureName | null;
  /** The place of the leg at fault; absent if none is, or the order does not name its legs. */
  readonly failureLeg?: number;
  /** When: never before it was created, nor before the time that was asked for. */
  readonly at: Date;
}

export interface Posting {
  /** The orders that end; those that are completed in the order in which their effects were applied. */
  readonly ended: readonly Ending[];
  /** The orders that cannot be folded at all, of an atomic batch the first. They are in no other part of the posting. */
  readonly unpostable: readonly UnpostableOrderError[];
  /** Of the completed orders, in their order: of each leg the debit, then the credit. */
  readonly flows: readonly Flow[];
  /** Each touched wallet once, as it is afterwards; its `version` is still the one that was read. */
  readonly wallets: readonly Wallet[];
  /** The wallets that the orders name, as they were read or remembered, by id. */
  readonly walletsBefore: ReadonlyMap<string, Wallet>;
  /** The orders that were used, as they are afterwards; their `changes` still those that were read. */
  readonly parents: readonly ParentOrder[];
  /** When the group counts as posted. One of its orders may have a time of its own. */
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
  readonly why: Failure | UnpostableOrderError;
}

/** A group that is folded: what its orders change, one after the other. */
class GroupFold {
  readonly #walletsBefore: ReadonlyMap<string, Wallet>;
  readonly #postedAt: Date;
  readonly #changed: Changed;
  readonly #ended: Ending[] = [];
  readonly #unpostable: UnpostableOrderError[] = [];

  constructor({ wallets, parents }: ReadToPost, postedAt: Date) {
    this.#walletsBefore = wallets;
    this.#postedAt = postedAt;
    this.#changed = nothingChanged({ wallet: (id) => wallets.get(id), parent: (id) => parents.get(id) });
  }

  /** Posts all orders of a unit. @returns which one keeps them from it, and nothing is changed then. */
  post(unit: readonly OrderToPost[], currencies: Currencies): Refused | undefined {
    const changed = unit.length === 1 ? this.#changed : nothingChanged(this.#changed.now);
    for (const order of unit) {
      const why = applyOrder(order, changed, currencies, this.#postedAt);
      if (why !== undefined) return { order, why };
    }
    if (changed !== this.#changed) {
      for (const [id, draft] of changed.wallets) this.#changed.wallets.set(id, draft);
      for (const [id, parent] of changed.parents) this.#changed.parents.set(id, parent);
      this.#changed.flows.push(...changed.flows);
    }
    for (const order of unit) this.end(order, 'COMPLETED');
    return undefined;
  }

  /** A unit ends as a whole, by what keeps one of its orders from being posted. */
  refuse(unit: readonly OrderToPost[], { order: atFault, why }: Refused): void {
    if (why instanceof UnpostableOrderError) {
      const [first = atFault] = unit;
      this.#unpostable.push(first === atFault ? why : new UnpostableOrderError(first, `of its batch, ${why.message}`));
      return;
    }
    for (const order of unit) this.end(order, 'FAILED', order === atFault ? why : { name: 'BATCH_FAILED' });
  }

  /** An order ends, and each wallet that it names has one order more in that state. */
  end(order: OrderToPost, status: CountedStatus, failure?: Failure): void {
    const earliest = status === 'CANCELLED' ? order.createdAt : notBefore(order);
    const at = earliest > this.#postedAt ? earliest : this.#postedAt;
    const place = failure?.leg === undefined || !order.namesLegs ? {} : { failureLeg: failure.leg };
    this.#ended.push({ order, status, failure: failure?.name ?? null, ...place, at });
    for (const id of walletIdsOf(order)) {
      const draft = this.#changed.wallets.get(id) ?? copyOf(this.#walletsBefore.get(id));
      if (draft === undefined) continue;
      draft.orders = withOneMore(draft.orders, order.type, status);
      if (draft.updatedAt < this.#postedAt) draft.updatedAt = this.#postedAt;
      this.#changed.wallets.set(id, draft);
    }
  }

  posting(): Posting {
    const { wallets, parents, flows } = this.#changed;
    return {
      ended: this.#ended,
      unpostable: this.#unpostable,
      flows,
      wallets: [...wallets.values()],
      walletsBefore: this.#walletsBefore,
      parents: [...parents.values()],
      postedAt: this.#postedAt,
    };
  }
}

/**
 * Folds a group of pending orders into what has to be written, in the order given: an earlier credit may fund a later
 * debit. Orders whose source has too little available are folded once more after all others, in the order given, before they
 * fail; those that defer to others come last. An atomic batch counts as one order: all of it is completed, or all fails. Pure:
 * the same input gives the same result.
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
  read: ReadToPost,
  currencies: Currencies,
  now: Date,
): Posting {
  const group = new GroupFold(read, postedAtOf(orders, now));
  const lacking: (readonly OrderToPost[])[] = [];
  for (const unit of orders.filter((order) => !defers(order)).map(unitOf)) {
    const refused = group.post(unit, currencies);
    if (refused !== undefined && isLacking(refused)) lacking.push(unit);
    else if (refused !== undefined) group.refuse(unit, refused);
  }
  for (const unit of [...lacking, ...orders.filter(defers).map(unitOf)]) {
    const refused = group.post(unit, currencies);
    if (refused !== undefined) group.refuse(unit, refused);
  }
  return group.posting();
}

/**
 * Folds orders that are cancelled while they are SCHEDULED. Pure.
 * @param wallets every wallet that they name, as read in the transaction's snapshot.
 * @param now none is cancelled before it was created, should this clock be behind.
 */
export function foldCancels(orders: readonly OrderToPost[], wallets: ReadonlyMap<string, Wallet>, now: Date): Posting {
  const group = new GroupFold({ wallets, parents: new Map() }, now);
  for (const order of orders) group.end(order, 'CANCELLED');
  return group.posting();
}

/** Applies an order's effects, if they can be. @returns why they cannot, with the balances as they are now. */
function applyOrder(
  order: OrderToPost,
  changed: Changed,
  currencies: Currencies,
  postedAt: Date,
): Refused['why'] | undefined {
  try {
    if (order.simulate !== undefined && order.simulate !== 'SLOW') return { name: order.simulate };
    const parent = order.parentId === undefined ? undefined : changed.now.parent(order.parentId);
    const effects = typeOf(order).effects(order, { postedAt, parent });
    if ('name' in effects) return effects;
    const applied = applyEffects(effects, changed.now, { orderId: order.id, currencies, postedAt });
    if ('name' in applied) return applied;
    for (const draft of applied.wallets) changed.wallets.set(draft.id, draft);
    for (const [id, legs] of applied.used) {
      const before = changed.now.parent(id);
      if (before !== undefined) changed.parents.set(id, { ...before, legs });
    }
    changed.flows.push(...applied.flows);
  } catch (error) {
    if (!(error instanceof ImpossibleEffectError) && !(error instanceof UnknownOrderTypeError)) throw error;
    return new UnpostableOrderError(order, error.message);
  }
  return undefined;
}

function isLacking({ why }: Refused): boolean {
  return 'name' in why && why.name === 'INSUFFICIENT_BALANCE';
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
