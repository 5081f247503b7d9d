import type { ClientSession, Collection, Filter } from 'mongodb';
import type { OrderStatus } from '../../orders/order.ts';
import { open, unsettled, type OrderDocument } from './documents.ts';
import {
  beyondAnyId,
  bounded,
  countRows,
  idsMadeIn,
  intersection,
  timeLimit,
  type IdRange,
  type IndexHint,
  type ReadTime,
  type TimeRange,
} from '../shared/page.ts';
import { indexOfType, orderIndexes } from '../schema/schema.ts';

export interface OrderListQuery extends ReadTime, TimeRange {
  readonly workspaceId: string;
  /** Only orders with this wallet of the workspace as source or target. */
  readonly walletId?: string | undefined;
  readonly status?: OrderStatus | undefined;
  readonly currency?: string | undefined;
  readonly type?: string | undefined;
  readonly reference?: string | undefined;
  /** Only orders that refer to this one. */
  readonly parentId?: string | undefined;
  /** Only orders that came in this batch. */
  readonly batchId?: string | undefined;
}

/** Of state OPEN are those PENDING or SCHEDULED; only for a workspace. */
type CountQuery = Omit<OrderListQuery, 'status'> & { readonly status?: OrderStatus | 'OPEN' | undefined };

/**
 * The index of a list. Few orders refer to one order, came in one batch, or have one reference. FAILED and PENDING orders, which
 * are few, have their own indexes, and so have those for a later time and all types but the usual one.
 */
function indexOf({ walletId, status, type, reference, parentId, batchId }: CountQuery): IndexHint {
  if (parentId !== undefined) return { hint: orderIndexes.ofParent };
  if (batchId !== undefined) return { hint: orderIndexes.ofBatch };
  if (reference !== undefined) return { hint: orderIndexes.ofReference };
  if (status === 'PENDING' || status === 'OPEN') return { hint: orderIndexes.unsettled };
  if (isForLater(status))
    return { hint: walletId === undefined ? orderIndexes.scheduledOfWorkspace : orderIndexes.scheduledOfWallet };
  const isOfFailed = status === 'FAILED';
  const ofType = type === undefined ? undefined : indexOfType(type);
  if (walletId === undefined && !isOfFailed && ofType !== undefined) return { hint: ofType };
  if (walletId === undefined) return { hint: isOfFailed ? orderIndexes.failedOfWorkspace : orderIndexes.ofWorkspace };
  return { hint: isOfFailed ? orderIndexes.failedOfWallet : orderIndexes.ofWallet };
}

function storedStates(status: OrderStatus | 'OPEN') {
  if (status === 'OPEN') return open;
  return status === 'PENDING' ? unsettled : status;
}

/** Whether only orders for a later time are ever in a state. */
function isForLater(status: CountQuery['status']): boolean {
  return status === 'SCHEDULED' || status === 'CANCELLED';
}

/** The orders of a list in a range of ids. */
function filterOf(query: CountQuery, { from, before }: IdRange): Filter<OrderDocument> {
  const { workspaceId, walletId, status, ...others } = query;
  return {
    workspaceId,
    ...(walletId === undefined ? {} : { wallets: walletId }),
    _id: { $gte: from, $lt: before },
    ...(status === undefined ? {} : { status: storedStates(status) }),
    ...(isForLater(status) ? { executeAt: { $exists: true } } : {}),
    ...equal(others),
  };
}

function equal({
  currency,
  type,
  reference,
  parentId,
  batchId,
}: Pick<OrderListQuery, 'currency' | 'type' | 'reference' | 'parentId' | 'batchId'>): Filter<OrderDocument> {
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(type === undefined ? {} : { type }),
    ...(reference === undefined ? {} : { reference }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(batchId === undefined ? {} : { batchId }),
  };
}

/**
 * Which orders a list has in a range of ids, and the index that finds them; undefined if it is known to be empty. Only for
 * the PENDING orders of a wallet it takes commands. The first reads a key, which says whether any order of the workspace is
 * PENDING, and whether one is set aside. If none is, the second reads the oldest that waits, and the wallet's orders from
 * there on are looked through. If one is, all PENDING orders of the workspace are: those that wait, of which it may have so
 * many, and those set aside.
 */
export async function sourceOf(
  collection: Collection<OrderDocument>,
  query: CountQuery,
  range: IdRange,
  session?: ClientSession,
): Promise<{ filter: Filter<OrderDocument>; index: IndexHint } | undefined> {
  const { walletId, status } = query;
  const source = { filter: filterOf(query, range), index: indexOf(query) };
  if (status !== 'PENDING' || walletId === undefined || source.index.hint !== orderIndexes.unsettled) return source;
  const last = await endOfUnsettled(collection, query, -1, session);
  if (last === null) return undefined;
  if (last.status.startsWith('SET_ASIDE')) return source;
  const oldest = await endOfUnsettled(collection, query, 1, session);
  // One that was SCHEDULED may be months old, and the wallet may have had millions of orders since.
  if (oldest?.executeAt !== undefined) return source;
  const since = intersection(range, { from: oldest?._id ?? beyondAnyId, before: beyondAnyId });
  return { filter: filterOf(query, since), index: { hint: orderIndexes.ofWallet } };
}

/**
 * A workspace's first or last PENDING order by state and id, so the last is set aside if any is. Reads one key of the index.
 * @param query of state OPEN: the first or last that is PENDING or SCHEDULED.
 */
export async function endOfUnsettled(
  collection: Collection<OrderDocument>,
  { workspaceId, timeLeftMs, status = 'PENDING' }: CountQuery,
  direction: 1 | -1,
  session?: ClientSession,
): Promise<Pick<OrderDocument, '_id' | 'status' | 'executeAt'> | null> {
  const sort = { workspaceId: direction, status: direction, _id: direction };
  // The first is read whole, because the index does not tell whether it was SCHEDULED.
  const projection = { _id: 1, status: 1, ...(direction === 1 ? { executeAt: 1 } : {}) };
  const key = { hint: orderIndexes.unsettled, sort, projection } as const;
  const options = { ...key, ...timeLimit({ timeLeftMs }), ...(session === undefined ? {} : { session }) };
  return bounded(collection.findOne({ workspaceId, status: storedStates(status) }, options));
}

/** Counts a list's orders in a range of ids. @throws as {@link countRows} does. */
export async function countIn(
  collection: Collection<OrderDocument>,
  query: CountQuery,
  range: IdRange = idsMadeIn('order', query),
  session?: ClientSession,
): Promise<number> {
  const source = await sourceOf(collection, query, range, session);
  const { timeLeftMs } = query;
  return source === undefined ? 0 : countRows(collection, source.filter, { ...source.index, timeLeftMs, session });
}
