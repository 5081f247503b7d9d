import { isDeepStrictEqual } from 'node:util';
import { idPrefixes, isExternalWalletId } from '../domain/ids.ts';
import { noProgress, remainingOf } from '../domain/progress.ts';
import type { Flow } from '../domain/wallet.ts';
import { Money } from '../domain/money.ts';
import { catalogue } from '../errors.ts';
import { digestOrder } from '../orders/digest.ts';
import { legsMax, orderStatuses, type LegToPost } from '../orders/order.ts';
import { hasFlows, isKnownType, typeOf, walletIdsOf } from '../orders/types.ts';
import type { BookedOrder } from '../storage/booked.ts';
import type { BreachKind } from './breach.ts';
import { isLongBefore, shown, timeIn } from './times.ts';

/** What is wrong with an order or a flow. */
interface Contradiction {
  readonly kind: BreachKind;
  readonly message: string;
}

/** Whether a flow is a side of the leg of an order that it names. */
export function isAsOrdered(flow: Flow, order: BookedOrder): boolean {
  const leg = movesOf(order)[flow.leg];
  if (leg === undefined) return false;
  const { sourceWalletId, targetWalletId } = leg;
  const [own, other] = flow.direction === 'DEBIT' ? [sourceWalletId, targetWalletId] : [targetWalletId, sourceWalletId];
  const isBetween = flow.walletId === own && flow.counterpartyWalletId === other;
  return isBetween && flow.currency === leg.currency && flow.amount.equals(leg.amount);
}

/** What a COMPLETED order moves, by its type; nothing if the type is unknown, which {@link faultOf} reports. */
export function movesOf(order: BookedOrder): readonly LegToPost[] {
  return isKnownType(order.type) && hasFlows(order.type) ? order.legs : [];
}

/** How a flow and the order that it names disagree; undefined if they agree. */
export function disagreement(flow: Flow, order: BookedOrder | undefined): Contradiction | undefined {
  if (order === undefined) return { kind: 'flow-without-order', message: `order ${flow.transferId} does not exist` };
  if (order.status !== 'COMPLETED') {
    return { kind: 'flow-of-open-order', message: `order ${order.id} is ${order.status}` };
  }
  if (isAsOrdered(flow, order)) return undefined;
  const booked = `${flow.direction} ${flow.amount.toFixed()} ${flow.currency} of ${flow.walletId} for leg ${flow.leg}`;
  const leg = order.legs[flow.leg];
  const ordered =
    leg === undefined
      ? `${order.legs.length} legs`
      : `${leg.amount.toFixed()} ${leg.currency} from ${leg.sourceWalletId} to ${leg.targetWalletId}`;
  return { kind: 'flow-not-as-ordered', message: `${booked}; the ${order.type} ${order.id} says ${ordered}` };
}

/** How an order contradicts itself; undefined if it does not. The first fault alone, which may be the cause of others. */
export function faultOf(order: BookedOrder): Contradiction | undefined {
  const fields = unfitStatus(order) ?? unfitIdentity(order) ?? unfitType(order);
  if (fields !== undefined) return { kind: 'order-fields', message: fields };
  if (
    order.digest !== undefined &&
    hasForm(order) &&
    order.digest !==
      digestOrder({ ...order, legs: order.legs.map((leg) => ({ ...leg, amount: leg.amount.toFixed() })) })
  )
    return {
      kind: 'order-digest',
      message: 'is not what was recorded: its ids, wallets, amounts or currencies were altered',
    };
  const times = unfitTimes(order);
  if (times !== undefined) return { kind: 'order-times', message: times };
  const due = unfitDue(order);
  return due === undefined ? undefined : { kind: 'order-due', message: due };
}

/** What reads find an order by, and what they cannot show. */
function unfitIdentity(order: BookedOrder): string | undefined {
  const { id, bizId, status, firstId, otherIds, metadata } = order;
  if (timeIn('order', id) === undefined) return 'has an id that no order has';
  if (hasForm(order) && bizId !== id && bizId.startsWith(idPrefixes.order))
    return 'has a bizId that no client can give';
  if (!hasForm(order) && !isOpen.has(status)) return 'has a bizId that is no text';
  if (firstId !== undefined && otherIds !== undefined)
    return 'is the first of an atomic batch, and not the first of another';
  if (!isJsonOfTexts(metadata)) return 'has metadata that cannot be read';
  return undefined;
}

/** Of a form that MongoDB takes. Another that waits is refused when it is posted, and set aside. */
function hasForm({ bizId }: { readonly bizId: unknown }): boolean {
  return typeof bizId === 'string';
}

const isOpen: ReadonlySet<string> = new Set(['PENDING', 'SCHEDULED']);

/** Whether stored metadata can be answered; absent metadata can. */
export function isJsonOfTexts(stored: unknown): boolean {
  if (stored === undefined) return true;
  if (typeof stored !== 'string') return false;
  try {
    const value: unknown = JSON.parse(stored);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.values(value).every((text) => typeof text === 'string');
  } catch {
    return false;
  }
}

function unfitType(order: BookedOrder): string | undefined {
  if (!isKnownType(order.type)) return `has the unknown type ${order.type}`;
  for (const leg of order.legs) {
    for (const side of ['source', 'target'] as const) {
      const walletId = leg[`${side}WalletId`];
      const external = typeOf(order).external?.[side];
      if (external === 'sometimes') continue;
      if (isExternalWalletId(walletId) !== (external === 'always'))
        return `is a ${order.type} with the ${side} ${walletId}`;
    }
  }
  if (!isDeepStrictEqual(order.wallets, walletIdsOf(order)))
    return `is listed for the wallets ${String(order.wallets)}, and names ${walletIdsOf(order).join()}`;
  return unfitLegs(order) ?? unfitTerms(order);
}

/** What an order says of all its legs is what they say. */
function unfitLegs({ namesLegs, legs, amount, currency, sourceWalletId, targetWalletId, failureLeg }: BookedOrder) {
  if (legs.length === 0 || legs.length > legsMax) return `has ${legs.length} legs`;
  if (failureLeg !== undefined && (!namesLegs || legs[failureLeg] === undefined))
    return `failed for its leg ${failureLeg}, which it has not`;
  const sum = legs.reduce((total, leg) => total.plus(leg.amount), new Money(0));
  if (amount !== undefined && !amount.equals(sum))
    return `has the amount ${amount.toFixed()}, its legs are ${sum.toFixed()}`;
  const currencies = [...new Set(legs.map((leg) => leg.currency))];
  if (!isDeepStrictEqual(currency, typeof currency === 'string' ? currencies[0] : currencies))
    return `is in ${String(currency)}, its legs in ${currencies.join()}`;
  const isElsewhere = (side: 'sourceWalletId' | 'targetWalletId', walletId: string | undefined): boolean =>
    walletId !== undefined && legs.some((leg) => leg[side] !== walletId);
  if (isElsewhere('sourceWalletId', sourceWalletId) || isElsewhere('targetWalletId', targetWalletId))
    return 'has other wallets than its legs';
  return undefined;
}

function unfitTerms(order: BookedOrder): string | undefined {
  const { parent, reserves } = typeOf(order);
  if ((parent !== undefined) !== (order.parentId !== undefined))
    return `is a ${order.type} that refers to ${order.parentId ?? 'no order'}`;
  if ((reserves !== undefined) !== order.expiresAt instanceof Date)
    return `is a ${order.type} ${reserves === undefined ? 'with' : 'without'} a time of expiry`;
  const expiry = order.terms?.['expiresAt'];
  if (expiry !== undefined && expiry !== shown(order.expiresAt))
    return `expires at ${shown(order.expiresAt)}, and was to expire at ${expiry}`;
  if (order.progress !== undefined && order.status !== 'COMPLETED') return `is ${order.status}, and was used`;
  return undefined;
}

/** How an order ended before its time; undefined if it did not. */
export function earliness({ executeAt, status, completedAt, updatedAt }: BookedOrder): string | undefined {
  const endedAt = status === 'COMPLETED' ? completedAt : status === 'FAILED' ? updatedAt : null;
  if (!(executeAt instanceof Date && endedAt instanceof Date) || endedAt >= executeAt) return undefined;
  return `is ${status} since ${endedAt.toISOString()}, and was to be posted at ${executeAt.toISOString()}`;
}

const knownStatuses: ReadonlySet<string> = new Set(orderStatuses);

function unfitStatus({ status, executeAt, completedAt, failure, legs }: BookedOrder): string | undefined {
  if (!knownStatuses.has(status)) return `has the unknown status ${status}`;
  if ((status === 'SCHEDULED' || status === 'CANCELLED') && !(executeAt instanceof Date))
    return `is ${status} without a time at which it is to be posted`;
  if (status === 'COMPLETED' && !(completedAt instanceof Date)) return 'is COMPLETED without a time of completion';
  if (status !== 'COMPLETED' && completedAt !== null) return `is ${status} with a time of completion`;
  if (status === 'FAILED' && failure === null) return 'is FAILED without a failure';
  if (status !== 'FAILED' && failure !== null) return `is ${status} with the failure ${failure}`;
  if (failure !== null && !(failure in catalogue)) return `is FAILED for ${failure}, which is not known`;
  for (const { amount } of legs) if (!amount.greaterThan(0)) return `has the amount ${amount.toFixed()}`;
  return undefined;
}

/**
 * Times that an order cannot have. Clocks of two processes may differ, and a request may wait: two such times are compared with
 * as much allowance as ids are given until they are stored.
 */
function unfitTimes(order: BookedOrder): string | undefined {
  const { id, createdAt, updatedAt, status, completedAt, executeAt, expiresAt, progress, storedStatus } = order;
  const madeAt = timeIn('order', id);
  if (!isDeepStrictEqual(createdAt, madeAt)) return `was created at ${shown(createdAt)}, its id says ${shown(madeAt)}`;
  if (!(updatedAt instanceof Date) || updatedAt < createdAt)
    return `was changed at ${shown(updatedAt)}, before it was created at ${shown(createdAt)}`;
  if (isLongBefore(executeAt, createdAt)) return `was to be posted at ${shown(executeAt)}, long before it was created`;
  if (isLongBefore(expiresAt, createdAt)) return `expires at ${shown(expiresAt)}, long before it was created`;
  if (status === 'COMPLETED' && completedAt !== null) {
    if (completedAt < createdAt) return `was completed at ${shown(completedAt)}, before it was created`;
    // A hold that is posted after its expiry fails.
    if (isLongBefore(expiresAt, completedAt))
      return `was completed at ${shown(completedAt)}, and had expired at ${shown(expiresAt)}`;
    if (isLongBefore(updatedAt, completedAt)) return `was changed at ${shown(updatedAt)}, long before it was completed`;
    if (progress === undefined && updatedAt > completedAt)
      return `was changed at ${shown(updatedAt)}, and nothing was done about it since it was completed`;
  }
  const isUntouched = storedStatus === 'SCHEDULED' || (storedStatus === 'PENDING' && executeAt === undefined);
  if (isUntouched && isLongBefore(createdAt, updatedAt))
    return `was changed at ${shown(updatedAt)}, and nothing was done about it since it was created`;
  return undefined;
}

/**
 * When the service has something to do about an order by itself, and whether that is stored as its terms say. Of a hold of which
 * something remains {@link isReleasing} has to be asked besides.
 */
function unfitDue(order: BookedOrder): string | undefined {
  const { status, executeAt, expiresAt, dueAt = null } = order;
  // Nobody looks for what is due among these.
  if (status === 'FAILED' || status === 'CANCELLED') return undefined;
  const isOpenHold = expiresAt !== undefined && !isUsedUp(order);
  const right = status === 'SCHEDULED' ? executeAt : isOpenHold ? expiresAt : undefined;
  if (isReleasing(order) || isDeepStrictEqual(dueAt, right ?? null)) return undefined;
  return `is ${status} and due at ${shown(dueAt)}; its terms say ${shown(right)}`;
}

/** Whether an order is a hold of which something remains, and which says that its expiry's order releases that already. */
export function isReleasing(order: BookedOrder): boolean {
  const { status, expiresAt, dueAt = null } = order;
  return status === 'COMPLETED' && expiresAt !== undefined && dueAt === null && !isUsedUp(order);
}

function isUsedUp({ status, legs, progress = [] }: BookedOrder): boolean {
  const isUsed = ({ amount }: LegToPost, place: number): boolean =>
    remainingOf({ amount, progress: progress[place] ?? noProgress }).isZero();
  return status === 'COMPLETED' && legs.every(isUsed);
}
