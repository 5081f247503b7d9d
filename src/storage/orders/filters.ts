import type { Collection, Filter } from 'mongodb';
import { idPrefixes, leastIdAt } from '../../domain/ids.ts';
import type { OrderStatus } from '../../orders/order.ts';
import type { OrderDocument } from './orders.ts';
import { beyondAnyId, countRows, type IdRange, type IndexHint, type InSession, type ReadTime } from '../shared/page.ts';
import { orderIndexes } from '../schema/schema.ts';

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

/** The index of a list: that of the workspace or of the wallet. FAILED orders, which are few, have their own. */
export function indexOf({ walletId, status }: OrderListQuery): IndexHint {
  const isOfFailed = status === 'FAILED';
  if (walletId === undefined) return { hint: isOfFailed ? orderIndexes.failedOfWorkspace : orderIndexes.ofWorkspace };
  return { hint: isOfFailed ? orderIndexes.failedOfWallet : orderIndexes.ofWallet };
}

/** The ids of the query's time range. */
export function idsOf({ from, to }: OrderListQuery): IdRange {
  return {
    from: from === undefined ? idPrefixes.order : leastIdAt('order', from),
    before: to === undefined ? beyondAnyId : leastIdAt('order', to),
  };
}

/** The orders of a list in a range of ids. */
export function filterOf(query: OrderListQuery, { from, before }: IdRange): Filter<OrderDocument> {
  const { workspaceId, walletId, status, currency } = query;
  return {
    workspaceId,
    ...(walletId === undefined ? {} : { wallets: walletId }),
    _id: { $gte: from, $lt: before },
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** Counts a list's orders in a range of ids. @throws as {@link countRows} does. */
export function countIn(
  collection: Collection<OrderDocument>,
  query: OrderListQuery,
  range: IdRange = idsOf(query),
  options: InSession & { readonly limit?: number } = {},
): Promise<number> {
  const { timeLeftMs } = query;
  return countRows(collection, filterOf(query, range), { ...indexOf(query), ...options, timeLeftMs });
}
