import { shown, unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { legsIn, walletsIn } from './legs.ts';

interface ReplayedWallet {
  document: RawDocument;
  /** Its flows by sequence, those not yet replayed from `next` on. */
  flows: RawDocument[];
  next: number;
  balance: Units;
  debits: Units;
}

/**
 * Starts every wallet at nothing and applies the completed orders again: an order's turn is when the debits and credits of its legs,
 * in their order, are the next flows of their wallets. Invariants 3 and 4. @returns a sentence for each breach.
 */
export function replay({ wallets, orders, flows }: RawBooks): string[] {
  const breaches: string[] = [];
  const byWallet = Map.groupBy(flows, (flow) => String(flow['walletId']));
  const replayed = new Map(
    wallets.map((document): [string, ReplayedWallet] => {
      const own = (byWallet.get(document._id) ?? []).sort((a, b) => Number(a['sequence']) - Number(b['sequence']));
      return [document._id, { document, flows: own, next: 0, balance: 0n, debits: 0n }];
    }),
  );
  const ordersById = new Map(orders.map((order) => [order._id, order]));
  // Only a wallet that has just moved on can have made another order ready.
  const moved = [...replayed.values()];
  for (let wallet = moved.pop(); wallet !== undefined; wallet = moved.pop()) {
    const order = ordersById.get(String(wallet.flows[wallet.next]?.['transferId']));
    if (order?.['status'] !== 'COMPLETED') continue;
    const sides = sidesOf(order).map((side) => ({ ...side, wallet: replayed.get(side.walletId) }));
    if (!areNext(sides, order)) continue;
    for (const side of sides) if (side.wallet !== undefined) breaches.push(...apply(side.wallet, side.change));
    for (const id of walletsIn(order)) moved.push(replayed.get(String(id))!);
  }
  for (const wallet of replayed.values()) breaches.push(...checkEnd(wallet));
  return breaches;
}

interface Side {
  readonly walletId: string;
  readonly leg: number;
  readonly direction: string;
  readonly change: Units;
}

/** Of each leg its debit, then its credit. */
function sidesOf(order: RawDocument): Side[] {
  return legsIn(order).flatMap(({ sourceWalletId, targetWalletId, amount }, leg) => [
    { walletId: String(sourceWalletId), leg, direction: 'DEBIT', change: -unitsOf(amount) },
    { walletId: String(targetWalletId), leg, direction: 'CREDIT', change: unitsOf(amount) },
  ]);
}

/** Whether they are the next flows of their wallets, one after the other. */
function areNext(
  sides: readonly (Side & { readonly wallet: ReplayedWallet | undefined })[],
  { _id }: RawDocument,
): boolean {
  const places = new Map<ReplayedWallet, number>();
  return sides.every(({ wallet, leg, direction }) => {
    if (wallet === undefined) return false;
    const place = places.get(wallet) ?? wallet.next;
    places.set(wallet, place + 1);
    const flow = wallet.flows[place];
    return flow?.['transferId'] === _id && flow['direction'] === direction && (flow['leg'] ?? 0) === leg;
  });
}

function apply(wallet: ReplayedWallet, change: Units): string[] {
  const { document, balance, next } = wallet;
  const flow = wallet.flows[next];
  wallet.next += 1;
  wallet.balance += change;
  if (change < 0n) wallet.debits -= change;
  const said = ['balanceBefore', 'balanceAfter', 'debits'].map((name) => unitsOf(flow?.[name]));
  const found = [flow?.['sequence'], ...said];
  const expected = [next + 1, balance, wallet.balance, wallet.debits];
  const breaches: string[] = [];
  if (found.some((value, index) => value !== expected[index])) {
    const right = `sequence ${next + 1}, from ${shown(balance)} to ${shown(wallet.balance)}, debits ${shown(wallet.debits)}`;
    breaches.push(`flow ${flow?._id ?? ''} does not say what its order did: ${right}`);
  }
  if (wallet.balance < 0n && document['kind'] !== 'EXTERNAL') {
    breaches.push(`wallet ${document._id} was at ${shown(wallet.balance)} after its flow ${next + 1}`);
  }
  return breaches;
}

function checkEnd({ document, flows, next, balance }: ReplayedWallet): string[] {
  const { _id: id } = document;
  const breaches: string[] = [];
  if (next < flows.length) {
    breaches.push(`wallet ${id}: from flow ${next + 1} of ${flows.length} on there is no order to replay`);
  }
  if (unitsOf(document['balance']) !== balance || document['sequence'] !== flows.length) {
    const said = `${shown(unitsOf(document['balance']))} after ${String(document['sequence'])} flows`;
    breaches.push(`wallet ${id} says ${said}; the replay has ${shown(balance)} after ${next} of ${flows.length}`);
  }
  return breaches;
}
