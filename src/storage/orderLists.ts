import type { Collection, Db } from 'mongodb';
import type { Order } from '../domain/order.ts';
import { openOrderCounts } from './orderCounts.ts';
import { filterOf, idsOf, pendingFilterOf, pendingIndex, scopesOf } from './orderFilters.ts';
import type { OrderListQuery } from './orderFilters.ts';
import { toOrder } from './orders.ts';
import type { OrderDocument } from './orders.ts';
import { idsBelow, readPage } from './page.ts';
import type { Page, PagePlace } from './page.ts';

export type OrderLists = ReturnType<typeof openOrderLists>;

/**
 * Lists of orders, newest first; a range of creation times is a range of ids.
 *
 * The orders of a wallet are those with it as the source and those with it as the target: two indexes, merged. (One over
 * an array of both wallets would hold as many keys, but be multikey: counting would have to remember what it has seen.)
 */
export function openOrderLists(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Order>> {
      const { timeLeftMs } = query;
      const range = idsBelow(idsOf(query), place.below);
      if (query.status === 'PENDING') {
        return readPage(collection, pendingFilterOf(query, range), place, toOrder, { ...pendingIndex, timeLeftMs });
      }
      const $or = scopesOf(query).map((scope) => filterOf(query, scope, range));
      return readPage(collection, { $or }, place, toOrder, { timeLeftMs });
    },

    count: openOrderCounts(db),
  };
}
