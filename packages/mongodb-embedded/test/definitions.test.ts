import { MongoClient } from 'mongodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEngine } from '../src/engine.ts';
import { openCatalog } from '../src/storage/catalog.ts';
import { openStore } from '../src/storage/store.ts';
import { createTransactions } from '../src/storage/transaction.ts';
import { createVersions } from '../src/storage/versions.ts';

it('a collection made in a transaction is there after a restart, with its index', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  const open = async () => {
    const engine = await startEngine({ file: join(folder, 'data') });
    const client = await MongoClient.connect(engine.uri);
    const close = () => client.close().then(() => engine.close());
    return { client, rows: client.db('d').collection<{ _id: string; key: string }>('rows'), close };
  };
  const before = await open();
  await before.client.withSession((session) =>
    session.withTransaction(async () => {
      await before.rows.createIndexes([{ key: { key: 1 }, name: 'by_key', unique: true }], { session });
      await before.rows.insertOne({ _id: 'a', key: 'k' }, { session });
    }),
  );
  await before.close();
  const after = await open();
  expect(await after.rows.findOne({ key: 'k' }, { hint: 'by_key' })).toEqual({ _id: 'a', key: 'k' });
  // Neither its records nor those of the next one are taken for the other's.
  await after.client.db('d').createCollection('others');
  expect(await after.client.db('d').collection('others').countDocuments()).toBe(0);
  await expect(after.rows.insertOne({ _id: 'b', key: 'k' })).rejects.toMatchObject({ code: 11000 });
  await after.close();
  await rm(folder, { recursive: true });
});

it('one whose commit fails is not there', () => {
  const store = openStore(':memory:');
  const versions = createVersions(store);
  const catalog = openCatalog(store, versions);
  const transactions = createTransactions(store, catalog, versions);
  const unit = transactions.begin(false);
  unit.created.set('d.rows', catalog.prepare('d.rows', {}));
  unit.alongside.push(() => {
    throw new Error('the disk is full');
  });
  expect(() => {
    transactions.commit(unit);
  }).toThrow('the disk is full');
  expect(catalog.find('d.rows')).toBeUndefined();
  expect(catalog.all()).toEqual([]);
  store.close();
});
