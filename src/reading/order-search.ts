import type { Collection, Db, Document } from 'mongodb';
import { byId, ofRealTime, operatorMaxMs } from '../storage/shared/commands.ts';
import { isServed, readLookedThrough, readPageOf } from './looked-through.ts';
import { bounded, idsBelow, idsMadeIn, type IdRange, type Page } from '../storage/shared/page.ts';
import type { Money } from '../domain/money.ts';
import { orderIndexes } from '../storage/schema/schema.ts';
import { toDecimal128 } from '../storage/shared/decimal.ts';
import type { Order } from '../orders/order.ts';
import { toOrder, type OrderDocument } from '../storage/orders/documents.ts';
import { sourceBy } from './order-filters.ts';
import { byWorkspace } from '../storage/orders/unsettled.ts';

/** The states that an operator looks for: orders that are set aside wait for the operator. */
export const searchedStates = ['FAILED', 'SET_ASIDE'] as const;

/** What an operator looks for; all conditions must hold. */
export interface OrderSearch {
  readonly state: (typeof searchedStates)[number];
  readonly workspaceId?: string | undefined;
  /** Orders with this wallet as source or target. Only with the workspace. */
  readonly walletId?: string | undefined;
  /** Of the order, or of any of its legs. */
  readonly amount?: Money | undefined;
}

/** A page of what was found. */
export interface OrderSearchPage {
  readonly orders: readonly Order[];
  /** Where the next page begins: it has orders of lesser ids. Undefined if there is none. */
  readonly below?: string;
  /** Whether it ended here because it had looked at {@link ordersLookedMax}: there may be more further on. */
  readonly isCut: boolean;
}

/** Rows of a page. */
export const ordersPageSize = 50;
/** How many orders a page looks at for those that it shows, where no index has just these. */
export const ordersLookedMax = 5_000;
/** How many orders that are set aside a page looks at, workspace by workspace, to show those of all. */
export const setAsideLookedMax = 10_000;

const first = { size: ordersPageSize, skip: 0 };
const time = { timeLeftMs: () => operatorMaxMs };
/** What no list shows. */
const without = { request: 0, wallets: 0, otherIds: 0, firstId: 0, terms: 0, metadata: 0, progress: 0 } as const;

export type OpenOrderSearch = ReturnType<typeof openOrderSearch>;

/**
 * What the operator looks for among all orders. Each search is bounded in rows, in what it looks at, and in time.
 * Each rejects with a ServiceError ANSWER_TOO_LATE if MongoDB needs longer than a second.
 */
export function openOrderSearch(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    /**
     * A page of orders, newest first. Pages that follow each other by `below` have each order once; one that is stored
     * between two pages is in none of them if its id is greater. Takes one command where an index has just these orders,
     * otherwise two: a look at ids, to see where to stop, and the orders up to there.
     * @param below from the page before.
     */
    async page(search: OrderSearch, below?: string): Promise<OrderSearchPage> {
      const ids = idsBelow(idsMadeIn('order', {}), below);
      if (search.workspaceId === undefined && search.state === 'SET_ASIDE') return gather(collection, search, ids);
      const source = sourceBy(indexOf(search), Object.entries(conditionsOf(search)), ids);
      const form = { without, convert: toOrder };
      return toPage(
        isServed(source)
          ? await readPageOf(collection, source, first, form, time)
          : await readLookedThrough(collection, source, first, form, time, ordersLookedMax),
      );
    },
  };
}

/**
 * Looks through the first orders that are set aside, workspace by workspace in their index, because there are few of them. In test
 * workspaces there may be many, which wait for nobody.
 */
async function gather(
  collection: Collection<OrderDocument>,
  search: OrderSearch,
  { from, before }: IdRange,
): Promise<OrderSearchPage> {
  const { status: _, ...others } = conditionsOf(search);
  const stages = [
    { $match: { workspaceId: ofRealTime, status: search.state, _id: { $gte: from, $lt: before } } },
    { $sort: byWorkspace },
    { $limit: setAsideLookedMax },
    { $match: others },
    { $sort: { _id: -1 } },
    { $limit: ordersPageSize + 1 },
    { $project: without },
  ];
  const options = { hint: orderIndexes.unsettled, maxTimeMS: operatorMaxMs };
  const rows = await bounded(collection.aggregate<OrderDocument>(stages, options).toArray());
  return toPage({ items: rows.slice(0, ordersPageSize).map(toOrder), hasMore: rows.length > ordersPageSize });
}

function toPage({ items: orders, hasMore, lookedTo }: Page<Order>): OrderSearchPage {
  const below = hasMore ? orders.at(-1)?.id : lookedTo;
  return { orders, ...(below === undefined ? {} : { below }), isCut: !hasMore && lookedTo !== undefined };
}

/** Each condition by the field of the documents. */
function conditionsOf({ workspaceId, state, walletId, amount: text }: OrderSearch): Document {
  const amount = text && toDecimal128(text);
  const all = {
    workspaceId,
    status: state,
    wallets: walletId,
    $or: amount && [{ amount }, { 'legs.amount': amount }],
  };
  return Object.fromEntries(Object.entries(all).filter(([, condition]) => condition !== undefined));
}

/** The index that leaves the least to look at. */
function indexOf({ workspaceId, walletId, state }: OrderSearch): string {
  if (workspaceId === undefined) return byId.hint;
  if (state === 'SET_ASIDE') return orderIndexes.unsettled;
  return walletId === undefined ? orderIndexes.failedOfWorkspace : orderIndexes.failedOfWallet;
}
