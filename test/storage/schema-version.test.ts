import { MongoClient } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureLaidOut, ensureSchema, flowIndexes } from '../../src/storage/schema/schema.ts';
import {
  schemaVersion,
  SchemaTooNewError,
  SchemaTooOldError,
  upgradedFrom,
} from '../../src/storage/schema/schema-version.ts';
import { testDatabase } from '../support/database.ts';

const { uri, db } = testDatabase();
const versions = db.collection<{ _id: string; version: number }>('schemaVersions');
const storedVersion = async () => (await versions.findOne({ _id: 'schema' }))?.version;
const setVersion = (version: number) => versions.updateOne({ _id: 'schema' }, { $set: { version } });

beforeEach(async () => {
  await db.dropDatabase();
  await ensureSchema(db);
});

describe('a database', () => {
  it('has the version of the code that laid it out', async () => {
    await ensureSchema(db);
    expect(await storedVersion()).toBe(schemaVersion);
  });

  it('of the version of this code is looked at with one command', async () => {
    const watched = await MongoClient.connect(uri, { monitorCommands: true });
    const sent: string[] = [];
    watched.on('commandStarted', ({ commandName }) => sent.push(commandName));
    await ensureLaidOut(watched.db());
    expect(sent).toEqual(['find']);
    await setVersion(schemaVersion - 1);
    await db.collection('flows').dropIndex(flowIndexes.byDirection);
    await ensureLaidOut(watched.db());
    expect((await db.collection('flows').indexes()).map(({ name }) => name)).toContain(flowIndexes.byDirection);
    await watched.close();
  });

  it('that newer code has laid out is refused, and left as it is', async () => {
    await setVersion(schemaVersion + 1);
    await expect(ensureSchema(db)).rejects.toThrow(SchemaTooNewError);
    expect(await storedVersion()).toBe(schemaVersion + 1);
  });

  it.each(['wallets', 'orders', 'flows'])('that older code has laid out is refused where it has %s', async (name) => {
    await setVersion(upgradedFrom - 1);
    await db.collection(name).insertOne({}, { bypassDocumentValidation: true });
    await expect(ensureSchema(db)).rejects.toThrow(SchemaTooOldError);
    await expect(ensureSchema(db, true)).rejects.toThrow('begin with an empty database');
    expect(await storedVersion()).toBe(upgradedFrom - 1);
  });

  it('of the version before is brought along where that is asked for, and nowhere else', async () => {
    await setVersion(upgradedFrom);
    await db.collection('orders').insertOne({}, { bypassDocumentValidation: true });
    await expect(ensureSchema(db)).rejects.toThrow('run `admin schema apply`');
    expect(await storedVersion()).toBe(upgradedFrom);
    await ensureSchema(db, true);
    expect(await storedVersion()).toBe(schemaVersion);
  });

  it('with wallets and no version is refused', async () => {
    await versions.deleteMany({});
    await db.collection('wallets').insertOne({}, { bypassDocumentValidation: true });
    await expect(ensureSchema(db)).rejects.toThrow(SchemaTooOldError);
  });
});
