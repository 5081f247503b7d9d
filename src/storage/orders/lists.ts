import type { Collection, Db } from 'mongodb';
import type { Listed } from '../../domain/money.ts';
import type { Order } from '../../orders/order.ts';
import { openOrderCounts } from './counts.ts';
import { filterOf, idsOf, indexOf, type OrderListQuery } from './filters.ts';
import { listedOrder, type OrderDocument } from './orders.ts';
import { idsBelow, readPage, type Page, type PagePlace } from '../shared/page.ts';
import { createPendingLists } from './pending-lists.ts';
import type { LookAtPending } from './pending-orders.ts';

export type OrderLists = ReturnType<typeof openOrderLists>;

/**
 * Lists of orders, newest first; a range of creation times is a range of ids.
 * @param lastLook what was known about all PENDING orders a moment ago.
 * @param isSharded on a sharded cluster lists of several workspaces share no command.
 */
export function openOrderLists(db: Db, lastLook: () => LookAtPending | undefined, isSharded = false) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  const pending = createPendingLists(collection, lastLook);
  return {
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Listed<Order>>> {
      const { status, timeLeftMs } = query;
      if (status === 'PENDING') return pending.page(query, place);
      const filter = filterOf(query, idsBelow(idsOf(query), place.below));
      return readPage(collection, filter, place, listedOrder, { ...indexOf(query), timeLeftMs });
    },

    count: openOrderCounts(db, pending.count, lastLook, isSharded),
  };
}
