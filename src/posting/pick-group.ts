import type { OrderToPost } from '../domain/order.ts';

interface Candidate {
  readonly order: Pick<OrderToPost, 'sourceWalletId' | 'targetWalletId'>;
}

/** A group smaller than this waits if it would leave more orders behind than it takes, because a transaction has its cost. */
const groupSizeMin = 96;

/**
 * The orders of a workspace that one transaction may take while others are in flight: from the front of its line, those
 * whose wallets are in no group in flight. An order that must wait holds back the later ones on its wallets. So the orders
 * of a wallet are posted in the order in which they came, and an earlier credit may fund a later debit. Pure.
 * @param waiting in the order in which they came.
 * @param busy wallets of the transactions in flight.
 * @returns none if they are not worth a transaction now.
 */
export function pickGroup<T extends Candidate>(
  waiting: readonly T[],
  busy: ReadonlySet<string>,
  sizeMax: number,
): readonly T[] {
  const heldBack = new Set<string>();
  const isFree = (walletId: string): boolean => !busy.has(walletId) && !heldBack.has(walletId);
  const picked: T[] = [];
  for (const candidate of waiting) {
    if (picked.length === sizeMax) break;
    const { sourceWalletId, targetWalletId } = candidate.order;
    if (isFree(sourceWalletId) && isFree(targetWalletId)) picked.push(candidate);
    else heldBack.add(sourceWalletId).add(targetWalletId);
  }
  return picked.length >= groupSizeMin || 2 * picked.length >= waiting.length ? picked : [];
}
