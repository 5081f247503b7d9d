import { isExternalWalletId } from '../domain/ids.ts';
import type { OrderType } from '../domain/order.ts';
import type { Flow } from '../domain/wallet.ts';
import type { BookedOrder } from '../storage/books.ts';
import type { BreachKind } from './breach.ts';

/** What is expected of an order of a type. */
interface Expected {
  /** Whether it has a DEBIT and a CREDIT flow, one on each of its wallets, once it is COMPLETED. Otherwise it never has any. */
  readonly hasFlows: boolean;
  /** Which of its wallets is EXTERNAL. */
  readonly external: 'source' | 'target' | 'none';
}

const expectedOf: Readonly<Record<string, Expected | undefined>> = {
  TRANSFER: { hasFlows: true, external: 'none' },
  DEPOSIT: { hasFlows: true, external: 'source' },
  WITHDRAWAL: { hasFlows: true, external: 'target' },
} satisfies Record<OrderType, Expected>;

/** Whether a COMPLETED order of this type has its two flows. One of an unknown type is a breach of its own, and may have them. */
export function hasFlows(type: string): boolean {
  return expectedOf[type]?.hasFlows ?? true;
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

/** How an order's fields contradict its status or its type; undefined if they do not. */
export function unfitFields(order: BookedOrder): string | undefined {
  return unfitStatus(order) ?? unfitType(order);
}

function unfitType({ type, sourceWalletId, targetWalletId }: BookedOrder): string | undefined {
  const expected = expectedOf[type];
  if (expected === undefined) return `has the unknown type ${type}`;
  for (const [side, walletId] of [
    ['source', sourceWalletId],
    ['target', targetWalletId],
  ] as const) {
    if (isExternalWalletId(walletId) !== (expected.external === side))
      return `is a ${type} with the ${side} ${walletId}`;
  }
  return undefined;
}

function unfitStatus({ status, completedAt, failure, amount }: BookedOrder): string | undefined {
  if (status !== 'PENDING' && status !== 'COMPLETED' && status !== 'FAILED') return `has the unknown status ${status}`;
  if (status === 'COMPLETED' && !(completedAt instanceof Date)) return 'is COMPLETED without a time of completion';
  if (status !== 'COMPLETED' && completedAt !== null) return `is ${status} with a time of completion`;
  if (status === 'FAILED' && failure === null) return 'is FAILED without a failure';
  if (status !== 'FAILED' && failure !== null) return `is ${status} with the failure ${failure}`;
  if (!amount.greaterThan(0)) return `has the amount ${amount.toFixed()}`;
  return undefined;
}
