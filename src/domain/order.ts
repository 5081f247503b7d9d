import type { ErrorName } from '../errors.ts';
import { newId, timeOfId } from './ids.ts';
import type { Money } from './money.ts';

/** What an order does when it is posted: a transfer between wallets, or one from or to the world outside (EXTERNAL). */
export const orderTypes = ['TRANSFER', 'DEPOSIT', 'WITHDRAWAL'] as const;
export type OrderType = (typeof orderTypes)[number];

export const orderStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The states in which orders are counted: those that they keep. */
export type CountedStatus = Extract<OrderStatus, 'COMPLETED' | 'FAILED'>;

/** Numbers of orders by type and state. What is absent is none. */
export type OrderCounts = Readonly<Partial<Record<OrderType, Readonly<Partial<Record<CountedStatus, number>>>>>>;

/** Why the worker could not move the money. */
export type FailureName = Extract<ErrorName, 'INSUFFICIENT_BALANCE' | 'WALLET_NOT_ACTIVE' | 'BALANCE_LIMIT'>;

/** An order of any type. PENDING → COMPLETED or FAILED; a terminal state never changes. */
export interface Order {
  readonly id: string;
  /** The client's own id, unique in the workspace; the order's id where the client gave none. */
  readonly bizId: string;
  readonly workspaceId: string;
  readonly type: OrderType;
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: Money;
  readonly currency: string;
  readonly status: OrderStatus;
  readonly failure: FailureName | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

/**
 * How a client may name an order. It must not begin like an order's id, nor be a word that a route has in its place
 * (`orders/wallet/completed` lists the orders of a wallet). Source: docs/contract.md, "Creating a transfer".
 */
export const bizIdForm = /^(?!tr_|wallet$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The fields that posting an order needs. None of them ever changes. */
export type OrderToPost = Pick<Order, 'id' | 'workspaceId' | 'createdAt' | keyof TransferValues>;

/** The values that make two creates with one bizId the same. */
export type TransferValues = Pick<Order, 'type' | 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency'>;

/** What the one who asks for an order specifies. */
export type OrderValues = Pick<Order, 'workspaceId' | keyof TransferValues> & Partial<Pick<Order, 'bizId'>>;

/**
 * A new order: PENDING, with a new id of this time on each call. If no bizId is given, the id takes its place.
 * @param values may hold more that is to be recorded with the order; it is kept.
 */
// oxlint-disable-next-line project/ask-a-clock -- Only tests and tools leave the time out, by a rule of the linter.
export function newOrder<Values extends OrderValues>(values: Values, now = new Date()): Values & Order {
  const id = newId('order', now);
  const createdAt = timeOfId('order', id);
  return {
    ...values,
    id,
    bizId: values.bizId ?? id,
    status: 'PENDING',
    failure: null,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
  };
}

/** Whether a create repeats an order: amounts are compared by value (`1.1` = `1.10`). */
export function isSameTransfer(order: TransferValues, values: TransferValues): boolean {
  return (
    order.type === values.type &&
    order.sourceWalletId === values.sourceWalletId &&
    order.targetWalletId === values.targetWalletId &&
    order.currency === values.currency &&
    order.amount.equals(values.amount)
  );
}

/** How many orders of any type are in a state. */
export function numberIn(counts: OrderCounts, status: CountedStatus): number {
  return Object.values(counts).reduce((sum, ofType) => sum + (ofType[status] ?? 0), 0);
}

/** The counts with one order more. */
export function withOneMore(counts: OrderCounts, type: OrderType, status: CountedStatus): OrderCounts {
  const ofType = counts[type];
  return { ...counts, [type]: { ...ofType, [status]: (ofType?.[status] ?? 0) + 1 } };
}

export function isTerminal(status: OrderStatus): boolean {
  return status !== 'PENDING';
}
