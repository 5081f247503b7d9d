import type { Move } from '../domain/effects.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import type { Flow } from '../domain/wallet.ts';
import { orderStatuses } from '../orders/order.ts';
import { isKnownType, typeOf } from '../orders/types.ts';
import type { BookedOrder } from '../storage/books.ts';
import type { BreachKind } from './breach.ts';

/** Which of an order's moves a flow is a side of, by its place among them; undefined if of none. */
export function moveOf(flow: Flow, order: BookedOrder): number | undefined {
  const index = movesOf(order).findIndex(({ from, to, amount }) => {
    const [own, other] = flow.direction === 'DEBIT' ? [from, to] : [to, from];
    return flow.walletId === own && flow.counterpartyWalletId === other && flow.amount.equals(amount);
  });
  return index === -1 || flow.currency !== order.currency ? undefined : index;
}

/** What a COMPLETED order moves, by its type; nothing if the type is unknown, which {@link unfitFields} reports. */
export function movesOf(order: BookedOrder): readonly Move[] {
  return (isKnownType(order.type) ? typeOf(order).flows?.(order) : undefined) ?? [];
}

/** How a flow and the order that it names disagree; undefined if they agree. */
export function disagreement(
  flow: Flow,
  order: BookedOrder | undefined,
): { readonly kind: BreachKind; readonly message: string } | undefined {
  if (order === undefined) return { kind: 'flow-without-order', message: `order ${flow.transferId} does not exist` };
  if (order.status !== 'COMPLETED') {
    return { kind: 'flow-of-open-order', message: `order ${order.id} is ${order.status}` };
  }
  if (moveOf(flow, order) !== undefined) return undefined;
  const found = `${flow.direction} ${flow.amount.toFixed()} ${flow.currency} of ${flow.walletId}`;
  const ordered = `${order.amount.toFixed()} ${order.currency} from ${order.sourceWalletId} to ${order.targetWalletId}`;
  return { kind: 'flow-not-as-ordered', message: `${found}; the ${order.type} ${order.id} says ${ordered}` };
}

/** How an order's fields contradict its status or its type; undefined if they do not. */
export function unfitFields(order: BookedOrder): string | undefined {
  return unfitStatus(order) ?? unfitType(order);
}

function unfitType(order: BookedOrder): string | undefined {
  if (!isKnownType(order.type)) return `has the unknown type ${order.type}`;
  for (const side of ['source', 'target'] as const) {
    const walletId = order[`${side}WalletId`];
    const external = typeOf(order).external?.[side];
    if (external === 'sometimes') continue;
    if (isExternalWalletId(walletId) !== (external === 'always'))
      return `is a ${order.type} with the ${side} ${walletId}`;
  }
  return unfitTerms(order);
}

function unfitTerms(order: BookedOrder): string | undefined {
  const { parent, reserves } = typeOf(order);
  if ((parent !== undefined) !== (order.parentId !== undefined))
    return `is a ${order.type} that refers to ${order.parentId ?? 'no order'}`;
  if ((reserves !== undefined) !== order.expiresAt instanceof Date)
    return `is a ${order.type} ${reserves === undefined ? 'with' : 'without'} a time of expiry`;
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

function unfitStatus({ status, executeAt, completedAt, failure, amount }: BookedOrder): string | undefined {
  if (!knownStatuses.has(status)) return `has the unknown status ${status}`;
  if ((status === 'SCHEDULED' || status === 'CANCELLED') && !(executeAt instanceof Date))
    return `is ${status} without a time at which it is to be posted`;
  if (status === 'COMPLETED' && !(completedAt instanceof Date)) return 'is COMPLETED without a time of completion';
  if (status !== 'COMPLETED' && completedAt !== null) return `is ${status} with a time of completion`;
  if (status === 'FAILED' && failure === null) return 'is FAILED without a failure';
  if (status !== 'FAILED' && failure !== null) return `is ${status} with the failure ${failure}`;
  if (!amount.greaterThan(0)) return `has the amount ${amount.toFixed()}`;
  return undefined;
}
