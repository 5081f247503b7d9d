import type { OrderToPost } from '../domain/order.ts';

interface Candidate {
  readonly order: Pick<OrderToPost, 'sourceWalletId' | 'targetWalletId'>;
}

/** While others are in flight, a group of fewer that leaves more behind waits for company: a transaction has a price. */
const groupSizeMin = 96;

/**
 * The orders of a workspace that one transaction may take while others are in flight: those whose wallets nobody is busy
 * with, from the front of its line. An order that must wait holds back the later ones on its wallets, so that the orders of
 * a wallet are posted in the order in which they came: an earlier credit may fund a later debit. Pure.
 * @param waiting the first that came first.
 * @param busy wallets of the transactions in flight.
 * @returns none where it is not worth a transaction now.
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
