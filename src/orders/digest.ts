import { hash } from 'node:crypto';
import { plainest } from '../domain/money.ts';
import type { Leg, Order } from './order.ts';

/** 66 bits, in base64url: enough to notice a change. It is no key's, so who can change an order can make its digest anew. */
const digestLength = 11;

/**
 * A short hash of what an order was recorded as: its ids, what its legs move, and between which wallets, none of which ever
 * changes. Of an order that leaves no flow nothing else that is stored repeats these.
 */
export function digestOrder({
  id,
  bizId,
  workspaceId,
  type,
  legs,
}: Pick<Order, 'id' | 'bizId' | 'workspaceId' | 'type'> & { readonly legs: readonly Leg[] }): string {
  const content: (string | number)[] = [id, bizId, workspaceId, type];
  for (const { sourceWalletId, targetWalletId, amount, currency, parentLeg } of legs) {
    content.push(sourceWalletId, targetWalletId, plainest(amount), currency);
    if (parentLeg !== undefined) content.push(parentLeg);
  }
  return hash('sha256', content.join('\n'), 'base64url').slice(0, digestLength);
}
