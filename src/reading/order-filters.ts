import type { ClientSession, Collection, Filter } from 'mongodb';
import type { OrderStatus } from '../orders/order.ts';
import { open, unsettled, type OrderDocument } from '../storage/orders/documents.ts';
import { countAll, isServed, type ListSource } from './looked-through.ts';
import {
  beyondAnyId,
  findRows,
  idsMadeIn,
  intersection,
  type IdRange,
  type ReadTime,
  type TimeRange,
} from '../storage/shared/page.ts';
import { indexOfType, orderIndexes, schema } from '../storage/schema/schema.ts';

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
function indexOf({ walletId, status, type, reference, parentId, batchId }: CountQuery): string {
  if (parentId !== undefined) return orderIndexes.ofParent;
  if (batchId !== undefined) return orderIndexes.ofBatch;
  if (reference !== undefined) return orderIndexes.ofReference;
  if (status === 'PENDING' || status === 'OPEN') return orderIndexes.unsettled;
  if (isForLater(status))
    return walletId === undefined ? orderIndexes.scheduledOfWorkspace : orderIndexes.scheduledOfWallet;
  const isOfFailed = status === 'FAILED';
  const ofType = type === undefined ? undefined : indexOfType(type);
  if (walletId === undefined && !isOfFailed && ofType !== undefined) return ofType;
  if (walletId === undefined) return isOfFailed ? orderIndexes.failedOfWorkspace : orderIndexes.ofWorkspace;
  return isOfFailed ? orderIndexes.failedOfWallet : orderIndexes.ofWallet;
}

/** What an index knows of the orders that are in it, by its keys or because no others are. */
const fieldsOf = new Map(
  (schema['orders'] ?? []).map(({ name, key, partialFilterExpression = {} }) => [
    name,
    new Set([...Object.keys(key), ...Object.keys(partialFilterExpression)]),
  ]),
);

function storedStates(status: OrderStatus | 'OPEN') {
  if (status === 'OPEN') return open;
  return status === 'PENDING' ? unsettled : status;
}

/** Whether only orders for a later time are ever in a state. */
function isForLater(status: CountQuery['status']): boolean {
  return status === 'SCHEDULED' || status === 'CANCELLED';
}

/** The conditions of a list, each by the field of the documents. */
function conditionsOf({ walletId, status, timeLeftMs: _, from: __, to: ___, ...others }: CountQuery) {
  const conditions = {
    ...others,
    wallets: walletId,
    status: status && storedStates(status),
    ...(isForLater(status) ? { executeAt: { $exists: true } } : {}),
  };
  return Object.entries(conditions).filter(([, condition]) => condition !== undefined);
}

/** @param conditions each by the field of the documents. */
export function sourceBy(
  hint: string,
  conditions: readonly (readonly [field: string, condition: unknown])[],
  ids: IdRange,
): ListSource<OrderDocument> {
  const isKnown = ([field]: readonly [string, unknown]): boolean => fieldsOf.get(hint)?.has(field) ?? false;
  const filterOf = (some: typeof conditions) => Object.fromEntries(some) as Filter<OrderDocument>;
  const others = conditions.filter((each) => !isKnown(each));
  return { hint, served: filterOf(conditions.filter(isKnown)), others: filterOf(others), ids };
}

/** Whether an index has just the orders of a list. */
export function isIndexed(query: OrderListQuery): boolean {
  return isServed(sourceBy(indexOf(query), conditionsOf(query), idsMadeIn('order', query)));
}

/**
 * Which orders a list has in a range of ids, and the index that finds them; undefined if it is known to be empty. It takes
 * commands only for the PENDING orders of a wallet. The first reads the last key of the workspace's PENDING orders:
 * - there is none: the list is empty;
 * - it is of one that is set aside: all PENDING orders of the workspace are looked through;
 * - else a second command reads the oldest that waits, and the wallet's orders from there on are looked through.
 */
export async function sourceOf(
  collection: Collection<OrderDocument>,
  query: CountQuery,
  range: IdRange = idsMadeIn('order', query),
  session?: ClientSession,
): Promise<ListSource<OrderDocument> | undefined> {
  const { walletId, status } = query;
  const source = sourceBy(indexOf(query), conditionsOf(query), range);
  if (status !== 'PENDING' || walletId === undefined || source.hint !== orderIndexes.unsettled) return source;
  const last = await endOfUnsettled(collection, query, -1, session);
  if (last === null) return undefined;
  if (last.status.startsWith('SET_ASIDE')) return source;
  const oldest = await endOfUnsettled(collection, query, 1, session);
  // One that was SCHEDULED may be months old, and the wallet may have had millions of orders since.
  if (oldest?.executeAt !== undefined) return source;
  const since = intersection(range, { from: oldest?._id ?? beyondAnyId, before: beyondAnyId });
  return sourceBy(orderIndexes.ofWallet, conditionsOf(query), since);
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
  const asked = { filter: { workspaceId, status: storedStates(status) }, sort, limit: 1, projection };
  const [end = null] = await findRows(collection, asked, { hint: orderIndexes.unsettled, timeLeftMs, session });
  return end;
}

/** Counts all orders of a list, however many have to be looked at. @throws as `countRows` does. */
export async function countIn(
  collection: Collection<OrderDocument>,
  query: CountQuery,
  session?: ClientSession,
): Promise<number> {
  const source = await sourceOf(collection, query, idsMadeIn('order', query), session);
  const { timeLeftMs } = query;
  return source === undefined ? 0 : countAll(collection, source, { timeLeftMs, session });
}
