import type { Db } from 'mongodb';
import { completeOrders, dropReplacedIndexes, type OnMigrated } from './orders-migration.ts';
import { hasOlderBooks, layOut } from './schema.ts';
import { acceptedVersion, beginMigration, recordSchemaVersion } from './schema-version.ts';
import { countWhatThereIs, MigrationError } from './totals-migration.ts';

/** The version of books that {@link applySchema} brings along: that of the release before. */
const broughtAlong = 3;

/** A worker, of an older release too, sends a heartbeat at least once a second, and waits up to 2 s for each. */
const aliveMs = 10_000;

/**
 * Lays the database out, and migrates what the release before wrote. From its first change on, processes of that release are
 * refused: by the version that is recorded, and, if they run already, by the validators. Processes of this release are
 * refused until all is done. Safe to repeat, also after it was cut short: what is done is passed over. Documents are changed in
 * batches, so that memory and locks stay bounded.
 * @throws MigrationError workers of the release before are alive, whose postings would be refused halfway through; the books
 * are not those of the release before, or not sound; another migration is under way. And what {@link layOut} throws.
 */
export async function applySchema(db: Db, onMigrated: OnMigrated = () => undefined): Promise<void> {
  const version = await acceptedVersion(db);
  let isOlder = await hasOlderBooks(db, version);
  if (isOlder) {
    if (version !== broughtAlong) throw new MigrationError(unknownVersion(version));
    await refuseWhileWorkersLive(db);
    isOlder = await beginMigration(db, version);
  }
  await layOut(db);
  if (isOlder) {
    await completeOrders(db, onMigrated);
    await countWhatThereIs(db, onMigrated);
  }
  await dropReplacedIndexes(db);
  await recordSchemaVersion(db);
}

function unknownVersion(version: number): string {
  const stored = `the database has schema version ${version}, and this code brings along version ${broughtAlong} alone: `;
  if (version < broughtAlong) return `${stored}run \`admin schema apply\` of the release before first`;
  return `${stored}no release wrote version ${version}, so restore a backup of version ${broughtAlong}, or begin with an empty database`;
}

/** By the server's clock. A worker that was killed counts as alive for {@link aliveMs}. */
async function refuseWhileWorkersLive(db: Db): Promise<void> {
  const wasSeen = { $gte: ['$lastSeenAt', { $subtract: ['$$NOW', aliveMs] }] };
  const alive = await db.collection('posters').findOne({ $expr: wasSeen });
  if (alive === null) return;
  throw new MigrationError(
    `the worker ${String(alive._id)} is alive: stop all processes of the release before, wait ${aliveMs / 1_000} s, and run this again`,
  );
}
