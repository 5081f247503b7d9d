import type { Collection, Db, Document, Filter } from 'mongodb';
import { byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { bounded, idsBelow, idsMadeIn, type IdRange, type IndexHint } from '../shared/page.ts';
import type { Money } from '../../domain/money.ts';
import { orderIndexes } from '../schema/schema.ts';
import { toDecimal128 } from '../shared/decimal.ts';
import { toOrder, type OrderDocument, type TrailOrder } from './documents.ts';
import { byWorkspace } from './unsettled.ts';

/** The states that an operator looks for: orders that are set aside wait for the operator. */
export const searchedStates = ['FAILED', 'SET_ASIDE'] as const;

/** What an operator looks for; all conditions must hold. */
export interface OrderSearch {
  readonly state: (typeof searchedStates)[number];
  readonly workspaceId?: string | undefined;
  /** Orders with this wallet as source or target. Only with the workspace. */
  readonly walletId?: string | undefined;
  readonly amount?: Money | undefined;
}

/** A page of what was found. */
export interface FoundOrders {
  readonly orders: readonly TrailOrder[];
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

const rows = { limit: ordersPageSize + 1, ...inOneReply(ordersPageSize + 1) };
const limits = { maxTimeMS: operatorMaxMs } as const;
/** What no list shows. */
const without = { request: 0, wallets: 0, otherIds: 0, firstId: 0, terms: 0, metadata: 0, progress: 0 } as const;

/** The stored states. */
const stored = {
  FAILED: 'FAILED',
  SET_ASIDE: { $in: ['SET_ASIDE', 'SET_ASIDE_IN_BATCH'] },
} as const satisfies Record<
  OrderSearch['state'],
  OrderDocument['status'] | { $in: readonly OrderDocument['status'][] }
>;

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
     * otherwise two: a walk over ids, to see where to stop, and the orders up to there.
     * @param below from the page before.
     */
    async page(search: OrderSearch, below?: string): Promise<FoundOrders> {
      const range = idsBelow(idsMadeIn('order', {}), below);
      return search.workspaceId === undefined && search.state === 'SET_ASIDE'
        ? gather(collection, search, range)
        : walk(collection, search, range);
    },
  };
}

/** Goes down an index, or over all workspaces the primary key, and stops behind so many orders. */
async function walk(collection: Collection<OrderDocument>, search: OrderSearch, range: IdRange): Promise<FoundOrders> {
  const { hint, served } = indexOf(search);
  const others = Object.entries(conditionsOf(search)).filter(([name]) => !(name in served));
  const options = { hint, sort: { _id: -1 }, ...limits } as const;
  const between = { $gte: range.from, $lt: range.before };
  const last =
    others.length === 0
      ? null
      : await bounded(
          collection.findOne(
            { ...served, _id: between },
            { ...options, skip: ordersLookedMax - 1, projection: { _id: 1 } },
          ),
        );
  const looked = last === null ? between : { ...between, $gte: last._id };
  const filter: Filter<OrderDocument> = { ...served, ...Object.fromEntries(others), _id: looked };
  const found = await bounded(collection.find(filter, { ...options, ...rows, projection: without }).toArray());
  return toPage(found, last?._id);
}

/** Looks through the first orders that are set aside, workspace by workspace in their index, because there are few of them. */
async function gather(
  collection: Collection<OrderDocument>,
  search: OrderSearch,
  { from, before }: IdRange,
): Promise<FoundOrders> {
  const { status, ...others } = conditionsOf(search);
  const stages = [
    { $match: { workspaceId: { $gt: '' }, status, _id: { $gte: from, $lt: before } } },
    { $sort: byWorkspace },
    { $limit: setAsideLookedMax },
    { $match: others },
    { $sort: { _id: -1 } },
    { $limit: rows.limit },
    { $project: without },
  ];
  const options = { hint: orderIndexes.unsettled, ...limits };
  return toPage(await bounded(collection.aggregate<OrderDocument>(stages, options).toArray()));
}

/** @param last down to which order was looked; undefined if to the end. */
function toPage(found: readonly OrderDocument[], last?: string): FoundOrders {
  const orders = found.slice(0, ordersPageSize).map(toOrder);
  const isFull = found.length > ordersPageSize;
  const below = isFull ? orders.at(-1)?.id : last;
  return { orders, ...(below === undefined ? {} : { below }), isCut: !isFull && last !== undefined };
}

/** Each condition by the field of the documents. */
function conditionsOf({ workspaceId, state, walletId, amount }: OrderSearch): Document {
  const all = {
    workspaceId,
    status: stored[state],
    wallets: walletId,
    amount: amount && toDecimal128(amount),
  };
  return Object.fromEntries(Object.entries(all).filter(([, condition]) => condition !== undefined));
}

/** The index that leaves the least to look at, and the conditions of which it has just the orders. */
function indexOf(search: OrderSearch): Required<IndexHint> & { readonly served: Document } {
  const { workspaceId, walletId, state } = search;
  if (workspaceId === undefined) return { ...byId, served: {} };
  const { status, wallets } = conditionsOf(search);
  if (state === 'SET_ASIDE') return { hint: orderIndexes.unsettled, served: { workspaceId, status } };
  return walletId === undefined
    ? { hint: orderIndexes.failedOfWorkspace, served: { workspaceId, status } }
    : { hint: orderIndexes.failedOfWallet, served: { workspaceId, status, wallets } };
}
