import { hasFlows, isKnownType, typeOf, walletIdsOf } from '../orders/types.ts';
import { isTerminal, orderStatuses } from '../orders/order.ts';
import { ownOfLeg } from '../orders/type.ts';
import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

const ends: ReadonlySet<string> = new Set(orderStatuses.filter(isTerminal));

/**
 * Checks that what the orders of a page name fits them: the wallets of those that left no flows on them are of their workspace
 * and currency, and an order that they refer to was COMPLETED before, with the wallets and the currency that they have by it.
 * (Flows are compared with their wallets themselves.) One command, or none for a page of transfers that have ended well.
 * @param parents the orders that those of the page refer to, by id.
 */
export async function verifyNames(
  books: Books,
  page: readonly BookedOrder[],
  parents: ReadonlyMap<string, BookedOrder>,
  report: Report,
): Promise<void> {
  await verifyWalletsOf(books, page.filter(hasLeftNothing), report);
  for (const order of page) {
    const wrong = refersToOne(order) ? misfit(order, parents.get(order.parentId ?? '')) : undefined;
    if (wrong !== undefined) report('order-names', order.id, wrong);
  }
}

function refersToOne({ type, parentId }: BookedOrder): boolean {
  return parentId !== undefined && isKnownType(type) && typeOf({ type }).parent !== undefined;
}

/** What waits still is looked at when it is posted, and set aside if it does not fit. */
function hasLeftNothing({ type, status }: BookedOrder): boolean {
  return isKnownType(type) && ends.has(status) && !(status === 'COMPLETED' && hasFlows(type));
}

async function verifyWalletsOf(books: Books, orders: readonly BookedOrder[], report: Report): Promise<void> {
  if (orders.length === 0) return;
  const wallets = await books.findWallets([...new Set(orders.flatMap(walletIdsOf))]);
  for (const order of orders) {
    for (const { id, currency } of namedBy(order)) {
      const wallet = wallets.get(id);
      if (wallet === undefined) report('order-names', order.id, `names the wallet ${id}, which does not exist`);
      else if (wallet.workspaceId !== order.workspaceId)
        report(
          'order-names',
          order.id,
          `names the wallet ${id} of ${wallet.workspaceId}, and is of ${order.workspaceId}`,
        );
      else if (wallet.currency !== currency)
        report('order-names', order.id, `is in ${currency}, its wallet ${id} in ${wallet.currency}`);
    }
  }
}

/** The wallets that an order names, each with the currency of the leg that does. */
function namedBy({ legs }: BookedOrder): { readonly id: string; readonly currency: string }[] {
  return legs.flatMap(({ sourceWalletId, targetWalletId, currency }) =>
    [sourceWalletId, targetWalletId].map((id) => ({ id, currency })),
  );
}

/** How an order does not fit the one that it refers to; undefined if it does. */
function misfit(order: BookedOrder, parent: BookedOrder | undefined): string | undefined {
  // Of one that is COMPLETED the order that it has used is at fault (uses.ts), and what waits is set aside.
  if (parent?.status !== 'COMPLETED')
    return order.status === 'FAILED'
      ? `refers to ${order.parentId ?? ''}, which ${parent === undefined ? 'does not exist' : `is ${parent.status}`}`
      : undefined;
  if (parent.workspaceId !== order.workspaceId) return `refers to ${parent.id} of ${parent.workspaceId}`;
  const rule = typeOf(order).parent;
  for (const leg of order.legs) {
    const original = parent.legs[leg.parentLeg ?? 0];
    if (original === undefined) return `refers to the leg ${leg.parentLeg ?? 0} of ${parent.id}, which it has not`;
    const right = rule?.legBy(original, order.namesLegs) ?? {};
    const wrong = ownOfLeg.find((field) => right[field] !== undefined && leg[field] !== right[field]);
    if (wrong !== undefined)
      return `has the ${wrong} ${String(leg[wrong])}; by ${parent.id} it is ${String(right[wrong])}`;
  }
  return undefined;
}
