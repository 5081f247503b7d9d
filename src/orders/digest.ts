import { hash } from 'node:crypto';
import { plainest } from '../domain/money.ts';
import type { Order } from './order.ts';

/** 66 bits, in base64url: enough to notice a change. It is no key's, so who can change an order can make its digest anew. */
const digestLength = 11;

/**
 * A short hash of what an order was recorded as: its ids, what it moves, and between which wallets, none of which ever changes. Of
 * an order that leaves no flow nothing else that is stored repeats these.
 */
export function digestOrder(
  order: Pick<
    Order,
    'id' | 'bizId' | 'workspaceId' | 'type' | 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency'
  >,
): string {
  const { id, bizId, workspaceId, type, sourceWalletId, targetWalletId, amount, currency } = order;
  const content = [id, bizId, workspaceId, type, sourceWalletId, targetWalletId, plainest(amount), currency];
  return hash('sha256', content.join('\n'), 'base64url').slice(0, digestLength);
}
