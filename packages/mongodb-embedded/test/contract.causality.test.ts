import { MongoClient, Timestamp, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

// What a causally consistent session asks for. Source: MongoDB manual, "Causal Consistency".
let server: TestServer;
let client: MongoClient;

beforeAll(async () => {
  server = await openTestServer();
  client = new MongoClient(server.uri);
  await rows().insertOne({ _id: 1 });
});
afterAll(async () => {
  await client.db('contract_causality').dropDatabase();
  await client.close();
  await server.close();
});

const rows = () => client.db('contract_causality').collection<{ _id: number }>('rows');
const ahead = (seconds: number) => new Timestamp({ t: Math.floor(Date.now() / 1_000) + seconds, i: 1 });
const find = (readConcern: Document) => client.db('contract_causality').command({ find: 'rows', readConcern });

describe('a read after a time', () => {
  it('of what was seen finds it, inside a transaction and outside', async () => {
    await client.withSession(async (session) => {
      await rows().insertOne({ _id: 2 }, { session });
      expect(session.operationTime).toBeInstanceOf(Timestamp);
      expect(await rows().countDocuments({ _id: 2 }, { session })).toBe(1);
      const inTransaction = () => rows().find({ _id: 2 }, { session }).toArray();
      expect(await session.withTransaction(inTransaction, { readConcern: { level: 'snapshot' } })).toHaveLength(1);
    });
  });

  it.each<[string, Document, number]>([
    ['that is no time', { level: 'majority', afterClusterTime: 1 }, 14],
    ['that is null', { level: 'majority', afterClusterTime: new Timestamp({ t: 0, i: 0 }) }, 72],
    ['with a level that has none', { level: 'available', afterClusterTime: ahead(-60) }, 72],
    ['that the server knows nothing of', { level: 'majority', afterClusterTime: ahead(3_600) }, 72],
  ])('%s is refused', async (_, concern, code) => {
    await expect(find(concern)).rejects.toMatchObject({ code });
  });

  it('that the client tells the server of is taken', async () => {
    const own = new MongoClient(server.uri);
    const { $clusterTime } = await own.db('admin').command({ ping: 1 });
    await own.withSession(async (session) => {
      const clusterTime = ahead(server.isEngine ? 60 : 0);
      session.advanceClusterTime({ ...($clusterTime as { signature: never }), clusterTime });
      // A set waits for its next write to reach a time that is ahead.
      session.advanceOperationTime(
        server.isEngine ? clusterTime : ($clusterTime as { clusterTime: Timestamp }).clusterTime,
      );
      const found = await own.db('contract_causality').collection('rows').find({}, { session }).toArray();
      expect(found.length).toBeGreaterThan(0);
    });
    await own.close();
  });
});
