import type { Collection, Db, Filter } from 'mongodb';
import { idPrefixes, leastIdAt } from '../domain/ids.ts';
import type { Order, OrderStatus } from '../domain/order.ts';
import { toOrder } from './orders.ts';
import type { OrderDocument } from './orders.ts';
import { beyondAnyId, countRows, idsBelow, readPage } from './page.ts';
import type { IdRange, Page, PagePlace } from './page.ts';
import { createSettledCounts } from './settledCounts.ts';

export interface OrderListQuery {
  readonly workspaceId: string;
  /** Only orders with this wallet, which is the workspace's, on either side. */
  readonly walletId?: string | undefined;
  readonly status?: OrderStatus | undefined;
  readonly currency?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

export type OrderLists = ReturnType<typeof openOrderLists>;

/** One index each. */
type Scope = { workspaceId: string } | { sourceWalletId: string } | { targetWalletId: string };

/**
 * Lists of orders, newest first; a range of creation times is a range of ids.
 *
 * The orders of a wallet are those with it as the source and those with it as the target: two indexes, merged. (One over
 * an array of both wallets would hold as many keys, but be multikey: counting would have to remember what it has seen.)
 */
export function openOrderLists(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  const settled = createSettledCounts();

  async function countIn(query: OrderListQuery, range: IdRange): Promise<number> {
    // No order has one wallet on both sides, so none is counted twice.
    const counts = scopesOf(query).map((scope) => countRows(collection, filterOf(query, scope, range)));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Of any status: what lies below a time long past stays as it is. */
  function countOfAnyStatus(query: OrderListQuery): Promise<number> {
    const { from, to, workspaceId, walletId = '', currency = '' } = query;
    if (from !== undefined || to !== undefined) return countIn(query, idsOf(query));
    const key = `${workspaceId} ${walletId} ${currency}`;
    return settled.countAll(key, 'order', (range) => countIn(query, range));
  }

  return {
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Order>> {
      const range = idsBelow(idsOf(query), place.below);
      const $or = scopesOf(query).map((scope) => filterOf(query, scope, range));
      return readPage(collection, { $or }, place, toOrder);
    },

    /**
     * PENDING orders are few, and FAILED ones have indexes of their own; COMPLETED is what is left of all, and counting
     * all reads index keys alone. Orders that are posted at this moment may be counted as either.
     */
    async count(query: OrderListQuery): Promise<number> {
      if (query.status === undefined) return countOfAnyStatus(query);
      if (query.status !== 'COMPLETED') return countIn(query, idsOf(query));
      const range = idsOf(query);
      const [all, pending, failed] = await Promise.all([
        countOfAnyStatus({ ...query, status: undefined }),
        countIn({ ...query, status: 'PENDING' }, range),
        countIn({ ...query, status: 'FAILED' }, range),
      ]);
      return Math.max(0, all - pending - failed);
    },
  };
}

function scopesOf({ workspaceId, walletId }: OrderListQuery): Scope[] {
  return walletId === undefined ? [{ workspaceId }] : [{ sourceWalletId: walletId }, { targetWalletId: walletId }];
}

function idsOf({ from, to }: OrderListQuery): IdRange {
  return {
    from: from === undefined ? idPrefixes.order : leastIdAt('order', from),
    before: to === undefined ? beyondAnyId : leastIdAt('order', to),
  };
}

function filterOf(query: OrderListQuery, scope: Scope, { from, before }: IdRange): Filter<OrderDocument> {
  const { status, currency } = query;
  return {
    ...scope,
    _id: { $gte: from, $lt: before },
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
  };
}
