import { MongoClient, MongoServerError, type ClientSession, type Db, type TransactionOptions } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

// Collections and indexes made inside transactions. Source: manual 4.4, "Create Collections and Indexes In a Transaction".
interface Row {
  _id: string;
  key?: string;
}

let server: TestServer;
let client: MongoClient;
let db: Db;
let session: ClientSession;

beforeAll(async () => {
  server = await openTestServer();
  client = await MongoClient.connect(server.uri);
  db = client.db('contract_definitions');
});
beforeEach(() => {
  session = client.startSession();
});
afterEach(async () => {
  if (session.inTransaction()) await session.abortTransaction();
  await session.endSession();
  await db.dropDatabase();
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const rows = () => db.collection<Row>('rows');
const begin = (options: TransactionOptions = {}) => {
  session.startTransaction({ readConcern: { level: 'local' }, ...options });
};
const names = async () => (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
const inside = () => rows().find({}, { session }).sort({ _id: 1 }).toArray();
const makeIndex = (collection = 'rows', key: object = { key: 1 }) =>
  db.command({ createIndexes: collection, indexes: [{ key, name: 'by_key', unique: true }] }, { session });
async function refusal(work: Promise<unknown>): Promise<MongoServerError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MongoServerError);
  return error as MongoServerError;
}

describe('a collection made in a transaction', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['create', () => db.createCollection('rows', { session }).then(() => rows().insertOne({ _id: 'a' }, { session }))],
    ['an insert', () => rows().insertOne({ _id: 'a' }, { session })],
    ['an update', () => rows().updateOne({ _id: 'a' }, { $set: { key: 'k' } }, { upsert: true, session })],
    ['findAndModify', () => rows().findOneAndUpdate({ _id: 'a' }, { $set: { key: 'k' } }, { upsert: true, session })],
  ])('by %s is its own until it commits', async (_by, make) => {
    begin();
    await make();
    await rows().insertOne({ _id: 'b' }, { session });
    expect((await inside()).map(({ _id }) => _id)).toEqual(['a', 'b']);
    expect(await names()).toEqual([]);
    expect(await rows().countDocuments()).toBe(0);
    await session.commitTransaction();
    expect(await names()).toEqual(['rows']);
    expect(await rows().countDocuments()).toBe(2);
    expect(await rows().findOne({ _id: 'b' })).toEqual({ _id: 'b' });
  });

  it('keeps its validator', async () => {
    begin();
    await db.createCollection('rows', { session, validator: { key: { $type: 'string' } } });
    await session.commitTransaction();
    expect((await refusal(rows().insertOne({ _id: 'a' }))).code).toBe(121);
  });

  it('goes with an abort', async () => {
    begin();
    await rows().insertOne({ _id: 'a' }, { session });
    await session.abortTransaction();
    expect(await names()).toEqual([]);
    await rows().insertOne({ _id: 'a', key: 'outside' });
    expect(await rows().find().toArray()).toEqual([{ _id: 'a', key: 'outside' }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['create', () => db.createCollection('rows')],
    ['an insert', () => rows().insertOne({ _id: 'other' })],
    [
      'another transaction',
      () =>
        client.withSession((own) => own.withTransaction(() => rows().insertOne({ _id: 'other' }, { session: own }))),
    ],
  ])('gives way to the one that %s makes meanwhile, without waiting', async (_by, make) => {
    begin();
    await db.collection('elsewhere').insertOne({}, { session });
    await rows().insertOne({ _id: 'a' }, { session });
    await make();
    const error = await refusal(session.commitTransaction());
    expect(error.code).toBe(112);
    expect(error.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await names()).toEqual(['rows']);
    expect(await rows().findOne({ _id: 'a' })).toBeNull();
  });

  it('may not be there already', async () => {
    await db.createCollection('rows');
    begin();
    expect((await refusal(db.createCollection('rows', { session }))).code).toBe(48);
  });
});

describe('an index made in a transaction', () => {
  it.each([true, false])('holds on a new collection, created before: %s', async (isCreatedBefore) => {
    begin();
    if (isCreatedBefore) await db.createCollection('rows', { session });
    expect(await makeIndex()).toMatchObject({
      ...{ createdCollectionAutomatically: !isCreatedBefore, numIndexesBefore: 1, numIndexesAfter: 2 },
    });
    await rows().insertOne({ _id: 'a', key: 'k' }, { session });
    expect(await rows().findOne({ key: 'k' }, { session, hint: 'by_key' })).toEqual({ _id: 'a', key: 'k' });
    await session.commitTransaction();
    expect(await rows().findOne({ key: 'k' }, { hint: 'by_key' })).toEqual({ _id: 'a', key: 'k' });
    expect((await refusal(rows().insertOne({ _id: 'b', key: 'k' }))).code).toBe(11000);
  });

  it('is refused to a collection that is there already, or has documents', async () => {
    await db.createCollection('rows');
    begin();
    expect((await refusal(makeIndex())).code).toBe(263);
    await session.abortTransaction();
    begin();
    await db.collection('filled').insertOne({}, { session });
    expect((await refusal(makeIndex('filled'))).code).toBe(263);
  });

  it('may be there already', async () => {
    await rows().createIndexes([{ key: { key: 1 }, name: 'by_key', unique: true }]);
    begin();
    expect(await makeIndex()).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2 });
    expect((await refusal(makeIndex('rows', { other: 1 }))).code).toBe(86);
  });
});

it.each(['majority', 'snapshot'] as const)('both are refused under the read concern %s', async (level) => {
  for (const define of [() => db.createCollection('rows', { session }), () => makeIndex()]) {
    begin({ readConcern: { level } });
    expect((await refusal(define())).code).toBe(72);
    await session.abortTransaction();
  }
});
