import { isDeepStrictEqual } from 'node:util';
import type { FailureName } from '../domain/effects.ts';
import { newId, timeOfId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';

export const orderStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order of any type. PENDING → COMPLETED or FAILED; a terminal state never changes. */
export interface Order {
  readonly id: string;
  /** The client's own id, unique in the workspace; the order's id where the client gave none. */
  readonly bizId: string;
  readonly workspaceId: string;
  /** The name of its type, which decides what it does; a newer release may have made one that this one does not know. */
  readonly type: string;
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: Money;
  readonly currency: string;
  /** What only orders of its type have, by field; absent if they have nothing else. */
  readonly terms?: Readonly<Record<string, string>>;
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

/** What of an order decides what it does. None of it ever changes, and a create that repeats it has the same. */
export type Terms = Pick<Order, 'type' | 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency' | 'terms'>;

/** What posting an order needs. */
export type OrderToPost = Pick<Order, 'id' | 'workspaceId' | 'createdAt' | keyof Terms>;

/** What the one who asks for an order specifies. */
export type OrderValues = Terms & Pick<Order, 'workspaceId'> & Partial<Pick<Order, 'bizId'>>;

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
export function isSameOrder(order: Terms, asked: Terms): boolean {
  return (
    order.type === asked.type &&
    order.sourceWalletId === asked.sourceWalletId &&
    order.targetWalletId === asked.targetWalletId &&
    order.currency === asked.currency &&
    order.amount.equals(asked.amount) &&
    isDeepStrictEqual(order.terms, asked.terms)
  );
}

export function isTerminal(status: OrderStatus): boolean {
  return status !== 'PENDING';
}
