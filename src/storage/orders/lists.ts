import type { Collection, Db } from 'mongodb';
import type { Listed } from '../../domain/money.ts';
import type { Order } from '../../orders/order.ts';
import { openOrderCounts } from './counts.ts';
import { sourceOf, type OrderListQuery } from './filters.ts';
import { listedOrder, type OrderDocument } from './orders.ts';
import { idsMadeIn, idsBelow, readPage, type Page, type PagePlace } from '../shared/page.ts';

export type OrderLists = ReturnType<typeof openOrderLists>;

/**
 * Lists of orders, newest first; a range of creation times is a range of ids. A page takes one command, and up to two more if
 * it is of the PENDING orders of a wallet. The server skips the rows before it.
 * @param isSharded on a sharded cluster lists of several workspaces share no command.
 */
export function openOrderLists(db: Db, isSharded = false) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    async page(query: OrderListQuery, place: PagePlace): Promise<Page<Listed<Order>>> {
      const { timeLeftMs } = query;
      const source = await sourceOf(collection, query, idsBelow(idsMadeIn('order', query), place.below));
      if (source === undefined) return { items: [], hasMore: false };
      return readPage(collection, source.filter, place, listedOrder, { ...source.index, timeLeftMs });
    },

    count: openOrderCounts(db, isSharded),
  };
}
