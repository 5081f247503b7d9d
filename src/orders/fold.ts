import { areAboutLimits, judgeAlerts, type AlertEvent } from '../domain/alerts.ts';
import { drawOn, type KeyBudgets } from '../domain/budgets.ts';
import type { Currencies } from '../domain/currency.ts';
import {
  applyEffects,
  ImpossibleEffectError,
  type Applied,
  type Failure,
  type FailureName,
  type Seen,
  type WalletDraft,
} from '../domain/effects.ts';
import { usesOf, type Given, type LimitUse } from '../domain/limits.ts';
import { withOneMore, type CountedStatus } from '../domain/order-counts.ts';
import type { Parent } from '../domain/progress.ts';
import { availableOf, dateOn, type Flow, type Wallet } from '../domain/wallet.ts';
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
  /** Of each wallet that has limits, what it had given before the window of each; undefined of one without a window. */
  readonly before?: ReadonlyMap<string, readonly (Given | undefined)[]>;
  /** Those of the keys that made the orders, by key; absent of a key that has none. */
  readonly budgets?: ReadonlyMap<string, KeyBudgets>;
}

/** How an order ends. */
export interface Ending {
  readonly order: OrderToPost;
  readonly status: CountedStatus;
  /** Why it failed; null if it did not. */
  readonly failure: FailureName | null;
  /** The place of the leg at fault; absent if none is, or the order does not name its legs. */
  readonly failureLeg?: number;
  /** The limit or budget that it would have passed, as it stood. */
  readonly failureLimit?: LimitUse;
  /** By which version of its key's budgets it counts towards them; absent if it does not. */
  readonly budgets?: number;
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
  /** The budgets of keys that were used, as they are afterwards; their `changes` still those that were read. */
  readonly budgets: readonly KeyBudgets[];
  /** What the wallets' alerts are to tell. */
  readonly alerts: readonly AlertEvent[];
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
  readonly budgets: (apiKey: string | undefined) => KeyBudgets | undefined;
}

/** What the group has changed, or an atomic batch on trial: copies of their own. */
interface Changed {
  readonly wallets: Map<string, WalletDraft>;
  /** How far the orders are that were used. */
  readonly parents: Map<string, ParentOrder>;
  /** By key. */
  readonly budgets: Map<string, KeyBudgets>;
  readonly flows: Flow[];
  readonly now: AtOnePoint;
}

function nothingChanged(before: AtOnePoint): Changed {
  const [wallets, parents] = [new Map<string, WalletDraft>(), new Map<string, ParentOrder>()];
  const budgets = new Map<string, KeyBudgets>();
  const now: AtOnePoint = {
    wallet: (id) => wallets.get(id) ?? before.wallet(id),
    parent: (id) => parents.get(id) ?? before.parent(id),
    before: before.before,
    budgets: (apiKey = '') => budgets.get(apiKey) ?? before.budgets(apiKey),
  };
  return { wallets, parents, budgets, flows: [], now };
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

  constructor({ wallets, parents, before, budgets }: ReadToPost, postedAt: Date) {
    this.#walletsBefore = wallets;
    this.#postedAt = postedAt;
    this.#changed = nothingChanged({
      wallet: (id) => wallets.get(id),
      parent: (id) => parents.get(id),
      before: (id) => before?.get(id) ?? [],
      budgets: (apiKey = '') => budgets?.get(apiKey),
    });
  }

  /** Posts all orders of a unit. @returns which one keeps them from it, and nothing is changed then. */
  post(unit: readonly OrderToPost[], currencies: Currencies): Refused | undefined {
    const changed = unit.length === 1 ? this.#changed : nothingChanged(this.#changed.now);
    /** A limit refuses only what could be posted without it: the rest of a batch is tried first. */
    let overLimit: Refused | undefined;
    for (const [place, order] of unit.entries()) {
      const applied = applyOrder(order, changed.now, { currencies, postedAt: this.#postedAt, at: this.#dateOf(order) });
      if (applied instanceof UnpostableOrderError || 'name' in applied) return { order, why: applied };
      if (applied.exceeded !== undefined) overLimit ??= { order, why: applied.exceeded };
      // A single order changes what counts at once.
      if (overLimit === undefined || place < unit.length - 1) addTo(changed, applied);
    }
    if (overLimit !== undefined) return overLimit;
    if (changed !== this.#changed) {
      const { wallets, parents, budgets, flows } = changed;
      addTo(this.#changed, { wallets: wallets.values(), parents: parents.values(), budgets: budgets.values(), flows });
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
    const at = status === 'CANCELLED' ? latest(order.createdAt, this.#postedAt) : this.#dateOf(order);
    const place = failure?.leg === undefined || !order.namesLegs ? {} : { failureLeg: failure.leg };
    const limit = failure?.limit === undefined ? {} : { failureLimit: failure.limit };
    const budgets = status === 'COMPLETED' ? this.#budgetsOf(order)?.version : undefined;
    const counted = budgets === undefined ? {} : { budgets };
    this.#ended.push({ order, status, failure: failure?.name ?? null, ...place, ...limit, ...counted, at });
    for (const id of walletIdsOf(order)) {
      const before = this.#walletsBefore.get(id);
      const draft = this.#changed.wallets.get(id) ?? (before && { ...before });
      if (draft === undefined) continue;
      draft.orders = withOneMore(draft.orders, order.type, status);
      if (draft.updatedAt < this.#postedAt) draft.updatedAt = this.#postedAt;
      this.#changed.wallets.set(id, draft);
    }
  }

  /** The budgets towards which an order counts; undefined if its key has none. */
  #budgetsOf(order: OrderToPost): KeyBudgets | undefined {
    return order.apiKey !== undefined && typeOf(order).drawsOnBudget === true
      ? this.#changed.now.budgets(order.apiKey)
      : undefined;
  }

  /** When an order ends: never in a window of its key's budgets that has ended before. */
  #dateOf(order: OrderToPost): Date {
    const budgets = order.apiKey === undefined ? [] : (this.#changed.now.budgets(order.apiKey)?.budgets ?? []);
    return budgets.reduce((at, { from }) => latest(at, from), latest(notBefore(order), this.#postedAt));
  }

  /** Judges the alerts of all wallets on which something moved, or of which what is held has changed. */
  #judgeAlerts(): readonly AlertEvent[] {
    const watched = [...this.#changed.wallets.values()].filter(({ alerts }) => alerts !== undefined);
    return watched.flatMap((draft) => {
      const was = this.#walletsBefore.get(draft.id);
      const hasMoved = draft.sequence !== was?.sequence;
      // Another number of holds may reserve the same amount.
      if (!hasMoved && draft.held.equals(was.held) && draft.openHolds === was.openHolds) return [];
      const at = dateOn(draft, this.#postedAt);
      const uses = areAboutLimits(draft.alerts ?? none) ? usesOf(draft, this.#changed.now.before(draft.id), at) : none;
      const { alerts, alertEvents, events } = judgeAlerts(draft, availableOf(draft), uses, at);
      if (events.length > 0) Object.assign(draft, { alerts, alertEvents });
      return events;
    });
  }

  /** Call it once all orders have ended. */
  posting(): Posting {
    const { wallets, parents, budgets, flows } = this.#changed;
    const alerts = this.#judgeAlerts();
    return {
      ended: this.#ended,
      unpostable: this.#unpostable,
      flows,
      wallets: [...wallets.values()],
      walletsBefore: this.#walletsBefore,
      parents: [...parents.values()],
      budgets: [...budgets.values()],
      alerts,
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

/** What an order changes, and the limit or budget that forbids it, if one does. */
interface AppliedOrder extends Pick<Applied, 'flows'> {
  readonly wallets: Iterable<WalletDraft>;
  readonly parents: Iterable<ParentOrder>;
  readonly budgets: Iterable<KeyBudgets>;
  readonly exceeded: Failure | undefined;
}

function addTo(changed: Changed, { wallets, parents, budgets, flows }: Omit<AppliedOrder, 'exceeded'>): void {
  for (const draft of wallets) changed.wallets.set(draft.id, draft);
  for (const parent of parents) changed.parents.set(parent.id, parent);
  for (const ofKey of budgets) changed.budgets.set(ofKey.apiKey, ofKey);
  changed.flows.push(...flows);
}

const none: readonly never[] = [];

/**
 * Judges an order by its key's budgets, behind the limits of its wallets, leg by leg.
 * @param byLimit the limit of a wallet that it would pass. @returns the budgets as it leaves them.
 */
function judgeByBudgets(
  order: OrderToPost,
  now: AtOnePoint,
  at: Date,
  byLimit: Failure | undefined,
): Pick<AppliedOrder, 'budgets' | 'exceeded'> {
  const budgets = typeOf(order).drawsOnBudget === true ? now.budgets(order.apiKey) : undefined;
  if (budgets === undefined) return { budgets: none, exceeded: byLimit };
  const drawn = drawOn(budgets, order.legs, at);
  if (!('name' in drawn)) return { budgets: [drawn], exceeded: byLimit };
  const isFirst = byLimit === undefined || drawn.leg < (byLimit.leg ?? 0);
  return { budgets: none, exceeded: isFirst ? drawn : byLimit };
}

/** Applies an order's effects, if they can be. @returns why they cannot, with the balances as they are now. */
function applyOrder(
  order: OrderToPost,
  now: AtOnePoint,
  { currencies, postedAt, at }: { readonly currencies: Currencies; readonly postedAt: Date; readonly at: Date },
): AppliedOrder | Failure | UnpostableOrderError {
  try {
    if (order.simulate !== undefined && order.simulate !== 'SLOW') return { name: order.simulate };
    const type = typeOf(order);
    const parent = order.parentId === undefined ? undefined : now.parent(order.parentId);
    const effects = type.effects(order, { postedAt, parent });
    if ('name' in effects) return effects;
    const applied = applyEffects(effects, now, { orderId: order.id, currencies, postedAt });
    if ('name' in applied) return applied;
    const parents = [...applied.used].flatMap(([id, legs]) => {
      const before = now.parent(id);
      return before === undefined ? [] : [{ ...before, legs }];
    });
    const byLimit = type.isOverLimits?.(order) === true ? undefined : applied.exceeded;
    const { budgets, exceeded } = judgeByBudgets(order, now, at, byLimit);
    return { wallets: applied.wallets, parents, budgets, flows: applied.flows, exceeded };
  } catch (error) {
    if (!(error instanceof ImpossibleEffectError) && !(error instanceof UnknownOrderTypeError)) throw error;
    return new UnpostableOrderError(order, error.message);
  }
}

function isLacking({ why }: Refused): boolean {
  return 'name' in why && why.name === 'INSUFFICIENT_BALANCE';
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** When a group counts as posted; see {@link foldOrders}. */
export function postedAtOf(orders: readonly OrderToPost[], now: Date): Date {
  const latestMs = now.getTime() + aheadMaxMs;
  return orders.reduce((postedAt, order) => {
    const earliest = notBefore(order);
    return earliest > postedAt && earliest.getTime() <= latestMs ? earliest : postedAt;
  }, now);
}
