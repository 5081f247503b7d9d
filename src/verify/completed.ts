import type { BookedOrder, BookedWallet } from '../storage/books.ts';
import { sumOf, type CountsByType } from '../storage/orders/failed-orders.ts';
import type { Report } from './breach.ts';
import { hasFlows } from './order.ts';

export type Completed = ReturnType<typeof createCompleted>;

/**
 * Counts by type the orders of one wallet's flows, and compares them with how many COMPLETED orders the wallet says that it
 * has. An order leaves one flow on each of its wallets, unless its type has no flows: such orders are not compared. If a flow
 * or its order is missing, which is a breach of its own, only the sum is compared with the number of the last flow.
 */
export function createCompleted(report: Report) {
  const found = new Map<string, number>();

  function differences({ completed }: Pick<BookedWallet, 'completed'>, sequence: number): string[] {
    const says = new Map([...completed].filter(([type]) => hasFlows(type)));
    if (sumOf(found) !== sequence) {
      const sum = sumOf(says);
      return sum === sequence ? [] : [`says ${sum}, its last flow is number ${sequence}`];
    }
    const numberIn = (counts: CountsByType, type: string): number => counts.get(type) ?? 0;
    return [...new Set([...says.keys(), ...found.keys()])]
      .filter((type) => numberIn(says, type) !== numberIn(found, type))
      .map((type) => `says ${numberIn(says, type)} orders ${type}, its flows are of ${numberIn(found, type)}`);
  }

  return {
    /** @param order that of the wallet's next flow. */
    add(order: BookedOrder | undefined): void {
      if (order !== undefined) found.set(order.type, (found.get(order.type) ?? 0) + 1);
    },
    /** @param sequence the number of the wallet's last flow. */
    agreesWith: (wallet: BookedWallet, sequence: number): boolean => differences(wallet, sequence).length === 0,
    reportWallet(wallet: BookedWallet, sequence: number): void {
      for (const message of differences(wallet, sequence)) report('wallet-completed', wallet.id, message);
    },
  };
}
