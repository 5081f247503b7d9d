import { expect, it } from 'vitest';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { SchemaTooNewError } from '../../src/storage/schema/schema-version.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const versions = db.collection<{ _id: string; version: number }>('schemaVersions');

it('code refuses a database that newer code has laid out, and leaves it as it is', async () => {
  await ensureSchema(db);
  await ensureSchema(db);
  const { version = 0 } = (await versions.findOne({ _id: 'schema' })) ?? {};
  expect(version).toBeGreaterThan(0);

  await versions.updateOne({ _id: 'schema' }, { $inc: { version: 1 } });
  await expect(ensureSchema(db)).rejects.toThrow(SchemaTooNewError);
  expect(await versions.findOne({ _id: 'schema' })).toMatchObject({ version: version + 1 });
});
