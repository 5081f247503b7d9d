import { Decimal128 } from 'mongodb';
import type { LimitUse } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import { noProgress } from '../../domain/progress.ts';
import { digestOrder } from '../../orders/digest.ts';
import type { ParentOrder } from '../../orders/fold.ts';
import {
  legsOf,
  type Leg,
  type LegToPost,
  type Order,
  type OrderStatus,
  type OrderToPost,
  type SignedRequest,
} from '../../orders/order.ts';
import { walletIdsOf } from '../../orders/types.ts';
import { amountIn, decimalAsText, type Stored } from '../shared/decimal.ts';
import { moneyFromText, type LimitUseDocument } from '../wallets/limits.ts';
import { toProgress, type ProgressDocument } from './progress.ts';

/* How orders are stored. */

/**
 * How an order's state is stored. One that is set aside is PENDING for everybody but the operator. It has a state of its own,
 * so that nobody who looks for what waits reads, counts or passes over it. So is stored what a test workspace wants SLOW. The orders
 * of an atomic batch change their states together.
 */
export type StoredStatus = OrderStatus | 'SET_ASIDE';

/** What clients call PENDING. */
export const unsettled = { $in: ['PENDING', 'SET_ASIDE'] as const satisfies StoredStatus[] };

/** What has not ended. */
export const open = { $in: [...unsettled.$in, 'SCHEDULED'] as const satisfies StoredStatus[] };

export function shownStatus(stored: StoredStatus): OrderStatus {
  return stored === 'SET_ASIDE' ? 'PENDING' : stored;
}

export interface OrderDocument extends Omit<
  Stored<Order>,
  'status' | 'amount' | 'currency' | 'legs' | 'metadata' | 'progress' | 'failureLimit'
> {
  readonly status: StoredStatus;
  readonly amount?: Decimal128;
  /** Of an order whose legs have no currency in common those of its legs, so that a filter finds it by each. */
  readonly currency: string | readonly string[];
  readonly legs?: readonly LegDocument[];
  /** As JSON, because a field's name may have no dot on every server. */
  readonly metadata?: string;
  readonly progress?: ProgressDocument;
  readonly failureLimit?: LimitUseDocument;
  /** By which version of its key's budgets it was posted; absent if it counts towards none. */
  readonly budgets?: number;
  /** When the service has something to do about the order by itself; null once there is nothing. */
  readonly dueAt?: Date | null;
  /** Those that the order names, so that one index has the orders of a wallet. */
  readonly wallets: readonly string[];
  /** See {@link digestOrder}; only verification reads it. Absent from what releases before have recorded. */
  readonly digest?: string;
}

/** One of the legs by which an order was asked for. */
export interface LegDocument extends Omit<Leg, 'amount'> {
  readonly amount: Decimal128;
}

/** Only half of a document, because a worker reads every order. */
export const neededToPost = {
  _id: 1,
  workspaceId: 1,
  type: 1,
  sourceWalletId: 1,
  targetWalletId: 1,
  amount: 1,
  currency: 1,
  'legs.sourceWalletId': 1,
  'legs.targetWalletId': 1,
  'legs.amount': 1,
  'legs.currency': 1,
  'legs.parentLeg': 1,
  parentId: 1,
  executeAt: 1,
  expiresAt: 1,
  terms: 1,
  simulate: 1,
  otherIds: 1,
  firstId: 1,
  apiKey: 1,
  'request.keyId': 1,
  createdAt: 1,
} as const;
export type DocumentToPost = Pick<OrderDocument, Exclude<keyof typeof neededToPost, `${string}.${string}`>> & {
  readonly legs?: readonly Omit<LegDocument, 'description'>[];
  readonly request?: Pick<SignedRequest, 'keyId'>;
};

/** What an order is used by that refers to it. */
export const neededOfParent = { workspaceId: 1, amount: 1, 'legs.amount': 1, expiresAt: 1, progress: 1 } as const;
export type DocumentOfParent = Pick<OrderDocument, '_id' | 'workspaceId' | 'amount' | 'expiresAt' | 'progress'> & {
  readonly legs?: readonly Pick<LegDocument, 'amount'>[];
};

/**
 * @param others of its atomic batch, as they were found. One that is missing gets an amount that is no number: no part of a
 * batch is posted without the rest.
 */
export function toOrderToPost(document: DocumentToPost, others: readonly DocumentToPost[] = []): OrderToPost {
  const { otherIds } = document;
  const order = {
    id: document._id,
    workspaceId: document.workspaceId,
    type: document.type,
    legs: legsToPost(document),
    namesLegs: document.legs !== undefined,
    ...termsIn(document),
    ...keyIn(document),
    createdAt: document.createdAt,
  };
  if (otherIds === undefined) return order;
  const byId = new Map(others.map((other) => [other._id, other]));
  const otherOf = (id: string): OrderToPost => {
    const other = byId.get(id);
    const none = order.legs.map((leg) => ({ ...leg, amount: new Money(NaN) }));
    return other === undefined ? { ...order, id, legs: none } : toOrderToPost(other);
  };
  return { ...order, others: otherIds.map(otherOf) };
}

function legsToPost({ legs, ...document }: DocumentToPost): readonly LegToPost[] {
  if (legs !== undefined) return legs.map((leg) => ({ ...leg, amount: amountIn(leg.amount) }));
  const { sourceWalletId = '', targetWalletId = '', amount, currency } = document;
  return [{ sourceWalletId, targetWalletId, amount: amountIn(amount), currency: String(currency) }];
}

/** The document of a new order. Field by field, because the encoder takes half as long again with an object from spread. */
export function toDocument(order: Order): OrderDocument {
  return {
    _id: order.id,
    bizId: order.bizId,
    workspaceId: order.workspaceId,
    type: order.type,
    ...movedIn(order),
    ...termsIn(order),
    ...dueIn(order),
    ...(order.batchId === undefined ? {} : { batchId: order.batchId }),
    ...(order.otherIds === undefined ? {} : { otherIds: order.otherIds }),
    ...(order.firstId === undefined ? {} : { firstId: order.firstId }),
    ...(order.description === undefined ? {} : { description: order.description }),
    ...(order.reference === undefined ? {} : { reference: order.reference }),
    ...(order.metadata === undefined ? {} : { metadata: JSON.stringify(order.metadata) }),
    status: order.status,
    ...(order.simulate === 'SLOW' && order.status === 'PENDING'
      ? { status: 'SET_ASIDE', stuckSince: order.createdAt }
      : {}),
    failure: order.failure,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    completedAt: order.completedAt,
    ...(order.request === undefined ? {} : { request: order.request }),
    // The signed request names it already.
    ...(order.apiKey === undefined || order.request !== undefined ? {} : { apiKey: order.apiKey }),
  };
}

/** The key that made an order. */
export function keyIn({ apiKey, request }: Pick<DocumentToPost, 'apiKey' | 'request'>): Pick<Order, 'apiKey'> {
  const key = request?.keyId ?? apiKey;
  return key === undefined ? {} : { apiKey: key };
}

/** What an order moves, between which wallets. */
function movedIn(order: Order) {
  const legs = legsOf(order);
  const { sourceWalletId, targetWalletId, amount } = order;
  return {
    ...(sourceWalletId === undefined ? {} : { sourceWalletId }),
    ...(targetWalletId === undefined ? {} : { targetWalletId }),
    ...(amount === undefined ? {} : { amount: Decimal128.fromString(amount) }),
    ...(order.legs && { legs: legs.map((leg) => ({ ...leg, amount: Decimal128.fromString(leg.amount) })) }),
    wallets: walletIdsOf({ legs }),
    currency: order.currency ?? [...new Set(legs.map(({ currency }) => currency))],
    digest: digestOrder({ ...order, legs }),
  };
}

/** When the service has something to do about a new order by itself. */
function dueIn({ executeAt, expiresAt }: Order): Pick<OrderDocument, 'dueAt'> {
  const dueAt = executeAt ?? expiresAt;
  return dueAt === undefined ? {} : { dueAt };
}

/** The terms that only some orders have. */
function termsIn({
  parentId,
  executeAt,
  expiresAt,
  terms,
  simulate,
}: Pick<Order, 'parentId' | 'executeAt' | 'expiresAt' | 'terms' | 'simulate'>) {
  return {
    ...(parentId === undefined ? {} : { parentId }),
    ...(executeAt === undefined ? {} : { executeAt }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(terms === undefined ? {} : { terms }),
    ...(simulate === undefined ? {} : { simulate }),
  };
}

export function toParent(document: DocumentOfParent): ParentOrder {
  const { _id, workspaceId, expiresAt, progress } = document;
  const used = progress === undefined ? [] : toProgress(progress);
  const legs = document.legs ?? [document];
  return {
    id: _id,
    workspaceId,
    legs: legs.map(({ amount }, place) => ({ amount: amountIn(amount), progress: used[place] ?? noProgress })),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    changes: progress?.changes ?? 0,
  };
}

export function toOrder(document: OrderDocument): Order {
  const { request, otherIds, firstId, postedBy, fault, releasedFault, stuckSince } = document;
  return {
    ...toListedOrder(document),
    ...(request === undefined ? {} : { request }),
    ...(otherIds === undefined ? {} : { otherIds }),
    ...(firstId === undefined ? {} : { firstId }),
    ...(postedBy === undefined ? {} : { postedBy }),
    ...(fault === undefined ? {} : { fault }),
    ...(releasedFault === undefined ? {} : { releasedFault }),
    ...(stuckSince === undefined ? {} : { stuckSince }),
  };
}

/** For a list: without a quarter of the document, which keeps its request unique and lets the operator follow it. */
export const listedOrder = {
  without: {
    'request.timestamp': 0,
    'request.nonce': 0,
    budgets: 0,
    postedBy: 0,
    stuckSince: 0,
    wallets: 0,
    terms: 0,
    dueAt: 0,
    digest: 0,
    otherIds: 0,
    firstId: 0,
  },
  convert: toListedOrder,
} as const;

/** Field by field, because rest and spread take ten times as long. */
function toListedOrder(document: Omit<OrderDocument, 'wallets'>): Order {
  const { sourceWalletId, targetWalletId, amount, currency, legs } = document;
  const { failureLeg, failureLimit, batchId, description, reference, metadata, progress } = document;
  return {
    id: document._id,
    bizId: document.bizId,
    workspaceId: document.workspaceId,
    type: document.type,
    ...(sourceWalletId === undefined ? {} : { sourceWalletId }),
    ...(targetWalletId === undefined ? {} : { targetWalletId }),
    ...(amount === undefined ? {} : { amount: decimalAsText(amount) }),
    ...(typeof currency === 'string' ? { currency } : {}),
    ...(legs === undefined ? {} : { legs: legs.map((leg) => ({ ...leg, amount: decimalAsText(leg.amount) })) }),
    ...termsIn(document),
    ...keyIn(document),
    ...(batchId === undefined ? {} : { batchId }),
    ...(description === undefined ? {} : { description }),
    ...(reference === undefined ? {} : { reference }),
    ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Record<string, string> }),
    ...(progress === undefined ? {} : { progress: toProgress(progress) }),
    status: shownStatus(document.status),
    failure: document.failure,
    ...(failureLeg === undefined ? {} : { failureLeg }),
    ...(failureLimit === undefined ? {} : { failureLimit: moneyFromText<LimitUse>(failureLimit) }),
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    completedAt: document.completedAt,
  };
}
