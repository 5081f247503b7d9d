import { leastIdAt } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { Flow } from '../domain/wallet.ts';
import type { BookedWallet } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import { settledAfterMs } from '../storage/shared/transaction.ts';

/**
 * Which orders count, as of one moment. An order is in or out for good, with all its flows. So books that are read in parts
 * while orders are posted can still be compared as of that moment.
 */
export interface Cut {
  /** The moment, by MongoDB's clock. */
  readonly asOf: Date;
  /** No order with a lower id is recorded any more. */
  readonly newFrom: string;
  /** Whether the order counts. If it was completed by then, all its flows are there for every later read. */
  has(orderId: string): boolean;
}

/**
 * Makes the cut. Ids older than two minutes count, unless their order is SCHEDULED or PENDING; of newer orders, only those count
 * that are COMPLETED now. An order that is settled while this runs may be in or out. The SCHEDULED ones are read before the
 * PENDING ones, because an order that is started comes from one to the other. It holds in memory one id for each order that
 * has not ended, or was created in the last two minutes and completed.
 */
export async function drawCut(books: Books): Promise<Cut> {
  const asOf = await books.now();
  const newFrom = leastIdAt('order', new Date(asOf.getTime() - settledAfterMs));
  const open = await collect(books.openIdsBefore(newFrom));
  const completed = await collect(books.completedIdsFrom(newFrom));
  return { asOf, newFrom, has: (orderId) => (orderId < newFrom ? !open.has(orderId) : completed.has(orderId)) };
}

async function collect(pages: AsyncIterable<readonly string[]>): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of pages) {
    for (const id of page) ids.add(id);
  }
  return ids;
}

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
