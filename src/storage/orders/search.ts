import type { Collection, Db, Document, Filter } from 'mongodb';
import { byId, inOneReply, operatorMaxMs } from '../shared/commands.ts';
import { bounded, idsBelow, idsMadeIn, type IdRange, type IndexHint } from '../shared/page.ts';
import type { Money } from '../../domain/money.ts';
import { orderIndexes } from '../schema/schema.ts';
import { toDecimal128 } from '../shared/decimal.ts';
import { toOrder, waiting, type OrderDocument, type TrailOrder } from './documents.ts';
import { byWorkspace } from './unsettled.ts';

/** The states that an operator looks for: a PENDING order waits for a worker, one that is set aside for the operator. */
export const searchedStates = ['FAILED', 'SET_ASIDE', 'PENDING'] as const;
export type SearchedState = (typeof searchedStates)[number];

/** What an operator looks for; all conditions must hold. */
export interface OrderSearch {
  readonly workspaceId?: string | undefined;
  readonly state?: SearchedState | undefined;
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
  /** Whether more than {@link waitingLookedMax} have not ended, so that only the first of them were looked at. */
  readonly isPartial: boolean;
}

/** Rows of a page. */
export const ordersPageSize = 50;
/** How many orders a page looks at for those that it shows, where no index has just these. */
export const ordersLookedMax = 5_000;
/** How many orders that have not ended a page looks at, workspace by workspace, to show those of all. */
export const waitingLookedMax = 10_000;

const rows = { limit: ordersPageSize + 1, ...inOneReply(ordersPageSize + 1) };
const limits = { maxTimeMS: operatorMaxMs } as const;
/** What no list shows. */
const without = { request: 0, wallets: 0, otherIds: 0, firstId: 0, terms: 0, metadata: 0, progress: 0 } as const;

/** The stored states. */
const stored = {
  FAILED: 'FAILED',
  SET_ASIDE: { $in: ['SET_ASIDE', 'SET_ASIDE_IN_BATCH'] },
  PENDING: waiting,
} as const satisfies Record<SearchedState, OrderDocument['status'] | { $in: readonly OrderDocument['status'][] }>;

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
      return search.workspaceId === undefined && isOpen(search.state)
        ? gather(collection, { ...search, state: search.state }, range)
        : walk(collection, search, range);
    },
  };
}

type OpenState = Exclude<SearchedState, 'FAILED'>;

function isOpen(state: SearchedState | undefined): state is OpenState {
  return state !== undefined && state !== 'FAILED';
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

/**
 * Looks through the first orders of a state that is no end, workspace by workspace in their index, because a worker or the
 * operator leaves few of them.
 */
async function gather(
  collection: Collection<OrderDocument>,
  search: OrderSearch & { readonly state: OpenState },
  { from, before }: IdRange,
): Promise<FoundOrders> {
  const { status: _, ...others } = conditionsOf(search);
  const keys: Document = { workspaceId: { $gt: '' }, status: stored[search.state], _id: { $gte: from, $lt: before } };
  const options = { hint: orderIndexes.unsettled, ...limits };
  const stages = [
    { $match: keys },
    { $sort: byWorkspace },
    { $limit: waitingLookedMax },
    { $match: others },
    { $sort: { _id: -1 } },
    { $limit: rows.limit },
    { $project: without },
  ];
  const [found, counted] = await bounded(
    Promise.all([
      collection.aggregate<OrderDocument>(stages, options).toArray(),
      collection.countDocuments(keys, { ...options, limit: waitingLookedMax + 1 }),
    ]),
  );
  return { ...toPage(found), isPartial: counted > waitingLookedMax };
}

/** @param last down to which order was looked; undefined if to the end. */
function toPage(found: readonly OrderDocument[], last?: string): FoundOrders {
  const orders = found.slice(0, ordersPageSize).map(toOrder);
  const isFull = found.length > ordersPageSize;
  const below = isFull ? orders.at(-1)?.id : last;
  return { orders, ...(below === undefined ? {} : { below }), isCut: !isFull && last !== undefined, isPartial: false };
}

/** Each condition by the field of the documents. */
function conditionsOf({ workspaceId, state, walletId, amount }: OrderSearch): Document {
  const all = {
    workspaceId,
    status: state && stored[state],
    wallets: walletId,
    amount: amount && toDecimal128(amount),
  };
  return Object.fromEntries(Object.entries(all).filter(([, condition]) => condition !== undefined));
}

/** The index that leaves the least to look at, and the conditions of which it has just the orders. */
function indexOf(search: OrderSearch): Required<IndexHint> & { readonly served: Document } {
  const { workspaceId, walletId, state } = search;
  if (workspaceId === undefined) return { ...byId, served: {} };
  const served = (hint: string, ...names: readonly string[]) => {
    const conditions = Object.entries(conditionsOf(search)).filter(
      ([name]) => name === 'workspaceId' || names.includes(name),
    );
    return { hint, served: Object.fromEntries<unknown>(conditions) };
  };
  if (isOpen(state)) return served(orderIndexes.unsettled, 'status');
  if (state === 'FAILED')
    return walletId === undefined
      ? served(orderIndexes.failedOfWorkspace, 'status')
      : served(orderIndexes.failedOfWallet, 'status', 'wallets');
  return walletId === undefined ? served(orderIndexes.ofWorkspace) : served(orderIndexes.ofWallet, 'wallets');
}
