import type { Decimal128 } from 'mongodb';
import type { Alert } from '../../domain/alerts.ts';
import type { Limit } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import type { ListedWallet, NeededToPost, Wallet, WalletKind } from '../../domain/wallet.ts';
import { moneyFromText, type AlertDocument, type LimitDocument } from './limits.ts';
import { decimalAsText, fromDecimal128, type Stored, toDecimal128 } from '../shared/decimal.ts';

export interface WalletDocument extends Stored<
  Omit<Wallet, 'debits' | 'debitOrders' | 'held' | 'openHolds' | 'creditLimit' | 'metadata' | 'limits' | 'alerts'>
> {
  /** As JSON, because a field's name may have no dot on every server. */
  readonly metadata?: string;
  /** Absent until something was held, or a limit was set. */
  readonly held?: Decimal128;
  readonly openHolds?: number;
  readonly creditLimit?: Decimal128;
  /** A decimal in plain notation, because the sum may have more digits than a Decimal128. */
  readonly debits: string;
  /** Absent from wallets with no debit since wallets can have limits. */
  readonly debitOrders?: number;
  readonly limits?: readonly LimitDocument[];
  readonly alerts?: readonly AlertDocument[];
}

/** Of a wallet that never held anything, so that a posting need not write that it still does not. */
export const neverHeld = new Money(0);
/** Of a wallet that was never given a limit. */
export const noCredit = new Money(0);

export interface NewWallet extends Pick<Wallet, 'workspaceId' | 'name' | 'currency' | 'reference' | 'metadata'> {
  /** Its id, if it was made before: a repetition with the same one makes no second wallet. */
  readonly id?: string | undefined;
  /** None, if absent. */
  readonly creditLimit?: Money;
}

export function newDocument(_id: string, createdAt: Date, kind: WalletKind, values: NewWallet): WalletDocument {
  const { workspaceId, currency, name, reference, metadata, creditLimit = noCredit } = values;
  return {
    _id,
    workspaceId,
    currency,
    name,
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(creditLimit.isZero() ? {} : { creditLimit: toDecimal128(creditLimit) }),
    kind,
    status: 'ACTIVE',
    balance: toDecimal128(new Money(0)),
    sequence: 0,
    debitFlows: 0,
    debits: '0',
    orders: {},
    flowHash: '',
    lastFlowAt: createdAt,
    version: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

/** An EXTERNAL wallet as it is made. */
export function externalWallet(
  { id, workspaceId, currency }: Pick<Wallet, 'id' | 'workspaceId' | 'currency'>,
  createdAt: Date,
): Wallet {
  return toWallet(newDocument(id, createdAt, 'EXTERNAL', { workspaceId, currency, name: 'EXTERNAL' }));
}

/** Field by field: a group reads hundreds of wallets, and rest and spread take ten times as long. */
export function toWallet(document: WalletDocument): Wallet {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    name: document.name,
    ...notesIn(document),
    currency: document.currency,
    kind: document.kind,
    status: document.status,
    balance: fromDecimal128(document.balance),
    held: document.held === undefined ? neverHeld : fromDecimal128(document.held),
    openHolds: document.openHolds ?? 0,
    creditLimit: document.creditLimit === undefined ? noCredit : fromDecimal128(document.creditLimit),
    sequence: document.sequence,
    debitFlows: document.debitFlows,
    debits: new Money(document.debits),
    debitOrders: document.debitOrders ?? 0,
    ...limitsIn(document),
    ...alertsIn(document),
    orders: document.orders,
    flowHash: document.flowHash,
    lastFlowAt: document.lastFlowAt,
    version: document.version,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}

function limitsIn({ limits }: Pick<ListedDocument, 'limits'>): Pick<Wallet, 'limits'> {
  return limits === undefined ? {} : { limits: limits.map((limit) => moneyFromText<Limit>(limit)) };
}

function alertsIn({ alerts, alertEvents = 0 }: WalletDocument): Pick<Wallet, 'alerts' | 'alertEvents'> {
  return alerts === undefined ? {} : { alerts: alerts.map((alert) => moneyFromText<Alert>(alert)), alertEvents };
}

/** What only wallets have for which it was given. */
function notesIn({ reference, metadata }: Pick<ListedDocument, 'reference' | 'metadata'>) {
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Record<string, string> }),
  };
}

type ListedDocument = Omit<WalletDocument, NeededToPost>;

export const listedWallet = {
  without: {
    flowHash: 0,
    lastFlowAt: 0,
    debitFlows: 0,
    debits: 0,
    debitOrders: 0,
    openHolds: 0,
    orders: 0,
    alerts: 0,
    alertEvents: 0,
  } satisfies Record<NeededToPost, 0>,
  convert: toListedWallet,
} as const;

/** The balance stays text: see {@link decimalAsText}. */
function toListedWallet(document: ListedDocument): ListedWallet {
  const { _id, balance, held, creditLimit, metadata: _, limits: __, ...rest } = document;
  const textOf = (money: Decimal128 | undefined): string => (money === undefined ? '0' : decimalAsText(money));
  return {
    id: _id,
    ...rest,
    ...notesIn(document),
    ...limitsIn(document),
    balance: decimalAsText(balance),
    held: textOf(held),
    creditLimit: textOf(creditLimit),
  };
}
