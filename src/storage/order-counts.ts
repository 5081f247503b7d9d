import type { Collection, Db } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { filterOf, idsOf, indexOf, scopesOf, type OrderListQuery } from './order-filters.ts';
import type { OrderDocument } from './orders.ts';
import { countRows, idsBelow, type Page } from './page.ts';
import type { PendingLists } from './pending-lists.ts';
import type { LookAtPending } from './pending-orders.ts';
import { createSettledOrders, type SettledOrders } from './settled-orders.ts';

type Orders = Collection<OrderDocument>;

/** A total that others keep changing is read this often until two readings agree. */
const readingsMax = 3;

/**
 * Counts the orders of a list.
 * @param newest the list's first page, where it was just read: what waits is on it, nearly always, and is then not looked
 * for again.
 */
export type CountOrders = (query: OrderListQuery, newest?: Page<Listed<Order>>) => Promise<number>;

/**
 * A million orders are not counted to tell their number: wallets know how many of theirs are COMPLETED and FAILED, and those
 * that are PENDING are the newest.
 * @param lastLook what is known of all orders that are PENDING, of a moment ago; undefined where nothing is.
 */
export function openOrderCounts(
  db: Db,
  countPending: PendingLists['count'],
  lastLook: () => LookAtPending | undefined,
): CountOrders {
  const collection: Orders = db.collection('orders');
  const readSettled = createSettledOrders(db);

  async function countPendingWith(query: OrderListQuery, newest: Page<Listed<Order>> | undefined): Promise<number> {
    const last = newest?.items.at(-1);
    if (newest === undefined || last === undefined) return countPending(query);
    const onPage = newest.items.filter(({ status }) => status === 'PENDING').length;
    if (last.id <= (lastLook()?.settledBefore ?? '')) return onPage;
    return onPage + (await countPending(query, idsBelow(idsOf(query), last.id)));
  }

  /**
   * No order becomes PENDING again: where none waits, what is settled afterwards is all there was, and one reading tells
   * it. So it does where nothing was settled since what waits was counted. Otherwise two have to agree: numbers of what is
   * settled only rise, so what two readings agree on was the number between them, and what waits was counted then. Where
   * orders are being posted all the time, readings may never agree; the last one is then answered, and the orders in
   * motion may be off.
   */
  async function countOfAnyStatus(query: OrderListQuery, newest: Page<Listed<Order>> | undefined): Promise<number> {
    const before = await countPendingWith(query, newest);
    let settled = await readSettled(query);
    if (before === 0 || isUnmoved(settled, newest)) return numberOf(settled) + before;
    for (let reading = 1; ; reading++) {
      const pending = await countPending(query);
      const again = await readSettled(query);
      const isSame = again.completed === settled.completed && again.failed === settled.failed;
      if (isSame || reading === readingsMax) return numberOf(again) + pending;
      settled = again;
    }
  }

  return async (query, newest) => {
    const isWhole = query.from === undefined && query.to === undefined;
    if (isWhole && query.status === undefined) return countOfAnyStatus(query, newest);
    if (query.status === 'PENDING') return countPending(query);
    const areKnown = isWhole && (query.status === 'COMPLETED' || query.walletId !== undefined);
    if (areKnown) {
      const { completed, failed } = await readSettled(query);
      return query.status === 'COMPLETED' ? completed : failed;
    }
    if (query.status !== 'COMPLETED') return countIn(collection, query);
    // Counting orders of any status reads index keys alone.
    const [all, pending, failed] = await Promise.all([
      countIn(collection, { ...query, status: undefined }),
      countPending(query),
      countIn(collection, { ...query, status: 'FAILED' }),
    ]);
    return Math.max(0, all - pending - failed);
  };
}

function numberOf({ completed, failed }: SettledOrders): number {
  return completed + failed;
}

/**
 * Whether nothing was settled between the reading of the page and that of the wallet, as far as that shows: what the wallet
 * was last posted with is settled on the page. (A group has one moment, and a wallet is in one group at a time.)
 */
function isUnmoved(settled: SettledOrders, newest: Page<Listed<Order>> | undefined): boolean {
  const changedAt = settled.changedAt?.getTime();
  if (newest === undefined || changedAt === undefined) return false;
  return (
    numberOf(settled) === 0 ||
    newest.items.some(({ status, updatedAt }) => status !== 'PENDING' && updatedAt.getTime() === changedAt)
  );
}

async function countIn(collection: Orders, query: OrderListQuery, range = idsOf(query)): Promise<number> {
  // No order has one wallet on both sides, so none is counted twice.
  const { status, timeLeftMs } = query;
  const counts = scopesOf(query).map((scope) =>
    countRows(collection, filterOf(query, scope, range), { ...indexOf(scope, status), timeLeftMs }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
