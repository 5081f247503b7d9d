import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';
import { validatorsVersion } from './validators.ts';

interface VersionDocument {
  readonly _id: 'schema' | 'validators';
  readonly version: number;
}

/**
 * Rises with each change of the stored form that older code would misread. Added indexes need no new version, and
 * validators have a version of their own. 6: orders that refer to others, and what wallets hold. 7: orders that are SCHEDULED,
 * and atomic batches. 8: orders of many legs. 9: limits of wallets and budgets of keys, for which flows count their wallet's orders
 * (debit-counts.ts). A process of a release before would spend what is held, post a part of a batch, set a journal aside, or let a
 * limit be passed.
 */
export const schemaVersion = 9;
/** From this version on flows count their wallet's orders. */
export const countsDebitOrdersFrom = 9;
/** The oldest that `admin schema apply` brings along. */
export const upgradedFrom = 5;

/** The database was written by newer code than this. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The database was written by older code than this. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';
}

/**
 * Does nothing if this code may read and write the database: it has this code's version, or it has no wallets, orders or
 * flows. @param isUpgrade whether one of an older version, from {@link upgradedFrom} on, may be brought along too.
 * @throws SchemaTooNewError, SchemaTooOldError nothing may be read or written with this code.
 */
export async function refuseOtherVersion(db: Db, isUpgrade = false): Promise<void> {
  const version = await storedSchemaVersion(db);
  if (version === schemaVersion || (isUpgrade && version >= upgradedFrom && version < schemaVersion)) return;
  const stored = `the database has schema version ${version}, and this code knows ${schemaVersion}`;
  if (version > schemaVersion) throw new SchemaTooNewError(`${stored}: run the newer release`);
  const books = [db.collection('wallets'), db.collection('orders'), db.collection('flows')];
  const first = await Promise.all(books.map((book) => book.findOne({}, { projection: { _id: 1 } })));
  if (first.every((document) => document === null)) return;
  throw new SchemaTooOldError(
    version >= upgradedFrom
      ? `${stored}: stop all processes of the release before, and run \`admin schema apply\` (docs/deployment.md, "Upgrading")`
      : `${stored} alone: run the release that wrote it, or begin with an empty database`,
  );
}

/** The version of the database; 0 if none is recorded. */
export async function storedSchemaVersion(db: Db): Promise<number> {
  return (await versions(db).findOne({ _id: 'schema' }))?.version ?? 0;
}

/** Records this code's version, unless a later one is recorded. @returns the version that the database has now. */
export function recordSchemaVersion(db: Db): Promise<number> {
  return raise(db, 'schema', schemaVersion);
}

/**
 * Records, before any validator is set, which version the database has from now on, so that a process of an older release
 * that starts during an upgrade does not put back its own. Call it again directly before setting one, because a newer
 * process may have claimed the validators meanwhile. @returns whether this code may set them.
 */
export async function claimValidators(db: Db): Promise<boolean> {
  return (await raise(db, 'validators', validatorsVersion)) === validatorsVersion;
}

/** Never lowers a version, and writes only to raise it. @returns the version as it is now. */
async function raise(db: Db, _id: VersionDocument['_id'], version: number): Promise<number> {
  const stored = await versions(db).findOne({ _id });
  if (stored !== null && stored.version >= version) return stored.version;
  const options = { upsert: true, returnDocument: 'after' } as const;
  const raised = await upsert(() => versions(db).findOneAndUpdate({ _id }, { $max: { version } }, options));
  // A newer process may have raised it further in between.
  return raised?.version ?? version;
}

function versions(db: Db): Collection<VersionDocument> {
  return db.collection('schemaVersions');
}
