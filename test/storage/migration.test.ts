import type { CommandStartedEvent, Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowId, isTotalsId } from '../../src/domain/ids.ts';
import { applySchema } from '../../src/storage/schema/migration.ts';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { schemaVersion, SchemaTooOldError } from '../../src/storage/schema/schema-version.ts';
import { readTotals } from '../../src/storage/wallets/totals.ts';
import { MigrationError } from '../../src/storage/schema/totals-migration.ts';
import { commandLine, masterKeys } from '../admin/command-line.ts';
import { testRedis } from '../support/redis.ts';
import { makeOlder } from '../support/older-database.ts';
import { openLedger, type Ledger, type Transfer } from '../posting/posting-ways.ts';

type Stored = Document & { _id: string };

const { url: redisUrl } = await testRedis();

const funding: Transfer[] = [
  ['world', 'alice', '100'],
  ['alice', 'bob', '30'],
  // Fail.
  ['carol', 'bob', '1'],
  ['alice', 'bob', '500'],
  ['bob', 'world', '900'],
  // Goes out.
  ['bob', 'world', '5'],
];

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger();
});
afterEach(() => ledger.close());

const collection = (name: string) => ledger.db.collection<Stored>(name);
const storedVersion = async () =>
  (await collection('schemaVersions').findOne({ _id: 'schema' }))?.['version'] as number;
const withoutDebits = (name: string) => collection(name).countDocuments({ debits: null, sequence: { $gte: 0 } });
const setVersion = (version: number) =>
  collection('schemaVersions').updateOne({ _id: 'schema' }, { $set: { version } });

/** An order that fails once, and waits for the operator from then on. */
async function setAside() {
  const [order] = await ledger.record([['bob', 'alice', '1']]);
  const { id: orderId, workspaceId } = order!;
  const { stuckOrders } = ledger.collections;
  expect(await stuckOrders.recordFaults([{ orderId, workspaceId, reason: 'odd' }], 1)).toEqual(new Set([orderId]));
  return order!;
}

/** All that the migration gives, and what must stay as it is. */
async function state(): Promise<unknown> {
  const wallets = (await collection('wallets').find().sort({ _id: 1 }).toArray()).filter(({ _id }) => !isTotalsId(_id));
  const totals = await readTotals(ledger.db, ledger);
  return {
    wallets,
    flows: await collection('flows').find().sort({ _id: 1 }).toArray(),
    orders: await collection('orders').find().sort({ _id: 1 }).toArray(),
    totals: [totals.orders('COMPLETED'), totals.orders('FAILED', 'EUR'), totals.wallets('ACTIVE'), totals.wallets()],
  };
}

describe('a database of the release before', () => {
  it('is refused by a process that starts, with the command to run, and left as it is', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
    await expect(ensureSchema(ledger.db)).rejects.toThrow('admin schema apply');
    expect(await withoutDebits('flows')).toBe(6);
    expect(await storedVersion()).toBe(3);
  });

  it('is refused as well where it has wallets only', async () => {
    await makeOlder(ledger.db);
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
  });

  it('without wallets is laid out anew by any process', async () => {
    await makeOlder(ledger.db);
    await collection('wallets').deleteMany({});
    await ensureSchema(ledger.db);
    expect(await storedVersion()).toBe(schemaVersion);
  });

  it('is brought along: all is as if this release had posted it, and posting goes on', async () => {
    // Carol has no flow, and one more order waits.
    await ledger.post(await ledger.record(funding));
    const waiting = await ledger.record([['bob', 'alice', '5']]);
    const aside = await setAside();
    const posted = await state();
    await makeOlder(ledger.db);
    const progress: string[] = [];
    await applySchema(ledger.db, (what, done) => progress.push(`${what}: ${done}`));
    expect(progress).toEqual([
      'orders that have their type, wallets and state: 8',
      'flows that have their debits: 6',
      'wallets: 4',
      `orders of ${ledger.workspaceId}: 8`,
    ]);
    expect(await state()).toEqual(posted);
    expect(await storedVersion()).toBe(schemaVersion);
    const declared = ['_id_', ...schema['orders']!.map(({ name }) => name)];
    expect((await collection('orders').indexes()).map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
    await ensureSchema(ledger.db);
    expect(await ledger.post(waiting)).toEqual(['completed']);
    expect(await ledger.collections.stuckOrders.release(ledger.workspaceId, [aside.id])).toBe(1);
    expect(await ledger.post([aside])).toEqual(['completed']);
    expect((await readTotals(ledger.db, ledger)).orders('COMPLETED')).toBe(5);
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

  it('is brought along by two runs at once as by one: a page of orders that both count is added once', async () => {
    await ledger.post(await ledger.record(funding));
    const posted = await state();
    await makeOlder(ledger.db);
    const runs = await Promise.allSettled([1, 2, 3].map(() => applySchema(ledger.db)));
    const errors = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as Error] : []));
    expect(errors.length).toBeLessThan(runs.length);
    for (const error of errors) expect(error).toBeInstanceOf(MigrationError);
    expect(await state()).toEqual(posted);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is not touched while a worker of it is alive', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    const worker = { _id: 'host:1' };
    await collection('posters').updateOne(worker, { $currentDate: { lastSeenAt: true } }, { upsert: true });
    await expect(applySchema(ledger.db)).rejects.toThrow(MigrationError);
    await expect(applySchema(ledger.db)).rejects.toThrow('host:1 is alive');
    expect([await withoutDebits('flows'), await storedVersion()]).toEqual([6, 3]);
    await collection('posters').updateOne(worker, { $set: { lastSeenAt: new Date(Date.now() - 60_000) } });
    await applySchema(ledger.db);
    expect(await withoutDebits('flows')).toBe(0);
  });

  it('with a flow missing is not brought along, and the flow after it is named', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await collection('flows').deleteOne({ _id: flowId(ledger.ids.alice, 1) });
    await expect(applySchema(ledger.db)).rejects.toThrow(MigrationError);
    await expect(applySchema(ledger.db)).rejects.toThrow(flowId(ledger.ids.alice, 2));
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
  });

  it('with a wallet that has other flows than it says is not brought along either', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await collection('wallets').updateOne({ _id: ledger.ids.bob }, { $set: { sequence: 7 } });
    await expect(applySchema(ledger.db)).rejects.toThrow(ledger.ids.bob);
  });

  it('is brought along with more wallets than a page has, each with its own flows', async () => {
    await ledger.post(await ledger.record(funding));
    const { _id: _, ...carol } = (await collection('wallets').findOne({ _id: ledger.ids.carol }))!;
    const ids = Array.from({ length: 2_500 }, (_, index) => `wa_${String(index).padStart(26, '0')}`);
    await collection('wallets').insertMany(ids.map((_id) => ({ ...carol, _id, orders: {} })));
    const books = () =>
      Promise.all(
        ['wallets', 'flows'].map((name) =>
          collection(name)
            .find({ kind: { $ne: 'TOTALS' } })
            .toArray(),
        ),
      );
    const posted = await books();
    await makeOlder(ledger.db);
    await applySchema(ledger.db);
    expect(await books()).toEqual(posted);
    expect(await ledger.breaches()).toEqual([]);
  });

  it('is counted by type', async () => {
    await ledger.post(await ledger.record(funding));
    await makeOlder(ledger.db);
    await applySchema(ledger.db);
    const bob = { TRANSFER: { COMPLETED: 1, FAILED: 2 }, WITHDRAWAL: { COMPLETED: 1, FAILED: 1 } };
    expect((await collection('wallets').findOne({ _id: ledger.ids.bob }))?.['orders']).toEqual(bob);
    const ofAll = { DEPOSIT: { COMPLETED: 1 }, ...bob };
    expect(await collection('wallets').findOne({ orders: { EUR: ofAll } })).toMatchObject({ kind: 'TOTALS' });
  });

  it('refuses what processes of it write that run still', async () => {
    await ledger.post(await ledger.record(funding));
    const [waiting] = await ledger.record([['alice', 'bob', '1']]);
    await makeOlder(ledger.db);
    const [order, flow] = await Promise.all([collection('orders').findOne(), collection('flows').findOne()]);
    await applySchema(ledger.db);
    const refused = { code: 121 };
    // A create.
    await expect(collection('orders').insertOne({ ...order!, _id: 'tr_new', bizId: 'new' })).rejects.toMatchObject(
      refused,
    );
    // A posting writes the flows of what is completed in one transaction with all else, and counts what failed.
    await expect(collection('flows').insertOne({ ...flow, _id: 'fl_new' })).rejects.toMatchObject(refused);
    const failed = { $set: { failedOrders: 1, updatedAt: new Date() }, $inc: { version: 1 } };
    await expect(collection('wallets').updateOne({ _id: ledger.ids.bob }, failed)).rejects.toMatchObject(refused);
    expect(await ledger.post([waiting!])).toEqual(['completed']);
    expect(await ledger.breaches()).toEqual([]);
  });

  it.each([
    ['an order at fault, with a wallet that is no text', { sourceWalletId: 7, fault: { attempts: 1 } }],
    ['an order at fault, without a wallet', { sourceWalletId: undefined, fault: { attempts: 1 } }],
  ])('is brought along with %s', async (_, change) => {
    const [waiting] = await ledger.record([['alice', 'bob', '1']]);
    await makeOlder(ledger.db);
    const $set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const $unset = Object.fromEntries(Object.keys(change).flatMap((key) => (key in $set ? [] : [[key, true]])));
    await collection('orders').updateOne(
      { _id: waiting!.id },
      { $set, ...(Object.keys($unset).length === 0 ? {} : { $unset }) },
      { bypassDocumentValidation: true },
    );
    await applySchema(ledger.db);
    expect(await storedVersion()).toBe(schemaVersion);
  });

  it('of a form that no release had is refused, also half brought along', async () => {
    await ledger.post(await ledger.record(funding));
    await setVersion(4);
    await expect(applySchema(ledger.db)).rejects.toThrow(MigrationError);
    await expect(applySchema(ledger.db)).rejects.toThrow('no release wrote version 4');
    await collection('schemaVersions').updateOne({ _id: 'schema' }, { $set: { migratingFrom: 3 } });
    await expect(applySchema(ledger.db)).rejects.toThrow('no release wrote version 4');
    await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
    expect(await storedVersion()).toBe(4);
  });

  it('of a form before is refused', async () => {
    await makeOlder(ledger.db);
    await setVersion(2);
    await expect(applySchema(ledger.db)).rejects.toThrow('apply` of the release before first');
    expect(await storedVersion()).toBe(2);
  });
});

describe('a migration that is cut short', () => {
  const failedWith = 8_000;
  const commands = [
    'aggregate',
    'collMod',
    'createIndexes',
    'dropIndexes',
    'listIndexes',
    'find',
    'findAndModify',
    'listCollections',
    'update',
  ];

  /** Lets so many commands pass, and fails all later ones. @returns whether there were more. */
  async function cutAfter(skip: number): Promise<boolean> {
    const admin = ledger.client.db('admin');
    const data = { failCommands: commands, errorCode: failedWith };
    await admin.command({ configureFailPoint: 'failCommand', mode: { skip }, data });
    try {
      await applySchema(ledger.db);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: failedWith });
      return true;
    } finally {
      await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
    }
  }

  it('before any of its commands is ended by the next run: nothing is counted twice, and no process starts before', async () => {
    await ledger.post(await ledger.record(funding));
    await setAside();
    const posted = await state();
    await makeOlder(ledger.db);
    for (let skip = 0; await cutAfter(skip); skip += 1) {
      await expect(ensureSchema(ledger.db)).rejects.toThrow(SchemaTooOldError);
      await applySchema(ledger.db);
      expect(await state()).toEqual(posted);
      expect(await ledger.breaches()).toEqual([]);
      await makeOlder(ledger.db);
    }
    expect(await state()).toEqual(posted);
  }, 60_000);
});
