import type { Collection, Db } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { countParts, idsOf, partsIn, type OrderListQuery } from './order-filters.ts';
import type { OrderDocument } from './orders.ts';
import { idsBelow, type Page } from './page.ts';
import type { PendingLists } from './pending-lists.ts';
import type { LookAtPending } from './pending-orders.ts';
import { createSettledOrders, type SettledOrders } from './settled-orders.ts';

type Orders = Collection<OrderDocument>;

/** The most readings of a total that keeps changing, until two of them agree. */
const readingsMax = 3;

/**
 * Counts the orders of a list.
 * @param newest the list's first page, if it was just read. The PENDING orders are nearly always on it, and then need not be
 * read again.
 */
export type CountOrders = (query: OrderListQuery, newest?: Page<Listed<Order>>) => Promise<number>;

/**
 * Tells the number of a million orders without counting them: wallets know how many of their orders are COMPLETED and
 * FAILED, and the PENDING ones are the newest.
 * @param isSharded see {@link createSettledOrders}.
 * @param lastLook what was known about all PENDING orders a moment ago; undefined if nothing was.
 */
export function openOrderCounts(
  db: Db,
  countPending: PendingLists['count'],
  lastLook: () => LookAtPending | undefined,
  isSharded = false,
): CountOrders {
  const collection: Orders = db.collection('orders');
  const readSettled = createSettledOrders(db, isSharded);

  async function countPendingWith(query: OrderListQuery, newest: Page<Listed<Order>> | undefined): Promise<number> {
    const last = newest?.items.at(-1);
    if (newest === undefined || last === undefined) return countPending(query);
    const onPage = newest.items.filter(({ status }) => status === 'PENDING').length;
    if (last.id <= (lastLook()?.settledBefore ?? '')) return onPage;
    return onPage + (await countPending(query, idsBelow(idsOf(query), last.id)));
  }

  /**
   * PENDING orders are counted first, settled ones are read afterwards. One reading is enough if none was PENDING, because
   * no order becomes PENDING again, or if nothing was settled in between. Otherwise two readings have to agree: the numbers
   * of settled orders only rise, so equal readings were true between them, when the PENDING ones were counted. If orders are
   * posted all the time, readings may never agree. Then the last one is answered, and may be off by the orders that were
   * settled meanwhile.
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
    // Counting orders of any status reads index keys alone. At once, so that fewer orders change status in between.
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
 * Whether it is certain that nothing was settled between the reading of the page and that of the wallet: the order that
 * last changed the wallet is on the page, settled. (A group has one time, and a wallet is in one group at a time.)
 */
function isUnmoved(settled: SettledOrders, newest: Page<Listed<Order>> | undefined): boolean {
  const changedAt = settled.changedAt?.getTime();
  if (newest === undefined || changedAt === undefined) return false;
  return (
    numberOf(settled) === 0 ||
    newest.items.some(({ status, updatedAt }) => status !== 'PENDING' && updatedAt.getTime() === changedAt)
  );
}

function countIn(collection: Orders, query: OrderListQuery, range = idsOf(query)): Promise<number> {
  return countParts(collection, partsIn(query, range), { timeLeftMs: query.timeLeftMs });
}
