import { Collection, MongoServerError } from 'mongodb';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { claimValidators, recordSchemaVersion } from '../../src/storage/schema/schema-version.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const { wallets, workspaces } = openCollections(db);
const workspaceId = newId('workspace');
const versions = db.collection('schemaVersions');

beforeAll(() => ensureSchema(db));
afterEach(() => {
  vi.restoreAllMocks();
});

/** What is made where it is absent: by what command, how, and who looks. */
const upserts: [string, 'updateOne' | 'findOneAndUpdate', () => Promise<unknown>, () => Promise<unknown>][] = [
  [
    'a member',
    'updateOne',
    () => workspaces.addMember(workspaceId, 'alice'),
    async () => (await db.collection('members').countDocuments({ workspaceId, userId: 'alice' })) === 1,
  ],
  [
    'an EXTERNAL wallet',
    'findOneAndUpdate',
    () => wallets.ensureExternal(workspaceId, 'USD'),
    async () => (await wallets.listFrom(workspaceId, 2)).length === 1,
  ],
  [
    'the version of the schema',
    'findOneAndUpdate',
    () => recordSchemaVersion(db),
    async () => (await versions.countDocuments({ _id: 'schema' as never })) === 1,
  ],
  [
    'the version of the validators',
    'findOneAndUpdate',
    () => claimValidators(db),
    async () => (await versions.countDocuments({ _id: 'validators' as never })) === 1,
  ],
];

it.each(upserts)('%s is made where somebody else was faster by a moment', async (_, method, make, isThere) => {
  for (const name of ['members', 'wallets', 'schemaVersions']) await db.collection(name).deleteMany({});
  const expected = await make();
  const faster = new MongoServerError({ code: 11000, errmsg: 'E11000 duplicate key error' });
  vi.spyOn(Collection.prototype, method).mockRejectedValueOnce(faster);
  await versions.updateMany({}, { $set: { version: 0 } });
  expect(await make()).toEqual(expected);
  expect(await isThere()).toBe(true);
});
