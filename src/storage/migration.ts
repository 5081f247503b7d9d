import { MongoServerError, type Collection, type Db, type Filter, type FindOptions } from 'mongodb';
import { directions } from '../domain/wallet.ts';
import { errorCodes } from './error-codes.ts';
import { countFailedByWallet } from './failed-orders.ts';
import { ensureIndexes } from './indexes.ts';
import { inOneReply } from './reply.ts';
import { flowIndexes, hasOlderBooks, layOut, schema } from './schema.ts';
import { acceptedVersion, recordSchemaVersion } from './schema-version.ts';

/** Processes of an older release work on the database. */
export class SchemaInUseError extends Error {
  override readonly name = 'SchemaInUseError';
}

/** A document that cannot be migrated. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Indexes of older releases that others have replaced. */
const superseded = {
  orders: [
    ...['nonce_once', 'signed_request_once', 'orders_of_source', 'orders_of_target'],
    ...['failed_of_source', 'failed_of_target'],
  ],
  flows: ['flows_by_direction'],
};

/** Flows or wallets changed by one command. */
const batchMax = 1_000;
/** A worker, of an older release too, sends a heartbeat at least once a second, and waits up to 2 s for each. */
const aliveMs = 10_000;

/**
 * Lays the database out, and migrates what an older release wrote. First come the new indexes; then every flow gets its
 * workspace; then the validators require it; then wallets get their count of FAILED orders; last, old indexes are dropped.
 * Safe to repeat, also after it was cut short: it goes on where it was. Flows are changed in batches, so that memory and
 * locks stay bounded.
 * @param onProgress told how many flows were changed so far.
 * @throws SchemaInUseError workers of an older release are alive, whose postings would be refused halfway through;
 * MigrationError a flow's wallet does not exist; and what {@link layOut} throws.
 */
export async function applySchema(db: Db, onProgress: (flows: number) => void = () => undefined): Promise<void> {
  const isOlder = await hasOlderBooks(db, await acceptedVersion(db));
  if (isOlder) {
    await refuseWhileWorkersLive(db);
    await ensureIndexes(db.collection('flows'), schema['flows'] ?? []);
    await giveFlowsTheirWorkspace(db, onProgress);
  }
  await layOut(db);
  if (isOlder) {
    // Once more, for flows that were inserted before the validators required a workspace.
    await giveFlowsTheirWorkspace(db, onProgress);
    await tellWalletsTheirFailures(db);
  }
  await dropIndexes(db.collection('orders'), superseded.orders);
  await dropIndexes(db.collection('flows'), superseded.flows);
  await recordSchemaVersion(db);
}

/** By the server's clock. A worker that was killed counts as alive for {@link aliveMs}. */
async function refuseWhileWorkersLive(db: Db): Promise<void> {
  const wasSeen = { $gte: ['$lastSeenAt', { $subtract: ['$$NOW', aliveMs] }] };
  const alive = await db.collection('posters').findOne({ $expr: wasSeen });
  if (alive === null) return;
  throw new SchemaInUseError(
    `the worker ${String(alive._id)} is alive: stop all processes of the release before, wait ${aliveMs / 1_000} s, and run this again`,
  );
}

interface Row {
  readonly _id: string;
  readonly workspaceId?: string | null;
  readonly walletId: string;
}

/** Finds flows without a workspace by the index, which has null for an absent field. What is done is not found again. */
async function giveFlowsTheirWorkspace(db: Db, onProgress: (flows: number) => void): Promise<void> {
  const flows: Collection<Row> = db.collection('flows');
  let done = 0;
  for (const direction of directions) {
    const options = { hint: flowIndexes.byDirection, projection: { walletId: 1 } };
    for await (const batch of batchesOf(flows, { workspaceId: null, direction }, options)) {
      done += await giveWorkspace(db, flows, batch);
      onProgress(done);
    }
  }
  const left = await flows.findOne({ workspaceId: null }, { hint: flowIndexes.byDirection });
  if (left === null) return;
  throw new MigrationError(
    `flow ${left._id} cannot get a workspace, because its wallet ${left.walletId} does not exist: the books are not sound; put that right, and run this again`,
  );
}

/** @returns how many flows were changed. */
async function giveWorkspace(db: Db, flows: Collection<Row>, batch: readonly Row[]): Promise<number> {
  const walletIds = [...new Set(batch.map(({ walletId }) => walletId))];
  const wallets = await db
    .collection<{ _id: string; workspaceId: string }>('wallets')
    .find({ _id: { $in: walletIds } }, { ...inOneReply(walletIds.length), projection: { workspaceId: 1 } })
    .toArray();
  const workspaceOf = new Map(wallets.map(({ _id, workspaceId }) => [_id, workspaceId]));
  let done = 0;
  for (const [workspaceId, ofWorkspace] of Map.groupBy(batch, ({ walletId }) => workspaceOf.get(walletId))) {
    if (workspaceId === undefined) continue;
    const filter = { _id: { $in: ofWorkspace.map(({ _id }) => _id) } };
    done += (await flows.updateMany(filter, { $set: { workspaceId } })).modifiedCount;
  }
  return done;
}

/** By workspace and in batches. Nothing is posted meanwhile, so a repeated run counts the same. */
async function tellWalletsTheirFailures(db: Db): Promise<void> {
  const wallets = db.collection<{ _id: string; workspaceId: string }>('wallets');
  const workspaces = db.collection<{ _id: string }>('workspaces').find({}, { projection: { _id: 1 } });
  for await (const { _id: workspaceId } of workspaces) {
    for await (const batch of batchesOf(wallets, { workspaceId }, { projection: { _id: 1 } })) {
      const walletIds = batch.map(({ _id }) => _id);
      const failed = await countFailedByWallet(db, { workspaceIds: [workspaceId], walletIds });
      if (failed.size === 0) continue;
      await wallets.bulkWrite(
        [...failed].map(([_id, failedOrders]) => ({
          updateOne: { filter: { workspaceId, _id }, update: { $set: { failedOrders } } },
        })),
      );
    }
  }
}

/** All rows that match, by id. The caller may change rows so that they no longer match. */
async function* batchesOf<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  options: FindOptions,
): AsyncGenerator<T[], void, undefined> {
  let after = '';
  for (;;) {
    const batch = await collection
      .find({ ...filter, _id: { $gt: after } } as Filter<T>, { ...inOneReply(batchMax), ...options })
      .sort({ _id: 1 })
      .limit(batchMax)
      .toArray();
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last._id;
    yield batch as T[];
  }
}

/** Drops those that exist: a new database has none of them. */
async function dropIndexes(collection: Collection, names: readonly string[]): Promise<void> {
  const listed = new Set((await collection.indexes()).map(({ name }) => name));
  for (const name of names.filter((old) => listed.has(old))) await dropIndex(collection, name);
}

async function dropIndex(collection: Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof MongoServerError) || error.code !== errorCodes.IndexNotFound) throw error;
  }
}
