import { MongoClient, type Collection, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

let server: TestServer;
let client: MongoClient;
let orders: Collection<{ _id: number; status?: string; tags?: string[] }>;

const pending = { status: 'PENDING' };
const completed = { $set: { status: 'COMPLETED' } };

beforeAll(async () => {
  server = await openTestServer();
  client = await MongoClient.connect(server.uri);
});
beforeEach(async () => {
  const db = client.db('contract_counting');
  await db.dropDatabase();
  orders = db.collection('orders');
  await orders.createIndexes([
    { key: { status: 1, _id: 1 }, name: 'pending', partialFilterExpression: pending },
    { key: { tags: 1 }, name: 'tags' },
    { key: { status: 1, tags: 1 }, name: 'both' },
  ]);
  await orders.insertMany(Array.from({ length: 40 }, (_, _id) => ({ _id, status: _id < 30 ? 'PENDING' : 'FAILED' })));
});
afterAll(async () => {
  await client.db('contract_counting').dropDatabase();
  await client.close();
  await server.close();
});

describe('counting what an index alone can tell', () => {
  it('is bounded by skip and limit, in whatever order they come', async () => {
    const hint = 'pending';
    expect(await orders.countDocuments(pending, { hint })).toBe(30);
    expect(await orders.countDocuments(pending, { hint, limit: 7 })).toBe(7);
    expect(await orders.countDocuments(pending, { hint, skip: 28, limit: 7 })).toBe(2);
    expect(await orders.countDocuments(pending, { hint, skip: 31 })).toBe(0);
    expect(await orders.countDocuments({})).toBe(40);
    const stages = [{ $match: pending }, { $limit: 10 }, { $skip: 4 }, { $limit: 100 }];
    const count = (last: Document) => orders.aggregate([...stages, last]).toArray();
    expect(await count({ $count: 'n' })).toEqual([{ n: 6 }]);
    expect(await count({ $group: { _id: 'all', n: { $sum: 1 }, twice: { $sum: 2 } } })).toEqual([
      { _id: 'all', n: 6, twice: 12 },
    ]);
    expect(await count({ $group: { _id: '$status', n: { $sum: 1 } } })).toEqual([{ _id: 'PENDING', n: 6 }]);
    expect(await orders.aggregate([{ $match: { status: 'NONE' } }, { $count: 'n' }]).toArray()).toEqual([]);
    const command = { count: 'orders', query: pending, hint };
    const db = client.db('contract_counting');
    expect(await db.command({ ...command, skip: 3, limit: 10 })).toMatchObject({ n: 10 });
    expect(await db.command({ ...command, skip: 25, limit: -10 })).toMatchObject({ n: 5 });
  });

  it('reads no document, and says so', async () => {
    const counting = orders.aggregate([{ $match: pending }, { $group: { _id: 1, n: { $sum: 1 } } }], {
      hint: 'pending',
    });
    const told = JSON.stringify(await counting.explain('executionStats'));
    expect(told).toContain('COUNT_SCAN');
    expect(told).not.toContain('FETCH');
    expect(told).toContain('"totalDocsExamined":0');
  });

  it('reads none for a range either', async () => {
    const filter = { status: 'PENDING', _id: { $gte: 5, $lt: 25 } };
    const told = await orders.find(filter, { hint: 'pending' }).explain('executionStats');
    expect(JSON.stringify(told)).toContain('"totalDocsExamined":20');
    const counting = orders.aggregate([{ $match: filter }, { $count: 'n' }], { hint: 'pending' });
    expect(await counting.toArray()).toEqual([{ n: 20 }]);
    expect(JSON.stringify(await counting.explain('executionStats'))).toContain('"totalDocsExamined":0');
  });

  it('refuses a faulty pipeline all the same', async () => {
    const run = (...stages: Document[]) => orders.aggregate([{ $match: pending }, ...stages]).toArray();
    await expect(run({ $limit: 0 }, { $count: 'n' })).rejects.toMatchObject({ code: 15958 });
    await expect(run({ $count: 'a.b' })).rejects.toMatchObject({ code: 40160 });
    await expect(run({ $group: { n: { $sum: 1 } } })).rejects.toMatchObject({ code: 15955 });
  });

  it('counts a document with several keys once', async () => {
    await orders.insertMany([
      { _id: 100, tags: ['a', 'b', 'c'] },
      { _id: 101, tags: ['a', 'b'], ...pending },
    ]);
    expect(await orders.countDocuments({ tags: { $in: ['a', 'b'] } })).toBe(2);
    expect(await orders.countDocuments({}, { hint: 'tags' })).toBe(42);
    expect(await orders.countDocuments({}, { hint: 'tags', limit: 41 })).toBe(41);
    expect(await orders.countDocuments({ status: 'PENDING' }, { hint: 'both' })).toBe(31);
  });

  it('sees in a transaction its own writes and not those of others', async () => {
    await client.withSession(async (session) => {
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      const seen = () => orders.countDocuments(pending, { session, hint: 'pending' });
      const seenAll = () => orders.countDocuments({}, { session });
      expect(await seen()).toBe(30);
      await orders.updateMany({ _id: { $lt: 3 } }, completed);
      await orders.insertOne({ _id: 200, ...pending });
      await orders.deleteOne({ _id: 29 });
      expect([await seen(), await seenAll()]).toEqual([30, 40]);
      await orders.updateMany({ _id: { $in: [10, 11] } }, completed, { session });
      await orders.insertMany(
        [201, 202, 203].map((_id) => ({ _id, ...pending })),
        { session },
      );
      await orders.deleteOne({ _id: 12 }, { session });
      expect([await seen(), await seenAll()]).toEqual([30, 42]);
      expect(await orders.countDocuments(pending, { session, hint: 'pending', limit: 20 })).toBe(20);
      expect(await orders.countDocuments(pending, { hint: 'pending' })).toBe(27);
      await session.commitTransaction();
    });
    expect(await orders.countDocuments(pending, { hint: 'pending' })).toBe(27);
    expect(await orders.countDocuments({})).toBe(42);
  });
});
