import type { Money } from '../domain/money.ts';
import type { Flow } from '../domain/wallet.ts';
import type { BookedWallet } from '../storage/books.ts';
import type { Cut } from './cut.ts';

export type Sums = ReturnType<typeof createSums>;

/**
 * Adds up the balances of all wallets, by currency, as of the cut. Each wallet is read at a different moment, so what orders
 * outside the cut had moved on it by then is taken back. If a currency does not sum to zero, money was moved without orders.
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
    /** Call it for each flow that a wallet, as it was read, includes. */
    addFlow({ transferId, currency, direction, amount }: Flow): void {
      if (!cut.has(transferId)) add(currency, direction === 'DEBIT' ? amount : amount.negated());
    },
    byCurrency: () => [...sums].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
