import { MongoServerError, type Collection, type Db } from 'mongodb';
import { isExternalWalletId } from '../../domain/ids.ts';
import { errorCodes } from '../shared/error-codes.ts';
import { anyOf, inOneReply } from '../shared/commands.ts';
import { orderIndexes } from './schema.ts';

/** Told what is being changed or counted, and how many there were so far. */
export type OnMigrated = (what: string, done: number) => void;

interface Sides {
  readonly sourceWalletId: unknown;
  readonly targetWalletId: unknown;
}

interface OlderOrder extends Sides {
  readonly _id: string;
  readonly workspaceId: string;
  readonly type?: string;
  readonly wallets?: readonly string[] | null;
}

/** Orders changed by one command. */
const batchMax = 1_000;
/** Indexes of the release before that others have replaced; one of them has the orders that were set aside. */
const ofSetAside = 'set_aside_orders';
const replaced = [
  ...['pending_orders', ofSetAside],
  ...['orders_of_source_in_workspace', 'orders_of_target_in_workspace'],
  ...['failed_of_source_in_workspace', 'failed_of_target_in_workspace'],
];

/**
 * Gives the orders that were set aside the state that says so. Those that have not got it are in an index that is dropped once
 * all is done. It comes first: what was set aside in the old way cannot be changed otherwise.
 */
export async function giveSetAsideTheirState(db: Db, onMigrated: OnMigrated): Promise<void> {
  const orders: Collection<OlderOrder> = db.collection('orders');
  if (!(await orders.indexes()).some(({ name }) => name === ofSetAside)) return;
  const setAside = { status: 'PENDING', stuckSince: { $gte: new Date(0) } };
  const rows = { ...inOneReply(batchMax), limit: batchMax, hint: ofSetAside };
  for (let done = 0; ;) {
    const batch = await orders.find(setAside, { ...rows, projection: { _id: 1, workspaceId: 1 } }).toArray();
    if (batch.length === 0) return;
    const workspaceId = anyOf(batch.map((order) => order.workspaceId));
    const filter = { ...setAside, workspaceId, _id: { $in: batch.map(({ _id }) => _id) } };
    await orders.updateMany(filter, { $set: { status: 'SET_ASIDE' } });
    onMigrated('orders that are set aside', (done += batch.length));
  }
}

/**
 * Gives orders their type, and both their wallets in one field. Those without are found by the index, which has null for an
 * absent field; so what is done is not read again by the next run.
 */
export async function completeOrders(db: Db, onMigrated: OnMigrated): Promise<void> {
  const orders: Collection<OlderOrder> = db.collection('orders');
  const options = { ...inOneReply(batchMax), limit: batchMax, hint: orderIndexes.ofWallet };
  const projection = { sourceWalletId: 1, targetWalletId: 1 };
  let done = 0;
  for await (const workspaceId of workspacesOf(orders)) {
    for (;;) {
      const isLeft = { workspaceId, wallets: { $exists: false } };
      const batch = await orders.find(isLeft, { ...options, projection }).toArray();
      if (batch.length === 0) break;
      for (const [type, ofType] of Map.groupBy(batch, olderType)) {
        const filter = { workspaceId, _id: { $in: ofType.map(({ _id }) => _id) } };
        await orders.updateMany(filter, [{ $set: { type, wallets: ['$sourceWalletId', '$targetWalletId'] } }]);
      }
      onMigrated('orders that have their type and wallets', (done += batch.length));
    }
  }
}

/** Of an order of the release before: only the administrator's named EXTERNAL. A wallet of an order at fault may be anything. */
export function olderType({ sourceWalletId, targetWalletId }: Sides): string {
  if (isExternalWalletId(String(sourceWalletId))) return 'DEPOSIT';
  return isExternalWalletId(String(targetWalletId)) ? 'WITHDRAWAL' : 'TRANSFER';
}

/** Those that have orders, one after the other, each by one look into the index. */
async function* workspacesOf(orders: Collection<OlderOrder>): AsyncGenerator<string, void, undefined> {
  const options = { hint: orderIndexes.ofWorkspace, projection: { workspaceId: 1 } } as const;
  for (let after = ''; ;) {
    const next = await orders.findOne(
      { workspaceId: { $gt: after } },
      { ...options, sort: { workspaceId: 1, _id: -1 } },
    );
    if (next === null) return;
    yield (after = next.workspaceId);
  }
}

/** Drops those of the release before that exist: a new database has none of them. */
export async function dropReplacedIndexes(db: Db): Promise<void> {
  const orders = db.collection('orders');
  const listed = new Set((await orders.indexes()).map(({ name }) => name));
  for (const name of replaced.filter((old) => listed.has(old))) {
    await orders.dropIndex(name).catch((error: unknown) => {
      // Another process was faster.
      if (!(error instanceof MongoServerError) || error.code !== errorCodes.IndexNotFound) throw error;
    });
  }
}
