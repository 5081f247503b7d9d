import type { Collection, Filter } from 'mongodb';
import { idPrefixes, leastIdAt } from '../domain/ids.ts';
import type { OrderStatus } from '../domain/order.ts';
import type { OrderDocument } from './orders.ts';
import { beyondAnyId, countRows, type IdRange, type IndexHint, type InSession, type ReadTime } from './page.ts';
import { orderIndexes } from './schema.ts';

export interface OrderListQuery extends ReadTime {
  readonly workspaceId: string;
  /** Only orders with this wallet of the workspace as source or target. */
  readonly walletId?: string | undefined;
  readonly status?: OrderStatus | undefined;
  readonly currency?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** A part of a list that one index serves. */
export type Scope = { workspaceId: string } & (object | { sourceWalletId: string } | { targetWalletId: string });

/** The scopes that make up a list: the workspace, or the wallet as source and as target. */
export function scopesOf({ workspaceId, walletId }: OrderListQuery): [Scope, ...Scope[]] {
  if (walletId === undefined) return [{ workspaceId }];
  return [
    { workspaceId, sourceWalletId: walletId },
    { workspaceId, targetWalletId: walletId },
  ];
}

/** The index of a scope's orders. FAILED ones, which are few, have an index of their own. */
export function indexOf(scope: Scope, status: OrderStatus | undefined): IndexHint {
  const isOfFailed = status === 'FAILED';
  if ('sourceWalletId' in scope) return { hint: isOfFailed ? orderIndexes.failedOfSource : orderIndexes.ofSource };
  if ('targetWalletId' in scope) return { hint: isOfFailed ? orderIndexes.failedOfTarget : orderIndexes.ofTarget };
  return { hint: isOfFailed ? orderIndexes.failedOfWorkspace : orderIndexes.ofWorkspace };
}

/** The ids of the query's time range. */
export function idsOf({ from, to }: OrderListQuery): IdRange {
  return {
    from: from === undefined ? idPrefixes.order : leastIdAt('order', from),
    before: to === undefined ? beyondAnyId : leastIdAt('order', to),
  };
}

/** For the index of all PENDING orders, which is searched for those of one workspace or wallet. */
export function pendingFilterOf(query: OrderListQuery, range: IdRange): Filter<OrderDocument> {
  const { workspaceId, walletId } = query;
  const sides = walletId === undefined ? {} : { $or: [{ sourceWalletId: walletId }, { targetWalletId: walletId }] };
  return { ...filterOf({ ...query, status: 'PENDING' }, { workspaceId }, range), ...sides };
}

/** One scope's part of a list, in a range of ids. */
export function filterOf(query: OrderListQuery, scope: Scope, { from, before }: IdRange): Filter<OrderDocument> {
  const { status, currency } = query;
  return {
    ...scope,
    _id: { $gte: from, $lt: before },
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** A part of a list that is read by one index; no order is in two. */
export interface Part {
  readonly filter: Filter<OrderDocument>;
  readonly index: IndexHint;
}

/** The parts of a list in a range of ids. No order has one wallet as both source and target, so none is in two. */
export function partsIn(query: OrderListQuery, range: IdRange): Part[] {
  return scopesOf(query).map((scope) => ({
    filter: filterOf(query, scope, range),
    index: indexOf(scope, query.status),
  }));
}

/** One part after the other, so that a count has one connection. @param limit of each part. */
export async function countParts(
  collection: Collection<OrderDocument>,
  parts: readonly Part[],
  { limit, ...options }: ReadTime & InSession & { readonly limit?: number },
): Promise<number> {
  let count = 0;
  for (const { filter, index } of parts) {
    count += await countRows(collection, filter, { ...index, ...options, ...(limit === undefined ? {} : { limit }) });
  }
  return count;
}
