import type { ClientSession, Collection } from 'mongodb';
import type { Listed } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { countParts, idsOf, partsIn, pendingFilterOf, type OrderListQuery, type Part } from './order-filters.ts';
import { listedOrder, waiting, type OrderDocument } from './orders.ts';
import {
  beyondAnyId,
  countRows,
  firstId,
  idsBelow,
  intersection,
  readPage,
  type IdRange,
  type Page,
  type PagePlace,
} from './page.ts';
import type { LookAtPending } from './pending-orders.ts';
import { orderIndexes } from './schema.ts';

/** Up to this many PENDING orders are searched for those of one wallet or workspace. */
const fewPending = 1_000;

const pendingIndex = { hint: orderIndexes.pending };

export type PendingLists = ReturnType<typeof createPendingLists>;

/**
 * Reads the PENDING orders of one workspace or wallet, one command after the other, so that a list has one connection. If
 * few orders are PENDING in all, those are searched. If there are many, most are others', and must not make this list slow.
 * Then the newest orders of the wallet or workspace itself are searched, back to the oldest order that waits for a worker,
 * unless they are more than all that are PENDING: a partition may be paused for a day. Older PENDING orders are set aside,
 * and few.
 * @param lastLook how many were PENDING a moment ago; if that is not known, they are counted.
 */
export function createPendingLists(collection: Collection<OrderDocument>, lastLook: () => LookAtPending | undefined) {
  async function partsOf(query: OrderListQuery, range: IdRange, session?: ClientSession): Promise<readonly Part[]> {
    const options = { ...pendingIndex, timeLeftMs: query.timeLeftMs, session };
    const ofEverybody =
      lastLook()?.pending ??
      (await countRows(collection, { status: 'PENDING' }, { ...options, limit: fewPending + 1 }));
    const ofAll = [{ filter: pendingFilterOf(query, range), index: pendingIndex }];
    if (ofEverybody <= fewPending) return ofAll;
    const from = await firstId(collection, waiting, options);
    const since = intersection(range, { from, before: beyondAnyId });
    const { workspaceId, walletId, timeLeftMs } = query;
    // Of any status and currency, so that the keys of an index alone are counted.
    const own = partsIn({ workspaceId, walletId }, since);
    if ((await countParts(collection, own, { limit: ofEverybody, timeLeftMs, session })) >= ofEverybody) return ofAll;
    return [
      { filter: pendingFilterOf(query, idsBelow(range, from)), index: pendingIndex },
      ...partsIn({ ...query, status: 'PENDING' }, since),
    ];
  }

  return {
    /** @param session of a transaction, in whose snapshot is counted. */
    count: async (query: OrderListQuery, range = idsOf(query), session?: ClientSession): Promise<number> => {
      const { timeLeftMs } = query;
      return countParts(collection, await partsOf(query, range, session), { timeLeftMs, session });
    },

    async page(query: OrderListQuery, { size, skip, below }: PagePlace): Promise<Page<Listed<Order>>> {
      const { timeLeftMs } = query;
      const parts = await partsOf(query, idsBelow(idsOf(query), below));
      // Each part may hold all rows of the page, and all rows before it.
      const place = { size: skip + size, skip: 0 };
      const pages: Page<Listed<Order>>[] = [];
      for (const { filter, index } of parts) {
        pages.push(await readPage(collection, filter, place, listedOrder, { ...index, timeLeftMs }));
      }
      const rows = pages.flatMap(({ items }) => items).sort((a, b) => (a.id < b.id ? 1 : -1));
      const hasMore = rows.length > skip + size || pages.some((page) => page.hasMore);
      return { items: rows.slice(skip, skip + size), hasMore };
    },
  };
}
