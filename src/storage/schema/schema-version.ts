import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';
import { validatorsVersion } from './validators.ts';

interface VersionDocument {
  readonly _id: 'schema' | 'validators';
  readonly version: number;
  /** Of the schema while it is being migrated: the version that it had. */
  readonly migratingFrom?: number;
}

/**
 * Rises with each change of the stored form that older code would misread. Added indexes need no new version, and
 * validators have a version of their own. 5: flows and wallets have their debits so far, wallets and workspaces the numbers
 * of their orders by type, orders their type and both their wallets in one field, those set aside a state of their own. (No
 * release had 4.)
 */
export const schemaVersion = 5;

/** The database was written by newer code than this. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** The database was written by older code than this, and has to be migrated. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError';

  constructor(version: number) {
    super(
      `the database has schema version ${version}, and this code needs ${schemaVersion}: stop all processes of the release` +
        ' before, and run `admin schema apply` (docs/operations.md, "Upgrading")',
    );
  }
}

/**
 * @returns the database's version; 0 if none is recorded. While it is being migrated to this code's version, that is still
 * the older one.
 * @throws SchemaTooNewError nothing may be read or written with this code.
 */
export async function acceptedVersion(db: Db): Promise<number> {
  const { version, migratingFrom = version } = (await versions(db).findOne({ _id: 'schema' })) ?? { version: 0 };
  if (version < schemaVersion) return version;
  if (version === schemaVersion) return migratingFrom;
  throw new SchemaTooNewError(
    `the database has schema version ${version}, and this code knows ${schemaVersion}: run the newer release`,
  );
}

/**
 * Records that the database is being migrated to this code's version: from now on processes of the release before are refused,
 * and until {@link recordSchemaVersion} those of this release too.
 * @param from the version that is recorded. @returns false if another process has migrated it meanwhile.
 */
export async function beginMigration(db: Db, from: number): Promise<boolean> {
  const isOlder = { $or: [{ version: from }, { migratingFrom: from }] };
  const update = { $max: { version: schemaVersion }, $set: { migratingFrom: from } };
  const { matchedCount } = await versions(db).updateOne({ _id: 'schema', ...isOlder }, update);
  return matchedCount === 1;
}

/** Records this code's version, unless a later one is recorded. @returns the version that the database has now. */
export async function recordSchemaVersion(db: Db): Promise<number> {
  const version = await raise(db, 'schema', schemaVersion);
  if (await isMigrating(db)) await versions(db).updateOne({ _id: 'schema' }, { $unset: { migratingFrom: true } });
  return version;
}

/** Whether a migration was begun and has not ended. */
export async function isMigrating(db: Db): Promise<boolean> {
  return (await versions(db).findOne({ _id: 'schema' }))?.migratingFrom !== undefined;
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
