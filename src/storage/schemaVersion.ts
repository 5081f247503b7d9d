import type { Collection, Db } from 'mongodb';

interface VersionDocument {
  readonly _id: 'schema';
  readonly version: number;
}

/**
 * Rises with a change of the stored form that older code would misread; indexes that are only added need no new version.
 */
const schemaVersion = 1;

/** The database was written by newer code than this. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** @throws SchemaTooNewError nothing may be read or written with this code. */
export async function refuseNewerSchema(db: Db): Promise<void> {
  const stored = await versions(db).findOne({ _id: 'schema' });
  if (stored === null || stored.version <= schemaVersion) return;
  throw new SchemaTooNewError(
    `the database has schema version ${stored.version}, and this code knows ${schemaVersion}: run the newer release`,
  );
}

/** Says which version the database has from now on; never lowers it. @returns that version. */
export async function recordSchemaVersion(db: Db): Promise<number> {
  const stored = await versions(db).findOne({ _id: 'schema' });
  if (stored?.version === schemaVersion) return schemaVersion;
  await versions(db).updateOne({ _id: 'schema' }, { $max: { version: schemaVersion } }, { upsert: true });
  return schemaVersion;
}

function versions(db: Db): Collection<VersionDocument> {
  return db.collection('schemaVersions');
}
