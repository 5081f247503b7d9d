import type { Money } from '../domain/money.ts';
import type { Flow } from '../domain/wallet.ts';
import type { BookedWallet } from '../storage/books.ts';
import type { Cut } from './cut.ts';

export type Sums = ReturnType<typeof createSums>;

/**
 * Adds up the balances of all wallets, by currency, as they were at the cut, though each wallet is read at a moment of its
 * own: what an order outside the cut has moved on a wallet by then is taken back. Whatever is left of a currency that is
 * not zero was not moved by orders.
 */
export function createSums(cut: Cut) {
  const sums = new Map<string, Money>();
  const add = (currency: string, amount: Money): void => {
    sums.set(currency, amount.plus(sums.get(currency) ?? 0));
  };
  return {
    /** A wallet as it was read. */
    addWallet({ currency, balance }: BookedWallet): void {
      add(currency, balance);
    },
    /** Each flow that the wallets, as they were read, include. */
    addFlow({ transferId, currency, direction, amount }: Flow): void {
      if (!cut.has(transferId)) add(currency, direction === 'DEBIT' ? amount : amount.negated());
    },
    byCurrency: () => [...sums].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
