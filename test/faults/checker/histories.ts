import { unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { closesHold, legsIn } from './legs.ts';

/** What the books say in the end of all that was: of orders by id, and of wallets. */
export interface Histories {
  orders: ReadonlyMap<string, RawDocument>;
  wallets: ReadonlyMap<string, History>;
}

/** A wallet's flows, and what it held after so many of them. */
export interface History {
  wallet: RawDocument;
  /** By sequence. */
  flows: readonly RawDocument[];
  /** From before the first flow on. */
  balances: readonly Units[];
  debits: readonly Units[];
  /** Those that were made, in any order. */
  holds: readonly Hold[];
}

/** What was reserved, and each capture of it, with the last of its flows on the wallet. */
export interface Hold {
  id: string;
  amount: Units;
  captures: readonly { sequence: number; amount: Units; isLast: boolean }[];
}

export function historiesOf({ wallets, flows, orders }: RawBooks): Histories {
  const byWallet = Map.groupBy(flows, (flow) => String(flow['walletId']));
  const completed = orders.filter(({ status }) => status === 'COMPLETED');
  const holds = Map.groupBy(
    completed.filter(({ type }) => type === 'HOLD'),
    ({ sourceWalletId }) => String(sourceWalletId),
  );
  const captures = Map.groupBy(
    completed.filter(({ type }) => type === 'CAPTURE'),
    ({ parentId }) => String(parentId),
  );
  const entries = wallets.map((wallet): [string, History] => {
    const own = (byWallet.get(wallet._id) ?? []).toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
    const lastOf = new Map(own.map(({ transferId, sequence }) => [transferId, Number(sequence)]));
    const [balances, debits] = [[0n], [0n]];
    for (const [index, flow] of own.entries()) {
      const [amount, isDebit] = [unitsOf(flow['amount']), flow['direction'] === 'DEBIT'];
      balances.push(balances[index]! + (isDebit ? -amount : amount));
      debits.push(debits[index]! + (isDebit ? amount : 0n));
    }
    const ownHolds = (holds.get(wallet._id) ?? []).map((hold) => ({
      ...{ id: hold._id, amount: unitsOf(hold['amount']) },
      captures: (captures.get(hold._id) ?? []).map((capture) => ({
        sequence: lastOf.get(capture._id) ?? Infinity,
        amount: legsIn(capture).reduce((sum, { amount }) => sum + unitsOf(amount), 0n),
        isLast: closesHold(capture),
      })),
    }));
    return [wallet._id, { wallet, flows: own, balances, debits, holds: ownHolds }];
  });
  return { orders: new Map(orders.map((order) => [order._id, order])), wallets: new Map(entries) };
}

/** How many of the flows are from before a time: they are in order, or the books are found wrong. */
export function countBefore({ flows }: History, endMs: number): number {
  let [low, high] = [0, flows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(flows[middle]!['createdAt']) >= endMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many of the flows are final, as an answer says: those dated up to its `settledUntil`, which is inclusive. */
export function countSettled(history: History, settledUntil: unknown): number {
  return countBefore(history, Date.parse(String(settledUntil)) + 1);
}

/** Whether the flows up to one are those of whole orders: an order's come all at once. */
export function isBetweenOrders({ flows }: History, sequence: number): boolean {
  return sequence === 0 || flows[sequence - 1]?.['transferId'] !== flows[sequence]?.['transferId'];
}
