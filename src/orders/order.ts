import type { FailureName, Move } from '../domain/effects.ts';
import type { LimitUse } from '../domain/limits.ts';
import { isExternalWalletId, newIdIn, timeOfId } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import type { Progress } from '../domain/progress.ts';
import type { ListedFlow } from '../domain/wallet.ts';

export const orderStatuses = ['SCHEDULED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const holdStates = ['HELD', 'CAPTURED', 'RELEASED', 'EXPIRED'] as const;
export type HoldState = (typeof holdStates)[number];

/** What a test workspace has an order's posting do: fail for a reason, or wait until the clock is put forward. */
export type Simulated = FailureName | 'SLOW';

/** The signed request that made an order: unique, whatever becomes of the nonces in Redis. */
export interface SignedRequest {
  readonly keyId: string;
  /** Unix time in seconds, as signed. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** Why an order could not be posted at the last attempt, and how often that was so. */
interface PostingFault {
  readonly attempts: number;
  readonly reason: string;
  readonly at: Date;
}

/** What an order moves from one wallet to another, or reserves on one for another. */
export interface Leg {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  /** A plain decimal. It becomes {@link Money} only where it is reckoned with. */
  readonly amount: string;
  readonly currency: string;
  readonly description?: string;
  /** The place of the leg that it uses of the order that its own refers to; the first, if absent. */
  readonly parentLeg?: number;
}

/** At most so many legs has an order. */
export const legsMax = 100;

/**
 * An order of any type, with all that is recorded of it. PENDING → COMPLETED or FAILED; one for a later time is SCHEDULED before
 * that, and may become CANCELLED instead. A terminal state never changes.
 */
export interface Order extends Partial<Pick<Leg, 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency'>> {
  readonly id: string;
  /** The client's own id, unique in the workspace; the order's id where the client gave none. */
  readonly bizId: string;
  readonly workspaceId: string;
  /** The name of its type, which decides what it does; a newer release may have made one that this one does not know. */
  readonly type: string;
  /**
   * Its legs, where it was asked for by its legs: one to {@link legsMax}. Its wallets, amount and currency are then absent, but for
   * those that all its legs have by its type. If absent, it has one leg, of its own wallets and amount. See {@link legsOf}.
   */
  readonly legs?: readonly Leg[];
  /** The order that it refers to; absent if to none. */
  readonly parentId?: string;
  /** When it is to be posted, if that was asked for: not before. */
  readonly executeAt?: Date;
  /** When what it reserves is released; only of orders that reserve something. */
  readonly expiresAt?: Date;
  /** What else was asked of an order of its type, by field; absent if nothing. */
  readonly terms?: Readonly<Record<string, string>>;
  /** How its posting is to end, or SLOW; only in a test workspace, where its metadata asks for it. */
  readonly simulate?: Simulated;
  /** What a client notes on it for itself decides nothing, and a repetition may say something else. */
  readonly description?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Absent from the administrator's orders, the service's own, and those of batches. */
  readonly request?: SignedRequest;
  /** The key that made it; absent from the administrator's orders, and the service's own. */
  readonly apiKey?: string;
  /** The batch that it came in, if it came in one. */
  readonly batchId?: string;
  /** Of the first order of an atomic batch: the others, which are posted with it or not at all, in their order. */
  readonly otherIds?: readonly string[];
  /** Of the others: the first. */
  readonly firstId?: string;
  /** What later orders have used of each leg; absent before the first. */
  readonly progress?: readonly Progress[];
  readonly status: OrderStatus;
  readonly failure: FailureName | null;
  /** The place of the leg that could not be applied; absent if none is at fault, or its legs were not asked for. */
  readonly failureLeg?: number;
  /** The limit that it would have passed, as it stood; absent if none. */
  readonly failureLimit?: LimitUse;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** Which worker settled it, in how many runs of the transaction. */
  readonly postedBy?: { readonly worker: string; readonly attempts: number };
  /** Set if it could not be posted for a reason of its own. */
  readonly fault?: PostingFault;
  /** The same of one that was set aside, as it was at its last release. */
  readonly releasedFault?: PostingFault;
  /** When it was set aside: nobody tries it again until the operator says so. */
  readonly stuckSince?: Date;
}

/**
 * How a client may name an order. It must not begin like an order's id, nor be a word that a route has in its place
 * (`orders/wallet/completed` lists the orders of a wallet). Source: docs/contract.md, "Creating a transfer".
 */
export const bizIdForm = /^(?!tr_|wallet$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What posting an order needs: what decides what it does. None of it ever changes. */
export interface OrderToPost extends Pick<
  Order,
  'id' | 'workspaceId' | 'type' | 'parentId' | 'executeAt' | 'expiresAt' | 'terms' | 'simulate' | 'apiKey' | 'createdAt'
> {
  /** At least one. An amount is NaN if what is stored is no number: it stops only its own order. */
  readonly legs: readonly LegToPost[];
  /** Whether it was asked for by its legs, so that its failure names one. */
  readonly namesLegs: boolean;
  /** Of the first order of an atomic batch: the others, in their order. All are posted with it, or none. */
  readonly others?: readonly OrderToPost[];
}

export type LegToPost = Move & Pick<Leg, 'parentLeg'>;

/** A line of a statement: a flow, and what its order says of itself. */
export type StatementEntry = ListedFlow & Pick<Order, 'type' | 'bizId' | 'reference' | 'description'>;

/** What a new order is made of; the rest follows from when it is made. */
export type OrderValues = Omit<
  Order,
  'id' | 'bizId' | 'status' | 'failure' | 'createdAt' | 'updatedAt' | 'completedAt'
> &
  Partial<Pick<Order, 'bizId'>>;

/** What a request says of the order that it is to create. What it leaves out is decided when the order is made. */
export type CreateOrderInput = Pick<
  Order,
  | ('type' | 'terms' | 'executeAt' | 'description' | 'reference' | 'metadata')
  | ('sourceWalletId' | 'targetWalletId' | 'amount' | 'currency')
> &
  Partial<Pick<Order, 'bizId'>> & {
    /** The id or the bizId of the order that it refers to. */
    readonly parent?: string;
    /** {@link differencesOf} knows them by a digest in the terms. */
    readonly legs?: readonly Partial<Leg>[];
  };

/**
 * A new order: PENDING, or SCHEDULED if it is for a later time, with a new id of this time on each call. If no bizId is
 * given, the id takes its place.
 */
export function newOrder(
  values: OrderValues,
  // oxlint-disable-next-line project/ask-a-clock -- Only tests and tools leave the time out, by a rule of the linter.
  now = new Date(),
  id = newIdIn(values.workspaceId, 'order', now),
): Order {
  const createdAt = timeOfId('order', id);
  return {
    ...values,
    id,
    bizId: values.bizId ?? id,
    status: values.executeAt === undefined ? 'PENDING' : 'SCHEDULED',
    failure: null,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
  };
}

/**
 * What a request asks otherwise than an order was asked for, by the names that a request has for it; nothing if it repeats it.
 * What both leave out is the same, and amounts are compared by value (`1.1` = `1.10`).
 * @param parentId the id of the order that the request refers to, if there is such an order.
 */
export function differencesOf(order: Order, input: CreateOrderInput, parentId: string | undefined): string[] {
  if (order.type !== input.type) return ['type'];
  /** A side that is left out is that of the parent, or else the world outside. */
  const isSide = (field: 'sourceWalletId' | 'targetWalletId'): boolean => {
    const walletId = order[field];
    if (input[field] !== undefined) return input[field] === walletId;
    return input.parent !== undefined || walletId === undefined || isExternalWalletId(walletId);
  };
  const [terms, inputTerms] = [order.terms ?? {}, input.terms ?? {}];
  const isSame: Readonly<Record<string, boolean>> = {
    transferId: order.parentId === parentId,
    sourceWalletId: isSide('sourceWalletId'),
    targetWalletId: isSide('targetWalletId'),
    amount: input.amount === undefined || (order.amount !== undefined && new Money(order.amount).equals(input.amount)),
    currency: input.currency === undefined || order.currency === input.currency,
    executeAt: order.executeAt?.getTime() === input.executeAt?.getTime(),
  };
  const others = Object.keys({ ...terms, ...inputTerms }).filter((name) => terms[name] !== inputTerms[name]);
  return [...new Set([...Object.keys(isSame).filter((name) => isSame[name] !== true), ...others])];
}

/** Whether a request repeats an order: see {@link differencesOf}. */
export function isRepeated(order: Order, input: CreateOrderInput, parentId: string | undefined): boolean {
  return differencesOf(order, input, parentId).length === 0;
}

export function isTerminal(status: OrderStatus): status is 'COMPLETED' | 'FAILED' | 'CANCELLED' {
  return status !== 'PENDING' && status !== 'SCHEDULED';
}

/** The legs of an order: at least one. */
export function legsOf({
  legs,
  sourceWalletId,
  targetWalletId,
  amount,
  currency,
}: Pick<Order, 'legs' | 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency'>): readonly Leg[] {
  if (legs !== undefined) return legs;
  if (sourceWalletId === undefined || targetWalletId === undefined || amount === undefined || currency === undefined)
    throw new Error('an order without legs, and without wallets or amount of its own');
  return [{ sourceWalletId, targetWalletId, amount, currency }];
}

/** An order as posting reads it. */
export function toPost(order: Order): OrderToPost {
  const legs = legsOf(order).map((leg) => ({ ...leg, amount: new Money(leg.amount) }));
  return { ...order, legs, namesLegs: order.legs !== undefined };
}

/** An order with those that are posted with it or not at all. */
export function unitOf<Ordered extends { readonly others?: readonly Ordered[] }>(order: Ordered): readonly Ordered[] {
  return order.others === undefined ? [order] : [order, ...order.others];
}
