import type { Collection, Db } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { openOrderCounts } from './order-counts.ts';
import { filterOf, idsOf, indexOf, scopesOf, type OrderListQuery } from './order-filters.ts';
import { listedOrder, type OrderDocument } from './orders.ts';
import { idsBelow, readPage, type Page, type PagePlace } from './page.ts';
import { createPendingLists } from './pending-lists.ts';
import type { LookAtPending } from './pending-orders.ts';

export type OrderLists = ReturnType<typeof openOrderLists>;

/**
 * Lists of orders, newest first; a range of creation times is a range of ids.
 *
 * The orders of a wallet have it as source or as target: two indexes, merged. (One index over an array of both wallets would
 * hold as many keys, but it would be multikey, and counting would have to remember which orders it has seen.)
 * @param lastLook what was known about all PENDING orders a moment ago.
 * @param isSharded on a sharded cluster lists of several workspaces share no command.
 */
export function openOrderLists(db: Db, lastLook: () => LookAtPending | undefined, isSharded = false) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  const pending = createPendingLists(collection, lastLook);
  return {
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Listed<Order>>> {
      const { status, timeLeftMs } = query;
      const range = idsBelow(idsOf(query), place.below);
      if (status === 'PENDING') return pending.page(query, place);
      const [scope, ...more] = scopesOf(query);
      if (more.length === 0) {
        const options = { ...indexOf(scope, status), timeLeftMs };
        return readPage(collection, filterOf(query, scope, range), place, listedOrder, options);
      }
      // A hint could name one index only. The server itself finds one for each part of an `$or`.
      const $or = [scope, ...more].map((side) => filterOf(query, side, range));
      return readPage(collection, { $or }, place, listedOrder, { timeLeftMs });
    },

    count: openOrderCounts(db, pending.count, lastLook, isSharded),
  };
}
