import { Long, MongoClient, MongoServerError } from 'mongodb';
import type { ClientBulkWriteModel, ClientSession, Collection, Db, Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServer } from './server.ts';
import type { TestServer } from './server.ts';

interface Account {
  _id: string;
  balance: number;
}

const wireVersionOf8 = 25;
const database = 'contract_bulk_write';
const accountsName = `${database}.accounts`;
const flowsName = `${database}.flows`;
const nsInfo = [{ ns: accountsName }, { ns: flowsName }];

let server: TestServer;
let client: MongoClient;
let db: Db;
let accounts: Collection<Account>;
let flows: Collection<{ _id: string }>;
let wireVersion: number;

beforeAll(async () => {
  server = await openTestServer({ serverVersion: '8.0' });
  client = await MongoClient.connect(server.uri);
  db = client.db(database);
  accounts = db.collection('accounts');
  flows = db.collection('flows');
  ({ maxWireVersion: wireVersion } = (await send({ isMaster: 1 })) as { maxWireVersion: number });
});
beforeEach(async ({ skip }) => {
  skip(wireVersion < wireVersionOf8, 'the server is older than 8.0');
  await db.dropDatabase();
  await db.createCollection('flows');
  await accounts.insertMany([
    { _id: 'a', balance: 10 },
    { _id: 'b', balance: 10 },
  ]);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
  await server.close();
});

function send(command: Document): Promise<Document> {
  return client.db('admin').command(command);
}

async function refusal(work: Promise<unknown>): Promise<MongoServerError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MongoServerError)) throw new Error(`not refused by the server: ${String(error)}`);
  return error;
}

const insert = (_id: string) => ({ insert: 1, document: { _id } });
const add = (_id: string, balance: number) => ({ update: 0, filter: { _id }, updateMods: { $inc: { balance } } });

describe('bulkWrite', () => {
  it('writes to several collections, and tells of each write and of all together', async () => {
    const remove = { delete: 0, filter: { _id: 'b' }, multi: false };
    const every = { update: 0, filter: {}, updateMods: { $set: { balance: 7 } }, multi: true };
    const reply = await send({ bulkWrite: 1, ops: [insert('f'), add('a', 1), every, remove], nsInfo });
    expect(reply).toMatchObject({
      ...{ ok: 1, nErrors: 0, nInserted: 1, nMatched: 3, nModified: 3, nUpserted: 0, nDeleted: 1 },
      cursor: {
        ...{ id: 0, ns: 'admin.$cmd.bulkWrite' },
        firstBatch: [
          { ok: 1, idx: 0, n: 1 },
          { ok: 1, idx: 1, n: 1, nModified: 1 },
          { ok: 1, idx: 2, n: 2, nModified: 2 },
          { ok: 1, idx: 3, n: 1 },
        ],
      },
    });
    expect(await accounts.find().toArray()).toEqual([{ _id: 'a', balance: 7 }]);
    expect(await flows.countDocuments()).toBe(1);
  });

  it('tells only of errors where that is asked for', async () => {
    const reply = await send({ bulkWrite: 1, ops: [insert('f')], nsInfo, errorsOnly: true });
    expect(reply).toMatchObject({ nInserted: 1, cursor: { firstBatch: [] } });
  });

  it.each([
    { ordered: true, nInserted: 1, told: [[0, 1], [1, 0]] }, // prettier-ignore
    { ordered: false, nInserted: 2, told: [[0, 1], [1, 0], [2, 1]] }, // prettier-ignore
  ])('stops at the first error only where it is ordered: $ordered', async ({ ordered, nInserted, told }) => {
    const reply = await send({ bulkWrite: 1, ops: [insert('f'), insert('f'), insert('g')], nsInfo, ordered });
    const { firstBatch } = reply['cursor'] as { firstBatch: { idx: number; ok: number }[] };
    expect(firstBatch.map(({ idx, ok }) => [idx, ok])).toEqual(told);
    expect(firstBatch[1]).toMatchObject({ code: 11000, keyValue: { _id: 'f' }, n: 0 });
    expect(reply).toMatchObject({ nErrors: 1, nInserted });
  });

  it('tells the id of what an upsert made, which matched nothing', async () => {
    const reply = await send({ bulkWrite: 1, ops: [{ ...add('new', 3), upsert: true }], nsInfo });
    expect(reply).toMatchObject({ nUpserted: 1, nMatched: 0 });
    expect(reply).toMatchObject({ cursor: { firstBatch: [{ n: 1, upserted: { _id: 'new' } }] } });
  });

  it('gives results that a batch does not hold to getMore', async () => {
    const ops = [insert('f'), insert('g'), insert('h')];
    const { cursor } = await send({ bulkWrite: 1, ops, nsInfo, cursor: { batchSize: 2 } });
    const { id, firstBatch } = cursor as { id: Long | number; firstBatch: unknown[] };
    expect(firstBatch).toHaveLength(2);
    const getMore = Long.isLong(id) ? id : Long.fromNumber(id);
    expect(await send({ getMore, collection: '$cmd.bulkWrite' })).toMatchObject({
      cursor: { nextBatch: [{ ok: 1, idx: 2, n: 1 }] },
    });
  });

  it.each([
    ['no operation', { ops: [] }, 16],
    ['a collection that is not named', { ops: [{ insert: 5, document: {} }] }, 2],
    ['a negative place', { ops: [{ insert: -1, document: {} }] }, 2],
    ['a kind of write that is none', { ops: [{ replace: 0, document: {} }] }, 40415],
    ['a field that a write does not have', { ops: [{ ...insert('f'), upsert: true }] }, 40415],
    ['a field that the command does not have', { ops: [insert('f')], unordered: true }, 40415],
    ['an insert without a document', { ops: [{ insert: 0 }] }, 40414],
    ['an update without a filter', { ops: [{ update: 0, updateMods: { $set: { a: 1 } } }] }, 40414],
    ['an update without a change', { ops: [{ update: 0, filter: {} }] }, 40414],
    ['no names', { ops: [insert('f')], nsInfo: undefined }, 40414],
    ['a name without a database', { ops: [insert('f')], nsInfo: [{ ns: 'x' }, { ns: 'y' }] }, 73],
  ])('refuses %s', async (_what, fields, code) => {
    const error = await refusal(
      client.db('admin').command({ bulkWrite: 1, nsInfo, ...fields }, { ignoreUndefined: true }),
    );
    expect(error.code).toBe(code);
  });

  it('is the admin database’s', async () => {
    expect((await refusal(db.command({ bulkWrite: 1, ops: [insert('f')], nsInfo }))).code).toBe(13);
  });

  it('is applied once when it is sent twice, and cannot be retried with multi', async () => {
    // A client of its own: the session goes back to no pool, where its numbers would be in the driver's way.
    const own = await MongoClient.connect(server.uri);
    const session = own.startSession();
    const sendInSession = (command: Document) => own.db('admin').command(command, { session });
    const retryable = { nsInfo, txnNumber: Long.fromNumber(7) };
    const command = { bulkWrite: 1, ops: [add('a', 1), insert('f')], ...retryable };
    for (let time = 0; time < 2; time += 1)
      expect(await sendInSession(command)).toMatchObject({ nMatched: 1, nInserted: 1 });
    expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(11);
    const many = { bulkWrite: 1, ops: [{ ...add('a', 1), multi: true }], ...retryable, txnNumber: Long.fromNumber(8) };
    expect(await sendInSession(many)).toMatchObject({ nErrors: 1, cursor: { firstBatch: [{ ok: 0, code: 72 }] } });
    await own.close();
  });
});

type Schemas = Record<string, Account | { _id: string }>;

const models: ClientBulkWriteModel<Schemas>[] = [
  { name: 'updateOne', namespace: accountsName, filter: { _id: 'a' }, update: { $inc: { balance: -1 } } },
  { name: 'updateMany', namespace: accountsName, filter: { _id: { $in: ['b'] } }, update: { $inc: { balance: 1 } } },
  { name: 'insertOne', namespace: flowsName, document: { _id: 'f' } },
];

async function inSession(work: (session: ClientSession) => Promise<void>): Promise<void> {
  await client.withSession(async (session) => {
    session.startTransaction();
    await work(session);
    if (session.inTransaction()) await session.abortTransaction();
  });
}

describe('bulkWrite in a transaction, through the driver', () => {
  it.each(['commit', 'abort'] as const)('shows with its %s, or not at all', (end) =>
    inSession(async (session) => {
      const result = await client.bulkWrite<Schemas>(models, { session });
      expect(result).toMatchObject({ matchedCount: 2, modifiedCount: 2, insertedCount: 1 });
      expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(10);
      await (end === 'commit' ? session.commitTransaction() : session.abortTransaction());
      expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(end === 'commit' ? 9 : 10);
      expect(await flows.countDocuments()).toBe(end === 'commit' ? 1 : 0);
    }),
  );

  it('fails as a whole where another transaction was faster, and may be run again', () =>
    inSession(async (first) => {
      await accounts.updateOne({ _id: 'b' }, { $inc: { balance: 5 } }, { session: first });
      await inSession(async (second) => {
        const error = await refusal(client.bulkWrite<Schemas>(models, { session: second }));
        expect(error.cause).toMatchObject({ code: 112, codeName: 'WriteConflict' });
        expect((error.cause as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(true);
        expect((await refusal(second.commitTransaction())).code).toBe(251);
      });
    }));

  it('tells a duplicate key as that write’s error, and is over with it', async () => {
    await flows.insertOne({ _id: 'f' });
    await inSession(async (session) => {
      const error = await refusal(client.bulkWrite<Schemas>(models, { session }));
      expect(error).toMatchObject({ writeErrors: new Map([[2, expect.objectContaining({ code: 11000 })]]) });
      expect((await refusal(session.commitTransaction())).code).toBe(251);
    });
    expect((await accounts.findOne({ _id: 'a' }))?.balance).toBe(10);
  });

  it('waits outside one for an open transaction', () =>
    inSession(async (session) => {
      await accounts.updateOne({ _id: 'b' }, { $inc: { balance: 5 } }, { session });
      const outside = client.bulkWrite<Schemas>(models);
      await session.commitTransaction();
      await outside;
      expect((await accounts.findOne({ _id: 'b' }))?.balance).toBe(16);
    }));
});
