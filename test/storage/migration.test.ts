import type { CommandStartedEvent, Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowId } from '../../src/domain/ids.ts';
import { applySchema, MigrationError, SchemaInUseError } from '../../src/storage/migration.ts';
import { ensureSchema, schema } from '../../src/storage/schema.ts';
import { schemaVersion, SchemaTooOldError } from '../../src/storage/schema-version.ts';
import { commandLine, masterKeys } from '../admin/command-line.ts';
import { testRedis } from '../support/redis.ts';
import { makeOlder, makeVersion2, olderIndexes } from '../support/older-database.ts';
import { openLedger, type Ledger, type Transfer } from '../posting/posting-ways.ts';

type Stored = Document & { _id: string };

const { url: redisUrl } = await testRedis();

const funding: Transfer[] = [
  ['world', 'alice', '100'],
  ['alice', 'bob', '30'],
  ['carol', 'bob', '1'],
];
/** More than one batch. */
const manyFlows = 2_300;

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger();
});
afterEach(() => ledger.close());

const collection = (name: string) => ledger.db.collection<Stored>(name);
const indexesOf = async (name: string) => (await collection(name).indexes()).map((index) => index.name).toSorted();
const declared = (name: string) => ['_id_', ...(schema[name] ?? []).map(({ options }) => options.name)].toSorted();
const storedVersion = async () =>
  (await collection('schemaVersions').findOne({ _id: 'schema' }))?.['version'] as number;
const withoutWorkspace = () => collection('flows').countDocuments({ workspaceId: null });

/** Copies of one flow under another wallet's name: all that the migration reads of them is right. */
async function insertManyFlows(walletId: string): Promise<void> {
  const flow = await collection('flows').findOne({});
  const copies = Array.from({ length: manyFlows }, (_, index) => ({
    ...flow,
    _id: flowId(walletId, index + 1),
    walletId,
  }));
  await collection('flows').insertMany(copies);
}

describe('a database of schema version 2', () => {
  /** Alice has 70, bob 30, carol nothing, and one of the fundings fails for that. */
  const failing: Transfer[] = [
    ['alice', 'bob', '500'],
    ['carol', 'alice', '9'],
    ['alice', 'world', '71'],
  ];
  const failuresOf = async (name: 'world' | 'alice' | 'bob' | 'carol') =>
    (await collection('wallets').findOne({ _id: ledger.ids[name] }))?.['failedOrders'] as unknown;

  it('is refused by a process that starts, and brought along: each wallet is told how many of its orders failed', async () => {
    await ledger.post(await ledger.record([...funding, ...failing]));
    const names = ['world', 'alice', 'bob', 'carol'] as const;
    const posted = await Promise.all(names.map(failuresOf));
    expect(posted).toEqual([1, 3, 2, 2]);
    await makeVersion2(ledger.db);
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
    expect((await ledger.breaches()).map(({ kind }) => kind)).toEqual(names.map(() => 'wallet-failures'));
    await applySchema(ledger.db);
    expect(await Promise.all(names.map(failuresOf))).toEqual(posted);
    expect(await storedVersion()).toBe(schemaVersion);
    await ensureSchema(ledger.db);
    expect(await ledger.post(await ledger.record([['bob', 'alice', '500']]))).toEqual(['failed']);
    expect(await failuresOf('bob')).toBe(3);
    expect(await ledger.breaches()).toEqual([]);
  });
});

describe('a database of schema version 1', () => {
  it('is refused by a process that starts, with the command to run, and left as it is', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
    await expect(ensureSchema(ledger.db)).rejects.toThrow('admin schema apply');
    expect(await indexesOf('flows')).toEqual(['_id_', 'flows_by_direction']);
    expect(await storedVersion()).toBe(1);
  });

  it('is refused as well where it has orders only', async () => {
    await ledger.record(funding);
    await makeOlder(ledger.db);
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
  });

  it('without books is laid out anew by any process', async () => {
    await makeOlder(ledger.db);
    await ensureSchema(ledger.db);
    expect(await storedVersion()).toBe(schemaVersion);
    expect(await ledger.post(await ledger.record(funding.slice(0, 1)))).toEqual(['completed']);
  });

  it('is brought along: its books are sound, each flow has its wallet’s workspace, and posting goes on', async () => {
    await ledger.post(await ledger.record(funding));
    const hashes = await collection('flows').find().sort({ _id: 1 }).project({ hash: 1 }).toArray();
    await makeOlder(ledger.db);
    const progress: number[] = [];
    await applySchema(ledger.db, (flows) => progress.push(flows));
    expect(progress.at(-1)).toBe(4);
    for (const flow of await collection('flows').find().toArray()) {
      const wallet = await collection('wallets').findOne({ _id: String(flow['walletId']) });
      expect(flow['workspaceId']).toBe(wallet?.['workspaceId']);
    }
    expect(await collection('flows').find().sort({ _id: 1 }).project({ hash: 1 }).toArray()).toEqual(hashes);
    expect(await indexesOf('orders')).toEqual(declared('orders'));
    expect(await indexesOf('flows')).toEqual(declared('flows'));
    expect(await storedVersion()).toBe(schemaVersion);
    const unsaid = { ...(await collection('flows').findOne({})), _id: 'fl_x', workspaceId: undefined };
    await expect(collection('flows').insertOne(unsaid, { ignoreUndefined: true })).rejects.toMatchObject({ code: 121 });
    await ensureSchema(ledger.db);
    expect(await ledger.post(await ledger.record([['bob', 'alice', '5']]))).toEqual(['completed']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is brought along by the command line, which refuses all else before', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    const admin = commandLine({ MONGODB_URI: ledger.uri, REDIS_URL: redisUrl, MASTER_KEYS: masterKeys });
    const refused = await admin.run('verify');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('run `admin schema apply`');
    expect(await admin.json('schema', 'apply')).toEqual({ schemaVersion });
    expect((await admin.run('verify')).code).toBe(0);
    expect(await admin.json('schema', 'apply')).toEqual({ schemaVersion });
    const events = await collection('auditEvents').find({ action: 'schema apply' }).toArray();
    expect(events).toHaveLength(2);
  });

  it('is brought along once: a second run changes nothing', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await applySchema(ledger.db);
    const changing: string[] = [];
    const note = ({ commandName }: CommandStartedEvent) => {
      if (['update', 'insert', 'delete', 'collMod', 'dropIndexes', 'create'].includes(commandName))
        changing.push(commandName);
    };
    ledger.client.on('commandStarted', note);
    await applySchema(ledger.db);
    expect(changing).toEqual([]);
  });

  it('is not touched while a worker of it is alive', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    const worker = { _id: 'host:1' };
    await collection('posters').updateOne(worker, { $currentDate: { lastSeenAt: true } }, { upsert: true });
    await expect(applySchema(ledger.db)).rejects.toThrow(SchemaInUseError);
    await expect(applySchema(ledger.db)).rejects.toThrow('host:1 is alive');
    expect(await withoutWorkspace()).toBe(4);
    await collection('posters').updateOne(worker, { $set: { lastSeenAt: new Date(Date.now() - 60_000) } });
    await applySchema(ledger.db);
    expect(await withoutWorkspace()).toBe(0);
  });

  it('that was brought along in part is finished by the next run', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await insertManyFlows(ledger.ids.carol);
    const stop = new Error('stop');
    const stopAtFirst = () => {
      throw stop;
    };
    await expect(applySchema(ledger.db, stopAtFirst)).rejects.toBe(stop);
    const left = await withoutWorkspace();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(manyFlows);
    expect(await storedVersion()).toBe(1);
    expect(await indexesOf('orders')).toEqual(expect.arrayContaining(['signed_request_once']));
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);

    const progress: number[] = [];
    await applySchema(ledger.db, (flows) => progress.push(flows));
    expect(progress.at(-1)).toBe(left);
    expect(await withoutWorkspace()).toBe(0);
    for (const [name, , { name: index }] of olderIndexes) expect(await indexesOf(name)).not.toContain(index);
  });

  it('with a flow of a wallet that does not exist stays of its version, and the flow is named', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await collection('wallets').deleteOne({ _id: ledger.ids.bob });
    await expect(applySchema(ledger.db)).rejects.toThrow(MigrationError);
    await expect(applySchema(ledger.db)).rejects.toThrow(flowId(ledger.ids.bob, 1));
    expect(await storedVersion()).toBe(1);
  });
});
