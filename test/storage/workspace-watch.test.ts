import { AsyncLocalStorage } from 'node:async_hooks';
import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { watchConnecting, watchWorkspaces } from '../support/workspace-watch.ts';

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
const db = client.db(name);
let complaints: string[] = [];
watchWorkspaces(client, (command) => complaints.push(command));
beforeEach(() => {
  complaints = [];
});
afterAll(() => client.close());

const wallets = (of: Db) => of.collection<{ _id: string; workspaceId: string; name?: string }>('wallets');
const orders = (of: Db) => of.collection<{ _id: string }>('orders');
const set = { $set: { name: 'x' } };

it.each<[string, () => Promise<unknown>]>([
  ['a find by one workspace', () => wallets(db).findOne({ workspaceId: 'ws', _id: 'wa' })],
  [
    'a find by several',
    () =>
      wallets(db)
        .find({ workspaceId: { $in: ['ws', 'wt'] } })
        .toArray(),
  ],
  [
    'every branch',
    () =>
      wallets(db)
        .find({ $or: [{ workspaceId: 'ws' }, { workspaceId: 'wt', name: 'x' }] })
        .toArray(),
  ],
  ['a count', () => wallets(db).countDocuments({ workspaceId: 'ws' })],
  ['an insert', () => wallets(db).insertOne({ _id: 'wa', workspaceId: 'ws' })],
  ['an update of one', () => wallets(db).updateOne({ workspaceId: 'ws', _id: 'wa' }, set)],
  ['an update of many', () => wallets(db).updateMany({ workspaceId: { $in: ['ws', 'wt'] } }, set)],
  ['a collection that is never divided', () => db.collection('members').findOne({ userId: 'u' })],
])('%s is let pass where it is told whose it is', async (_, work) => {
  await work();
  expect(complaints).toEqual([]);
});

it('what waits of all workspaces may be asked for by its own index, and by no other', async () => {
  await orders(db).createIndexes([{ key: { workspaceId: 1, status: 1, _id: 1 }, name: 'unsettled_orders' }]);
  const pending = { workspaceId: { $gt: '' }, status: 'PENDING' } as never;
  await orders(db).countDocuments(pending, { hint: 'unsettled_orders' });
  expect(complaints).toEqual([]);
  await orders(db).countDocuments(pending);
  expect(complaints).toHaveLength(1);
});

it('wallets may be looked through by currencies, named in every branch', async () => {
  const look = (filter: Document) =>
    wallets(db)
      .aggregate([{ $match: filter }])
      .toArray();
  await look({ currency: 'USD' });
  await look({ $or: [{ currency: 'USD' }, { currency: { $nin: ['USD', 'EUR'] } }] });
  expect(complaints).toEqual([]);
  await look({ $or: [{ currency: 'USD' }, { name: 'x' }] });
  expect(complaints).toHaveLength(1);
});

it.each<[string, () => Promise<unknown>]>([
  ['a find by id', () => db.collection<{ _id: string }>('flows').findOne({ _id: 'fl' })],
  [
    'a list of ids',
    () =>
      wallets(db)
        .find({ _id: { $in: ['wa'] } })
        .toArray(),
  ],
  [
    'one branch of two',
    () =>
      wallets(db)
        .find({ $or: [{ workspaceId: 'ws' }, { name: 'x' }] })
        .toArray(),
  ],
  [
    'a range of workspaces',
    () =>
      wallets(db)
        .find({ workspaceId: { $gt: 'ws' } })
        .toArray(),
  ],
  [
    'an aggregation of all',
    () =>
      wallets(db)
        .aggregate([{ $group: { _id: '$name' } }])
        .toArray(),
  ],
  ['a count of all', () => wallets(db).estimatedDocumentCount()],
  ['an insert without', () => orders(db).insertOne({ _id: 'tr' })],
  ['an update of one by a list', () => wallets(db).updateOne({ workspaceId: { $in: ['ws'] }, _id: 'wa' }, set)],
  ['an update of many by id', () => wallets(db).updateMany({ _id: 'wa' }, set)],
  ['a find and change', () => wallets(db).findOneAndUpdate({ _id: 'wa' }, set)],
  ['a delete', () => wallets(db).deleteMany({ _id: 'wa' })],
])('%s is named where it is not', async (_, work) => {
  await work();
  expect(complaints).toHaveLength(1);
});

it('inside this process, a client is watched by what connects it, and the tests’ own are not', async () => {
  const said: string[] = [];
  const work = new AsyncLocalStorage<(command: string) => void>();
  watchConnecting(() => work.getStore());
  const [inside, outside] = [new MongoClient(uri), new MongoClient(uri)];
  try {
    await work.run(
      (command) => said.push(command),
      () => inside.connect(),
    );
    await outside.connect();
    await orders(outside.db()).insertOne({ _id: 'outside' });
    await orders(inside.db()).insertOne({ _id: 'inside' });
    expect(said).toEqual([expect.stringContaining('"_id":"inside"')]);
  } finally {
    await Promise.all([inside.close(), outside.close()]);
  }
});
