import type { Flow } from '../domain/wallet.ts';
import { hasFlows } from '../orders/types.ts';
import type { BookedOrder, BookedWallet, CountsByType } from '../storage/booked.ts';
import type { Report } from './breach.ts';
import { movesOf } from './order.ts';

/**
 * Counts by type the orders of one wallet's flows, and compares them with how many COMPLETED orders the wallet says that it
 * has. An order leaves its flows on a wallet one after the other, unless its type has no flows: such orders are not compared.
 * If a flow or its order is missing, which is a breach of its own, only the sum is compared with the number of the last flow.
 */
export function createCompleted() {
  const ofFlows = new Map<string, number>();
  let flows = 0;
  /** Legs whose flows are still to come of the order whose flows come now. */
  let rest: { readonly orderId: string; readonly legs: readonly number[] } = { orderId: '', legs: [] };

  function differences({ counts: { COMPLETED } }: BookedWallet, sequence: number): string[] {
    const says = new Map([...COMPLETED].filter(([type]) => hasFlows(type)));
    if (flows !== sequence) {
      const sum = says.values().reduce((total, count) => total + count, 0);
      return sum === sequence ? [] : [`says ${sum}, its last flow is number ${sequence}`];
    }
    const numberIn = (counts: CountsByType, type: string): number => counts.get(type) ?? 0;
    return [...new Set([...says.keys(), ...ofFlows.keys()])]
      .filter((type) => numberIn(says, type) !== numberIn(ofFlows, type))
      .map((type) => `says ${numberIn(says, type)} orders ${type}, its flows are of ${numberIn(ofFlows, type)}`);
  }

  return {
    /** @param order that of the wallet's next flow. */
    add(flow: Flow, order: BookedOrder | undefined, report: Report): void {
      if (order === undefined) return;
      flows += 1;
      if (rest.orderId !== order.id || rest.legs.length === 0) {
        const { walletId } = flow;
        const legs = [...movesOf(order).entries()].flatMap(([place, { sourceWalletId, targetWalletId }]) =>
          sourceWalletId === walletId || targetWalletId === walletId ? [place] : [],
        );
        rest = { orderId: order.id, legs };
        ofFlows.set(order.type, (ofFlows.get(order.type) ?? 0) + 1);
      }
      const [next] = rest.legs;
      if (next !== undefined && next !== flow.leg)
        report(
          'flow-not-as-ordered',
          flow.id,
          `is of leg ${flow.leg} of ${order.id}, and comes where leg ${next} should`,
        );
      rest = { orderId: order.id, legs: rest.legs.filter((place) => place !== flow.leg) };
    },
    /** @param sequence the number of the wallet's last flow. */
    compare(wallet: BookedWallet, sequence: number, differs: Report): void {
      for (const message of differences(wallet, sequence)) differs('wallet-completed', wallet.id, message);
    },
  };
}
