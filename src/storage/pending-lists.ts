import type { Collection } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { filterOf, idsOf, indexOf, pendingFilterOf, scopesOf, type OrderListQuery } from './order-filters.ts';
import { listedOrder, waiting, type OrderDocument } from './orders.ts';
import {
  beyondAnyId,
  countRows,
  firstId,
  idsBelow,
  intersection,
  readPage,
  type IdRange,
  type IndexHint,
  type Page,
  type PagePlace,
} from './page.ts';
import type { LookAtPending } from './pending-orders.ts';
import { orderIndexes } from './schema.ts';

/** As many PENDING orders are looked through to find those of one wallet or workspace. */
const fewPending = 1_000;

const pendingIndex = { hint: orderIndexes.pending };

/** A part of a list's PENDING orders; no order is in two. */
interface Part {
  readonly filter: ReturnType<typeof filterOf>;
  readonly index: IndexHint;
}

export type PendingLists = ReturnType<typeof createPendingLists>;

/**
 * Reads the PENDING orders of one workspace or wallet. Where few orders wait at all, everybody's are looked through. Where
 * many do, they are others', and their number is no matter: what waits is then looked for among the newest orders of the
 * wallet or workspace itself, from the first that waits for a worker on; what was set aside is older, and few.
 * @param lastLook how many wait at all, as of a moment ago; where nothing is known, they are counted.
 */
export function createPendingLists(collection: Collection<OrderDocument>, lastLook: () => LookAtPending | undefined) {
  async function partsOf(query: OrderListQuery, range: IdRange): Promise<readonly Part[]> {
    const options = { ...pendingIndex, timeLeftMs: query.timeLeftMs };
    const ofEverybody =
      lastLook()?.pending ??
      (await countRows(collection, { status: 'PENDING' }, { ...options, limit: fewPending + 1 }));
    if (ofEverybody <= fewPending) return [{ filter: pendingFilterOf(query, range), index: pendingIndex }];
    const from = await firstId(collection, waiting, options);
    const since = intersection(range, { from, before: beyondAnyId });
    return [
      { filter: pendingFilterOf(query, idsBelow(range, from)), index: pendingIndex },
      ...scopesOf(query).map((scope) => ({
        filter: filterOf({ ...query, status: 'PENDING' }, scope, since),
        index: indexOf(scope, undefined),
      })),
    ];
  }

  return {
    count: async (query: OrderListQuery, range = idsOf(query)): Promise<number> => {
      const { timeLeftMs } = query;
      const parts = await partsOf(query, range);
      const counts = parts.map(({ filter, index }) => countRows(collection, filter, { ...index, timeLeftMs }));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },

    async page(query: OrderListQuery, { size, skip, below }: PagePlace): Promise<Page<Listed<Order>>> {
      const { timeLeftMs } = query;
      const parts = await partsOf(query, idsBelow(idsOf(query), below));
      // Each of them may hold all of the page, and all before it.
      const place = { size: skip + size, skip: 0 };
      const pages = await Promise.all(
        parts.map(({ filter, index }) => readPage(collection, filter, place, listedOrder, { ...index, timeLeftMs })),
      );
      const rows = pages.flatMap(({ items }) => items).sort((a, b) => (a.id < b.id ? 1 : -1));
      const hasMore = rows.length > skip + size || pages.some((page) => page.hasMore);
      return { items: rows.slice(skip, skip + size), hasMore };
    },
  };
}
