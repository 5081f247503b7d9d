import fc from 'fast-check';
import { Decimal128, Long, MongoClient, ObjectId, type Collection, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

let server: TestServer;
let client: MongoClient;
let db: Db;
let orders: Collection;

beforeAll(async () => {
  server = await openTestServer();
  client = await MongoClient.connect(server.uri);
  db = client.db('contract_queries');
});
beforeEach(async () => {
  await db.dropDatabase();
  orders = await db.createCollection('orders');
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
  await server.close();
});

/** Every stage of a plan with the indexes it reads. */
function stagesOf(plan: unknown): { stage: string; index: string | undefined }[] {
  if (plan === null || typeof plan !== 'object') return [];
  const inner = Object.values(plan).flatMap(stagesOf);
  const { stage, indexName } = plan as { stage?: string; indexName?: string };
  return stage === undefined ? inner : [{ stage, index: indexName }, ...inner];
}
async function explained(filter: Document, sort: Document = {}, limit = 0) {
  const result = await orders.find(filter).sort(sort).limit(limit).explain('executionStats');
  const { queryPlanner, executionStats } = result as { queryPlanner: Document; executionStats: Document };
  const stages = stagesOf(queryPlanner['winningPlan']);
  return {
    stages: stages.map(({ stage }) => stage),
    indexes: stages.map(({ index }) => index).filter((index) => index !== undefined),
    keys: executionStats['totalKeysExamined'] as number,
    documents: executionStats['totalDocsExamined'] as number,
  };
}

describe('the choice of an index', () => {
  beforeEach(async () => {
    await orders.createIndexes([
      { key: { owner: 1, at: -1, _id: -1 }, name: 'paging' },
      { key: { status: 1, at: 1 }, name: 'pending', partialFilterExpression: { status: 'PENDING' } },
    ]);
    const documents = Array.from({ length: 3000 }, (_, index) => ({
      _id: index as never,
      owner: `o${index % 3}`,
      at: new Date(Math.floor(index / 7) * 1000),
      status: index % 100 === 0 ? 'PENDING' : 'COMPLETED',
    }));
    await orders.insertMany(documents);
  });

  it('scans everything without one', async () => {
    const plan = await explained({ nothing: 1 });
    expect(plan.stages).toContain('COLLSCAN');
    expect(plan.documents).toBe(3000);
  });

  it('reads a page in order from the index, the first and the deepest alike', async () => {
    const newestFirst = { at: -1, _id: -1 };
    const first = await explained({ owner: 'o1' }, newestFirst, 20);
    expect(first).toMatchObject({ indexes: ['paging'] });
    expect(first.stages).not.toContain('SORT');
    expect(first.documents).toBeLessThanOrEqual(21);
    const at = new Date(20_000);
    const after: Document = { owner: 'o1', $or: [{ at: { $lt: at } }, { at, _id: { $lt: 141 } }] };
    const deepest = await explained(after, newestFirst, 20);
    expect(deepest.stages).not.toContain('SORT');
    expect(deepest.documents).toBeLessThanOrEqual(25);
    const page = await orders.find(after).sort({ at: -1, _id: -1 }).limit(20).toArray();
    const all = await orders.find({ owner: 'o1' }).sort({ at: -1, _id: -1 }).toArray();
    const position = all.findIndex(({ _id }) => (_id as unknown as number) < 141);
    expect(page).toEqual(all.slice(position, position + 20));
  });

  it('uses a partial index only where the filter asks for nothing else', async () => {
    expect(await explained({ status: 'PENDING', at: { $lt: new Date(1e6) } })).toMatchObject({ indexes: ['pending'] });
    expect((await explained({ status: 'PENDING' }, { at: 1 })).stages).not.toContain('SORT');
    expect((await explained({ status: 'COMPLETED' })).stages).toContain('COLLSCAN');
    expect((await explained({ status: { $in: ['PENDING', 'COMPLETED'] } })).stages).toContain('COLLSCAN');
    expect(await orders.countDocuments({ status: 'PENDING' })).toBe(30);
  });

  it('looks up a list of ids one by one', async () => {
    const plan = await explained({ _id: { $in: [5, 6, 7, 9999] }, status: 'COMPLETED' });
    expect(plan.documents).toBe(3);
  });
});

describe('with an index or without', () => {
  const scalar = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(null, true, 'a', 'b', '', Long.fromNumber(2), Decimal128.fromString('1.50'), 1.5, new Date(5)),
    fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY, new Date(6), new ObjectId('a'.repeat(24))),
  );
  const documentOf = (value: fc.Arbitrary<unknown>) =>
    fc.record({ a: value, b: value, c: scalar }, { requiredKeys: [] });
  const flat = documentOf(fc.oneof(scalar, fc.record({ x: scalar })));
  const withArrays = documentOf(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.record({ x: scalar })));
  const condition = fc.oneof(
    scalar,
    fc.record({ $gt: scalar, $lte: scalar }, { requiredKeys: [] }).filter((range) => Object.keys(range).length > 0),
    fc.record({ $gte: scalar, $lt: scalar }),
    fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ $ne: scalar }),
  );
  const filter = fc.oneof(
    fc.record(
      { $and: fc.tuple(fc.record({ c: condition })), c: condition, a: condition },
      { requiredKeys: ['$and', 'c'] },
    ),
    fc.record({ a: condition, b: condition, 'a.x': condition }, { requiredKeys: [] }),
    fc.record({ c: condition, $or: fc.tuple(fc.record({ a: condition }), fc.record({ a: condition, b: condition })) }),
    fc.record({ $or: fc.tuple(fc.record({ b: scalar }), fc.record({ c: scalar, a: condition })) }),
    fc.record({ $or: fc.tuple(fc.record({ b: scalar }), fc.record({ c: scalar })) }),
    fc.record({ c: scalar, a: condition, _id: fc.constantFrom({ $gte: 2, $lt: 9 }, { $lt: 7 }) }),
  );
  const sort = fc.constantFrom(
    { _id: 1 },
    { _id: -1 },
    { a: 1, _id: 1 },
    { a: -1, b: 1, _id: 1 },
    { c: -1, a: -1, _id: 1 },
  );

  // An index is read otherwise once a document with arrays has been in it, so both kinds are tried.
  it.each([
    ['documents without arrays', flat],
    ['documents with arrays', withArrays],
  ])('answers the same for %s, inside a transaction and outside', async (_kind, document) => {
    const plain = fc.array(document, { maxLength: 12 });
    await orders.createIndexes([
      { key: { a: 1, b: -1 } },
      { key: { c: -1, a: 1 } },
      { key: { 'a.x': 1 } },
      { key: { b: 1 }, sparse: true },
      { key: { b: 1, _id: -1 } },
      { key: { c: 1, _id: -1 } },
      { key: { c: 1, a: 1, _id: -1 } },
    ]);
    await fc.assert(
      fc.asyncProperty(
        plain,
        plain,
        fc.array(fc.tuple(filter, sort), { minLength: 3, maxLength: 8 }),
        async (stored, added, queries) => {
          await orders.deleteMany({});
          const insertable = [...stored, ...added].map((fields, index) => ({ _id: index as never, ...fields }));
          const accepted: Document[] = [];
          for (const one of insertable.slice(0, stored.length)) {
            // Two arrays cannot be indexed together; such documents are refused and have no part in this.
            await orders.insertOne(one).then(
              () => accepted.push(one),
              () => undefined,
            );
          }
          const compare = async (session?: ReturnType<MongoClient['startSession']>): Promise<void> => {
            for (const [query, order] of queries) {
              const options = session === undefined ? {} : { session };
              const read = (hint: Document | undefined, limit = 0) =>
                orders
                  .find(query as Document, { ...options, limit, ...(hint && { hint }) })
                  .sort(order as never)
                  .toArray()
                  .then(
                    (found) => found.map(({ _id }) => _id),
                    (error: unknown) => (error as { code: number }).code,
                  );
              const found = await read(undefined);
              expect(found, JSON.stringify([query, order])).toEqual(await read({ $natural: 1 }));
              if (!Array.isArray(found)) continue;
              expect(await read(undefined, 3), JSON.stringify([query, order])).toEqual(found.slice(0, 3));
              expect(await orders.countDocuments(query as Document, options), JSON.stringify(query)).toBe(found.length);
            }
          };
          await compare();
          await client.withSession(async (session) => {
            session.startTransaction();
            await orders.updateMany({ c: 1 }, { $set: { a: 2 } }, { session });
            await orders.deleteOne({ c: null }, { session });
            const more = insertable.slice(stored.length).filter(({ a, b }) => !(Array.isArray(a) && Array.isArray(b)));
            if (more.length > 0) await orders.insertMany(more, { session });
            await compare(session);
            await session.commitTransaction();
          });
          await compare();
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('cursors', () => {
  it('go on over many batches while others write, and miss nothing that stays', async () => {
    await orders.insertMany(Array.from({ length: 1000 }, (_, index) => ({ _id: index as never })));
    const seen = new Set<unknown>();
    for await (const { _id } of orders.find().sort({ _id: 1 }).batchSize(50)) {
      seen.add(_id);
      if (seen.size % 100 === 0) await orders.deleteOne({ _id: (seen.size + 5) as never });
    }
    for (let id = 0; id < 1000; id++) if (id % 100 !== 5 || id < 100) expect(seen).toContain(id);
  });

  it('keep to the snapshot of their transaction', async () => {
    await orders.insertMany(Array.from({ length: 300 }, (_, index) => ({ _id: index as never })));
    await client.withSession(async (session) => {
      session.startTransaction();
      const cursor = orders.find({}, { session }).sort({ _id: 1 }).batchSize(10);
      await cursor.next();
      await orders.deleteMany({ _id: { $gte: 100 } as never });
      let count = 1;
      while ((await cursor.next()) !== null) count++;
      expect(count).toBe(300);
      await session.commitTransaction();
    });
  });
});

describe('documents with a time to live', () => {
  it('go away by themselves', { timeout: 120_000 }, async () => {
    await orders.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 1 }]);
    await orders.insertMany([{ at: new Date(0) }, { at: new Date(Date.now() + 3_600_000) }, { at: 'never' }]);
    await vi.waitUntil(async () => (await orders.countDocuments()) === 2, { timeout: 100_000, interval: 100 });
  });
});

describe('an upsert', () => {
  const refusal = { code: 224, message: '$expr is not allowed in the query predicate for an upsert' };
  const expression = { $expr: { $eq: ['$a', 1] } };

  it('refuses an expression in its filter, at the top or deeper, whatever would match', async () => {
    await orders.insertOne({ a: 1 });
    for (const filter of [expression, { $and: [{ a: 1 }, { $or: [expression] }] }]) {
      await expect(orders.updateOne(filter, { $set: { b: 1 } }, { upsert: true })).rejects.toMatchObject(refusal);
      await expect(orders.findOneAndUpdate(filter, { $set: { b: 1 } }, { upsert: true })).rejects.toMatchObject(
        refusal,
      );
    }
    expect(await orders.updateOne(expression, { $set: { b: 1 } })).toMatchObject({ matchedCount: 1 });
  });

  it('may compute what it makes from fields that are not there yet', async () => {
    const update = [{ $set: { until: { $cond: [{ $lte: ['$until', '$$NOW'] }, 'taken', '$until'] } } }];
    const made = await orders.findOneAndUpdate({ a: 2 }, update, { upsert: true, returnDocument: 'after' });
    expect(made).toMatchObject({ a: 2, until: 'taken' });
  });
});
