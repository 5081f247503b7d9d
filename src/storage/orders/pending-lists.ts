import type { ClientSession, Collection, Filter } from 'mongodb';
import type { Listed } from '../../domain/money.ts';
import type { Order } from '../../orders/order.ts';
import { countIn, filterOf, idsOf, indexOf, type OrderListQuery } from './filters.ts';
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
} from '../shared/page.ts';
import type { LookAtPending } from './pending-orders.ts';
import { orderIndexes } from '../schema/schema.ts';

/** Up to this many PENDING orders are searched for those of one wallet or workspace. */
const fewPending = 1_000;

const pendingIndex = { hint: orderIndexes.pending };

/** A part of a list that one index serves; no order is in two. */
interface Part {
  readonly filter: Filter<OrderDocument>;
  readonly index: IndexHint;
}

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
    const pending = { ...query, status: 'PENDING' } as const;
    const options = { ...pendingIndex, timeLeftMs: query.timeLeftMs, session };
    const ofEverybody =
      lastLook()?.pending ??
      (await countRows(collection, { status: 'PENDING' }, { ...options, limit: fewPending + 1 }));
    const ofAll = [{ filter: filterOf(pending, range), index: pendingIndex }];
    if (ofEverybody <= fewPending) return ofAll;
    const from = await firstId(collection, waiting, options);
    const since = intersection(range, { from, before: beyondAnyId });
    const { workspaceId, walletId, timeLeftMs } = query;
    // Of any status and currency, so that the keys of an index alone are counted.
    const own = { workspaceId, walletId, timeLeftMs };
    if ((await countIn(collection, own, since, { limit: ofEverybody, session })) >= ofEverybody) return ofAll;
    return [
      { filter: filterOf(pending, idsBelow(range, from)), index: pendingIndex },
      { filter: filterOf(pending, since), index: indexOf(own) },
    ];
  }

  return {
    /** @param session of a transaction, in whose snapshot is counted. */
    count: async (query: OrderListQuery, range = idsOf(query), session?: ClientSession): Promise<number> => {
      const { timeLeftMs } = query;
      let count = 0;
      for (const { filter, index } of await partsOf(query, range, session)) {
        count += await countRows(collection, filter, { ...index, timeLeftMs, session });
      }
      return count;
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
