import type { Flow } from '../domain/wallet.ts';
import type { BookedOrder } from '../storage/books.ts';
import type { BreachKind } from './breach.ts';

/** How a flow and the order that it names disagree; undefined if they agree. */
export function disagreement(
  flow: Flow,
  order: BookedOrder | undefined,
): { readonly kind: BreachKind; readonly message: string } | undefined {
  if (order === undefined) return { kind: 'flow-without-order', message: `order ${flow.transferId} does not exist` };
  if (order.status !== 'COMPLETED') {
    return { kind: 'flow-of-open-order', message: `order ${order.id} is ${order.status}` };
  }
  const [own, other] =
    flow.direction === 'DEBIT'
      ? [order.sourceWalletId, order.targetWalletId]
      : [order.targetWalletId, order.sourceWalletId];
  const agrees =
    flow.walletId === own &&
    flow.counterpartyWalletId === other &&
    flow.amount.equals(order.amount) &&
    flow.currency === order.currency;
  if (agrees) return undefined;
  const found = `${flow.direction} ${flow.amount.toFixed()} ${flow.currency} of ${flow.walletId}`;
  const ordered = `${order.amount.toFixed()} ${order.currency} from ${order.sourceWalletId} to ${order.targetWalletId}`;
  return { kind: 'flow-not-as-ordered', message: `${found}; order ${order.id} says ${ordered}` };
}

/** How an order's fields contradict its status; undefined if they do not. */
export function unfitFields({ status, completedAt, failure, amount }: BookedOrder): string | undefined {
  if (status !== 'PENDING' && status !== 'COMPLETED' && status !== 'FAILED') return `has the unknown status ${status}`;
  if (status === 'COMPLETED' && !(completedAt instanceof Date)) return 'is COMPLETED without a time of completion';
  if (status !== 'COMPLETED' && completedAt !== null) return `is ${status} with a time of completion`;
  if (status === 'FAILED' && failure === null) return 'is FAILED without a failure';
  if (status !== 'FAILED' && failure !== null) return `is ${status} with the failure ${failure}`;
  if (!amount.greaterThan(0)) return `has the amount ${amount.toFixed()}`;
  return undefined;
}
