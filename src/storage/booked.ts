import type { Document } from 'mongodb';
import { isTotalsId } from '../domain/ids.ts';
import type { Alert } from '../domain/alerts.ts';
import type { Budget, KeyBudgets } from '../domain/budgets.ts';
import type { Limit } from '../domain/limits.ts';
import { Money } from '../domain/money.ts';
import { countedStatuses, type CountedStatus, type OrderCounts } from '../domain/order-counts.ts';
import { noProgress, type Progress, type ProgressPart } from '../domain/progress.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import type { LegToPost, Order, OrderToPost } from '../orders/order.ts';
import { keyIn, shownStatus, type OrderDocument, type StoredStatus } from './orders/documents.ts';
import type { KeyBudgetsDocument } from './keys/budgets.ts';
import type { WalletDocument } from './wallets/documents.ts';
import { moneyFromText } from './wallets/limits.ts';
import type { TotalsDocument } from './wallets/totals.ts';
import type { OutboxEntry } from './webhooks/outbox.ts';

/* What verification reads of stored documents, of which it believes nothing. */

/** A document of any collection whose ids are text. */
export type Row = Document & { readonly _id: string };

/** A wallet as stored. It is not trusted: the types are those of a sound document. */
export interface BookedWallet extends Pick<
  Wallet,
  | ('id' | 'workspaceId' | 'currency' | 'balance' | 'held' | 'creditLimit' | 'sequence' | 'flowHash')
  | ('lastFlowAt' | 'createdAt' | 'updatedAt' | 'debitOrders' | 'openHolds' | 'limits' | 'alerts')
> {
  /** Whether it ever had a credit limit. */
  readonly hadCredit: boolean;
  readonly kind: string;
  readonly status: string;
  readonly debitFlows: number;
  readonly debits: Money;
  readonly alertEvents: number;
  /** How many orders it says that it has. */
  readonly counts: ClaimedCounts;
  /** As JSON, which is not trusted either. */
  readonly metadata?: unknown;
}

/** Numbers of orders other than 0, by type. */
export type CountsByType = ReadonlyMap<string, number>;

/** How many orders a wallet says that it has, by state and type. */
export type ClaimedCounts = Readonly<Record<CountedStatus, CountsByType>>;

export type Claim = Pick<BookedWallet, 'id' | 'workspaceId' | 'counts'>;

/** A part of a workspace's totals. */
export type BookedTotals = Pick<TotalsDocument, 'workspaceId' | 'orders' | 'wallets'>;

/** Orders of one type that were COMPLETED and use one leg of an order: what they are together, and how many orders. */
export interface BookedUse extends Pick<OrderToPost, 'type' | 'terms'> {
  readonly parentId: string;
  readonly leg: number;
  readonly amount: Money;
  readonly count: number;
}

/** What was written for webhooks of orders that ended. */
export type BookedEntry = Pick<
  OutboxEntry,
  'workspaceId' | 'completed' | 'failed' | 'cancelled' | 'alerts' | 'createdAt'
> & {
  readonly id: string;
};

/** An order as stored, not trusted either. */
export interface BookedOrder
  extends
    Omit<OrderToPost, 'others'>,
    Pick<Order, 'bizId' | 'batchId' | 'otherIds' | 'firstId' | 'updatedAt' | 'completedAt' | 'progress'>,
    Pick<Order, 'sourceWalletId' | 'targetWalletId' | 'failureLeg'>,
    Pick<OrderDocument, 'dueAt' | 'wallets' | 'digest' | 'currency' | 'budgets'> {
  /** Of all legs, where it says that. */
  readonly amount?: Money;
  readonly status: string;
  /** As it is stored: see {@link StoredStatus}. */
  readonly storedStatus: string;
  readonly failure: string | null;
  /** How often its progress was changed. */
  readonly changes: number;
  /** As JSON. */
  readonly metadata?: unknown;
}

/** A flow with the order that it names; the order is undefined if it does not exist. */
export interface BookedFlow {
  readonly flow: Flow;
  readonly order: BookedOrder | undefined;
}

/** Totals are stored among the wallets. */
export function isWallet({ _id }: Row): boolean {
  return !isTotalsId(_id);
}

export function toClaim({ _id, ...row }: Row): Claim {
  return { id: _id, workspaceId: String(row['workspaceId']), counts: countsIn(row['orders']) };
}

export function toWallet({ _id, ...row }: Row): BookedWallet {
  return {
    ...(row as Omit<BookedWallet, 'id' | 'balance' | 'held' | 'creditLimit' | 'hadCredit' | 'debits' | 'counts'>),
    ...watchedIn({ _id, ...row }),
    id: _id,
    balance: toMoney(row['balance']),
    held: toMoney(row['held'] ?? 0),
    creditLimit: toMoney(row['creditLimit'] ?? 0),
    hadCredit: row['creditLimit'] !== undefined,
    debits: toMoney(row['debits']),
    counts: countsIn(row['orders']),
  };
}

/** What its limits and alerts are judged by. */
function watchedIn(row: Row) {
  const { debitOrders = 0, openHolds = 0, alertEvents = 0 } = row as Partial<WalletDocument>;
  const { limits = [], alerts = [] } = row as Partial<WalletDocument>;
  return {
    ...{ debitOrders, openHolds, alertEvents },
    limits: limits.map((limit) => moneyFromText<Limit>(limit, toMoney)),
    alerts: alerts.map((alert) => moneyFromText<Alert>(alert, toMoney)),
  };
}

function countsIn(stored: unknown): ClaimedCounts {
  const byType = Object.entries((stored ?? {}) as OrderCounts);
  const inState = (status: CountedStatus): CountsByType =>
    new Map(byType.map(([type, counts]) => [type, counts[status] ?? 0] as const).filter(([, count]) => count !== 0));
  return Object.fromEntries(countedStatuses.map((status) => [status, inState(status)])) as ClaimedCounts;
}

export function toOrder({ _id, ...row }: Row): BookedOrder {
  const { progress, amount, legs, ...order } = row as Omit<
    BookedOrder,
    'id' | 'amount' | 'legs' | 'progress' | 'changes' | 'storedStatus'
  > & { progress?: Document; amount?: unknown; legs?: unknown };
  return {
    ...order,
    ...keyIn(row),
    id: _id,
    ...(amount === undefined ? {} : { amount: toMoney(amount) }),
    legs: legsIn(row),
    namesLegs: legs !== undefined,
    ...(progress === undefined ? {} : { progress: toProgress(progress) }),
    status: shownStatus(order.status as StoredStatus),
    storedStatus: order.status,
    changes: Number(progress?.['changes'] ?? 0),
  };
}

/** The budgets of a key as stored. */
export function toKeyBudgets({ _id, ...row }: Row): KeyBudgets {
  const { budgets, ...key } = row as Omit<KeyBudgetsDocument, '_id'>;
  return { apiKey: _id, ...key, budgets: budgets.map((budget) => moneyFromText<Budget>(budget, toMoney)) };
}

export function toEntry({ _id, ...row }: Row): BookedEntry {
  return { ...(row as Omit<BookedEntry, 'id'>), id: _id };
}

/** One that names none has one leg, of its own fields. */
function legsIn(row: Document): readonly LegToPost[] {
  const legs = (Array.isArray(row['legs']) ? row['legs'] : [row]) as readonly Document[];
  return legs.map((leg) => ({
    sourceWalletId: leg['sourceWalletId'] as string,
    targetWalletId: leg['targetWalletId'] as string,
    amount: toMoney(leg['amount']),
    currency: leg['currency'] as string,
    ...(leg['parentLeg'] === undefined ? {} : { parentLeg: leg['parentLeg'] as number }),
  }));
}

function toProgress(stored: Document): readonly Progress[] {
  const reversedLegs: unknown = stored['reversedLegs'];
  if (Array.isArray(reversedLegs))
    return reversedLegs.map((reversed) => ({ ...noProgress, reversed: toMoney(reversed) }));
  const part = (name: ProgressPart): Money => toMoney(stored[name]);
  const hasExpired = stored['hasExpired'] === true;
  return [{ reversed: part('reversed'), captured: part('captured'), released: part('released'), hasExpired }];
}

export function toFlow({ _id, ...row }: Row): Flow {
  return {
    ...(row as Omit<Flow, 'id' | 'leg' | 'amount' | 'balanceBefore' | 'balanceAfter' | 'debits'>),
    id: _id,
    leg: Number(row['leg'] ?? 0),
    amount: toMoney(row['amount']),
    balanceBefore: toMoney(row['balanceBefore']),
    balanceAfter: toMoney(row['balanceAfter']),
    debits: toMoney(row['debits']),
  };
}

/** What is no number becomes NaN, which equals nothing, so that the checks name the document. */
export function toMoney(stored: unknown): Money {
  try {
    return new Money(String(stored));
  } catch {
    return new Money(Number.NaN);
  }
}
