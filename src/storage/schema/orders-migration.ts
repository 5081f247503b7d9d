import type { Collection, Db } from 'mongodb';
import { isExternalWalletId } from '../../domain/ids.ts';
import { anyOf, byId } from '../shared/commands.ts';
import { isServerError } from '../shared/error-codes.ts';
import { pagesById } from '../shared/pages-by-id.ts';

/** Told what is being changed or counted, and how many there were so far. */
export type OnMigrated = (what: string, done: number) => void;

interface Sides {
  readonly sourceWalletId: unknown;
  readonly targetWalletId: unknown;
}

interface OlderOrder extends Sides {
  readonly _id: string;
  readonly workspaceId: string;
  readonly wallets?: readonly string[];
}

/** Orders that one command reads or changes. */
const batchMax = 2_000;

/** Indexes of the release before that others have replaced. */
const replaced: readonly string[] = [
  'pending_orders',
  'set_aside_orders',
  'orders_of_source_in_workspace',
  'orders_of_target_in_workspace',
  'failed_of_source_in_workspace',
  'failed_of_target_in_workspace',
];

/**
 * Gives orders their type, both their wallets in one field, and those that were set aside the state that says so. All at once,
 * because MongoDB refuses an order that has but a part of it.
 */
export async function completeOrders(db: Db, onMigrated: OnMigrated): Promise<void> {
  const orders: Collection<OlderOrder> = db.collection('orders');
  const projection = { workspaceId: 1, sourceWalletId: 1, targetWalletId: 1, wallets: 1 };
  const isSetAside = { $and: [{ $eq: ['$status', 'PENDING'] }, { $gt: ['$stuckSince', null] }] };
  const status = { $cond: [isSetAside, 'SET_ASIDE', '$status'] };
  const wallets = ['$sourceWalletId', '$targetWalletId'];
  let done = 0;
  for await (const batch of pagesById(orders, batchMax, { projection, ...byId })) {
    const left = batch.filter((order) => order.wallets === undefined);
    for (const [type, ofType] of Map.groupBy(left, olderType)) {
      const workspaceId = anyOf(ofType.map((order) => order.workspaceId));
      const filter = { workspaceId, _id: { $in: ofType.map(({ _id }) => _id) } };
      await orders.updateMany(filter, [{ $set: { type, wallets, status } }], byId);
    }
    onMigrated('orders that have their type, wallets and state', (done += batch.length));
  }
}

/** Of an order of the release before: only the administrator's named EXTERNAL. A wallet of an order at fault may be anything. */
export function olderType({ sourceWalletId, targetWalletId }: Sides): string {
  if (isExternalWalletId(String(sourceWalletId))) return 'DEPOSIT';
  return isExternalWalletId(String(targetWalletId)) ? 'WITHDRAWAL' : 'TRANSFER';
}

/** Drops those of the release before that exist: a new database has none of them. */
export async function dropReplacedIndexes(db: Db): Promise<void> {
  const orders = db.collection('orders');
  const listed = new Set((await orders.indexes()).map(({ name }) => name));
  for (const name of replaced.filter((old) => listed.has(old))) {
    await orders.dropIndex(name).catch((error: unknown) => {
      // Another process was faster.
      if (!isServerError(error, 'IndexNotFound')) throw error;
    });
  }
}
