interface Candidate {
  readonly order: { readonly sourceWalletId: string; readonly targetWalletId: string };
}

export interface PickLimits {
  readonly sizeMax: number;
  /** Orders that are looked at, at the most. */
  readonly scanMax: number;
}

/**
 * The orders that one transaction may take while others are in flight: those whose wallets nobody is busy with, from the
 * front of the queue. An order that must wait holds back the later ones on its wallets, so that the orders of a wallet
 * are posted in the order in which they came: an earlier credit may fund a later debit. Pure.
 * @param waiting the first that came first.
 * @param busy wallets of the transactions in flight.
 */
export function pickGroup<T extends Candidate>(
  waiting: readonly T[],
  busy: ReadonlySet<string>,
  { sizeMax, scanMax }: PickLimits,
): T[] {
  const passedOver = new Set<string>();
  const isFree = (walletId: string): boolean => !busy.has(walletId) && !passedOver.has(walletId);
  const picked: T[] = [];
  for (const candidate of waiting.slice(0, scanMax)) {
    if (picked.length === sizeMax) break;
    const { sourceWalletId, targetWalletId } = candidate.order;
    if (isFree(sourceWalletId) && isFree(targetWalletId)) picked.push(candidate);
    else passedOver.add(sourceWalletId).add(targetWalletId);
  }
  return picked;
}
