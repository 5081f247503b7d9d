import type { Alert, AlertEvent } from '../domain/alerts.ts';
import type { Currencies } from '../domain/currency.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import type { LimitUse } from '../domain/limits.ts';
import { formatMoney, Money } from '../domain/money.ts';
import { noProgress } from '../domain/progress.ts';
import type { Leg, Order, StatementEntry } from './order.ts';
import { availableOf, type ListedFlow, type ListedWallet, type Standing, type Wallet } from '../domain/wallet.ts';
import { catalogue } from '../errors.ts';
import { createTimeText } from './time-text.ts';
import { findType } from './types.ts';

export type Presenter = ReturnType<typeof createPresenter>;

/** A range of a wallet's flows: where the wallet stood before it, and at its end. */
export interface Statement {
  readonly wallet: Wallet;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly opening: Standing;
  readonly closing: Standing;
  /** Up to when the figures are final. */
  readonly settledUntil: Date;
}

/** How an order would end, or how the one stands that its bizId made before. */
export interface PreviewedOrder {
  readonly end: Pick<Order, 'status' | 'failure' | 'failureLeg' | 'failureLimit'>;
  /** As the order would leave them; undefined if it is EXTERNAL, or the order has legs. */
  readonly source: Wallet | undefined;
  readonly target: Wallet | undefined;
  /** All that it names, each once, but EXTERNAL. */
  readonly wallets: readonly Wallet[];
}

/** How resources are answered: money as text with its currency's decimals, times in ISO 8601, EXTERNAL ids hidden. */
export function createPresenter(currencies: Currencies) {
  const money = (value: Money | string, currency: string): string => formatMoney(value, currencies.get(currency) ?? 0);

  const time = createTimeText();
  const amountOf = (value: Money | string | undefined, currency: string | undefined): string | null =>
    value === undefined || currency === undefined ? null : money(value, currency);

  const { limit, limitUse, budget, failure } = limitForms(money);

  const flow = (listed: ListedFlow) => ({
    id: listed.id,
    walletId: listed.walletId,
    sequence: listed.sequence,
    direction: listed.direction,
    amount: money(listed.amount, listed.currency),
    currency: listed.currency,
    balanceBefore: money(listed.balanceBefore, listed.currency),
    balanceAfter: money(listed.balanceAfter, listed.currency),
    transferId: listed.transferId,
    leg: listed.leg,
    counterpartyWalletId: shownWalletId(listed.counterpartyWalletId),
    createdAt: time(listed.createdAt),
  });

  return {
    money,
    wallet: (wallet: Wallet | ListedWallet) => ({
      id: wallet.id,
      workspaceId: wallet.workspaceId,
      name: wallet.name,
      reference: wallet.reference ?? null,
      metadata: wallet.metadata ?? {},
      currency: wallet.currency,
      status: wallet.status,
      balance: money(wallet.balance, wallet.currency),
      held: money(wallet.held, wallet.currency),
      creditLimit: money(wallet.creditLimit, wallet.currency),
      limits: (wallet.limits ?? []).map((each) => limit(each, wallet.currency)),
      available: money(availableIn(wallet), wallet.currency),
      createdAt: time(wallet.createdAt),
      updatedAt: time(wallet.updatedAt),
    }),
    /** @param asOf when the wallet was read. */
    balance: (wallet: Wallet, asOf: Date) => ({
      walletId: wallet.id,
      currency: wallet.currency,
      balance: money(wallet.balance, wallet.currency),
      held: money(wallet.held, wallet.currency),
      available: money(availableOf(wallet), wallet.currency),
      sequence: wallet.sequence,
      asOf: asOf.toISOString(),
    }),
    ...pastForms(money, flow),
    flow,
    limitUse,
    budget,
    ...alertForms(money, limitUse),
    order: (order: Order) => ({
      transferId: order.id,
      bizId: order.bizId,
      workspaceId: order.workspaceId,
      type: order.type,
      sourceWalletId: order.sourceWalletId === undefined ? null : shownWalletId(order.sourceWalletId),
      targetWalletId: order.targetWalletId === undefined ? null : shownWalletId(order.targetWalletId),
      amount: amountOf(order.amount, order.currency),
      currency: order.currency ?? null,
      status: order.status,
      failure: failure(order),
      parentId: order.parentId ?? null,
      description: order.description ?? null,
      reference: order.reference ?? null,
      metadata: order.metadata ?? {},
      executeAt: order.executeAt?.toISOString() ?? null,
      batchId: order.batchId ?? null,
      apiKey: order.apiKey ?? null,
      ...shown(order, money),
      createdAt: time(order.createdAt),
      updatedAt: time(order.updatedAt),
      completedAt: order.completedAt ? time(order.completedAt) : null,
    }),
    preview: previewForm(money, failure),
    completion: (order: Order) => ({
      transferId: order.id,
      bizId: order.bizId,
      completed: order.status === 'COMPLETED',
      status: order.status,
      completedAt: order.completedAt?.toISOString() ?? null,
      failure: failure(order),
    }),
  };
}

/** How an order would end, with the wallets as it would leave them. */
function previewForm(
  money: (value: Money | string, currency: string) => string,
  failure: (end: Pick<Order, 'failure' | 'failureLeg' | 'failureLimit'>) => object | null,
) {
  const standing = (wallet: Wallet) => ({
    walletId: wallet.id,
    balance: money(wallet.balance, wallet.currency),
    held: money(wallet.held, wallet.currency),
    available: money(availableOf(wallet), wallet.currency),
  });

  const sideOf = (wallet: Wallet | undefined) =>
    wallet && {
      balance: money(wallet.balance, wallet.currency),
      available: money(availableOf(wallet), wallet.currency),
    };

  return ({ end, source, target, wallets }: PreviewedOrder) => ({
    status: end.status,
    failure: failure(end),
    source: sideOf(source) ?? null,
    target: sideOf(target) ?? null,
    wallets: wallets.map(standing),
  });
}

/** How limits are answered, with their use and without, and the failures that name one. A budget has a currency of its own. */
function limitForms(money: (value: Money | string, currency: string) => string) {
  const limit = (
    { name, amount, count, window }: Pick<LimitUse, 'name' | 'amount' | 'count' | 'window'>,
    currency: string,
  ) => ({
    name,
    amount: amount === undefined ? null : money(amount, currency),
    count: count ?? null,
    window,
  });

  const limitUse = (use: LimitUse) => {
    const { currency, amount, count, used, usedCount, resetsAt } = use;
    const remaining = amount === undefined ? undefined : Money.max(amount.minus(used), 0);
    return {
      ...limit(use, currency),
      used: money(used, currency),
      usedCount,
      remaining: remaining === undefined ? null : money(remaining, currency),
      remainingCount: count === undefined ? null : Math.max(count - usedCount, 0),
      resetsAt: resetsAt?.toISOString() ?? null,
    };
  };

  const budget = (use: LimitUse) => {
    const { name, ...rest } = limitUse(use);
    return { name, currency: use.currency, ...rest };
  };

  /** Why an order failed; null if it did not. */
  const failure = ({
    failure: name,
    failureLeg,
    failureLimit,
  }: Pick<Order, 'failure' | 'failureLeg' | 'failureLimit'>) => {
    if (name === null) return null;
    const { code, message } = catalogue[name];
    const passed = name === 'KEY_BUDGET_EXCEEDED' ? budget : limitUse;
    return { code, message, leg: failureLeg ?? null, limit: failureLimit === undefined ? null : passed(failureLimit) };
  };

  return { limit, limitUse, budget, failure };
}

/** How alerts are answered, and what they tell. */
function alertForms<Shown extends object>(
  money: (value: Money, currency: string) => string,
  limitUse: (use: LimitUse) => Shown,
) {
  return {
    alert: ({ name, availableBelow, availableAbove, limitUsed, state, since }: Alert, currency: string) => ({
      name,
      availableBelow: availableBelow === undefined ? null : money(availableBelow, currency),
      availableAbove: availableAbove === undefined ? null : money(availableAbove, currency),
      limitUsed: limitUsed ?? null,
      state,
      since: since.toISOString(),
    }),
    alertEvent: ({ walletId, currency, name, state, number, limit, sequence, at, ...event }: AlertEvent) => ({
      walletId,
      name,
      state,
      number,
      available: money(event.available, currency),
      balance: money(event.balance, currency),
      held: money(event.held, currency),
      limit: limit && limitUse(limit),
      sequence,
      at: at.toISOString(),
    }),
  };
}

/** How what a wallet held and what moved on it in the past is answered. */
function pastForms<Shown extends object>(
  money: (value: Money, currency: string) => string,
  flow: (listed: ListedFlow) => Shown,
) {
  return {
    /** The balance at a moment that has passed; what was held then is not known. */
    balanceAt: ({ id, currency }: Wallet, { balance, sequence }: Standing, at: Date, settledUntil: Date) => ({
      walletId: id,
      currency,
      balance: money(balance, currency),
      held: null,
      available: null,
      sequence,
      asOf: at.toISOString(),
      settledUntil: settledUntil.toISOString(),
    }),
    /** What a statement says of its range as a whole, on every page. */
    statement: ({ wallet: { id, currency }, from, to, opening, closing, settledUntil }: Statement) => ({
      walletId: id,
      currency,
      from: from.toISOString(),
      to: to.toISOString(),
      openingBalance: money(opening.balance, currency),
      closingBalance: money(closing.balance, currency),
      debits: money(closing.debits.minus(opening.debits), currency),
      credits: money(creditsUntil(closing).minus(creditsUntil(opening)), currency),
      count: closing.sequence - opening.sequence,
      settledUntil: settledUntil.toISOString(),
    }),
    statementEntry: (entry: StatementEntry) => ({
      ...flow(entry),
      type: entry.type,
      bizId: entry.bizId,
      reference: entry.reference ?? null,
      description: entry.description ?? null,
    }),
  };
}

function creditsUntil({ balance, debits }: Standing): Money {
  return balance.plus(debits);
}

/** What only orders of some types have. */
function shown(order: Order, money: (value: Money | string, currency: string) => string) {
  const type = findType(order.type);
  const { currency, legs, progress = [] } = order;
  const { hold } = type?.shows?.(order) ?? {};
  const amount = (value: Money): string => money(value, currency ?? '');
  const reversedOf = (place: number): Money => (progress[place] ?? noProgress).reversed;
  const legOf = (leg: Leg, place: number) => ({
    sourceWalletId: shownWalletId(leg.sourceWalletId),
    targetWalletId: shownWalletId(leg.targetWalletId),
    amount: money(leg.amount, leg.currency),
    currency: leg.currency,
    description: leg.description ?? null,
    reversedAmount: type?.isReversible === true ? money(reversedOf(place), leg.currency) : null,
    parentLeg: leg.parentLeg ?? null,
  });
  const isReversedWhole = type?.isReversible === true && currency !== undefined;
  const reversed = progress.reduce((sum, of) => sum.plus(of.reversed), noProgress.reversed);
  return {
    legs: legs?.map(legOf) ?? null,
    reversedAmount: isReversedWhole ? amount(reversed) : null,
    hold:
      hold === undefined
        ? null
        : {
            state: hold.state,
            captured: amount(hold.captured),
            released: amount(hold.released),
            remaining: amount(hold.remaining),
            expiresAt: hold.expiresAt.toISOString(),
          },
  };
}

/** Of a wallet as lists read it, which is text, too. */
function availableIn({ balance, held, creditLimit }: Wallet | ListedWallet): Money | string {
  const isPlain = String(held) === '0' && String(creditLimit) === '0';
  return isPlain
    ? balance
    : availableOf({ balance: new Money(balance), held: new Money(held), creditLimit: new Money(creditLimit) });
}

function shownWalletId(walletId: string): string {
  return isExternalWalletId(walletId) ? 'EXTERNAL' : walletId;
}
