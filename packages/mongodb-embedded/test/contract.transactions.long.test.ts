import { Int32, MongoClient, MongoServerError, type ClientSession, type Collection, type Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestServer, type TestServer } from './server.ts';

interface Account {
  _id: string;
  balance: number;
  key?: string;
}

let server: TestServer;
let client: MongoClient;
let db: Db;
let accounts: Collection<Account>;

beforeAll(async () => {
  server = await openTestServer();
  client = await MongoClient.connect(server.uri, { maxPoolSize: 60 });
  db = client.db('contract_transactions');
  accounts = db.collection<Account>('accounts');
});
beforeEach(async () => {
  await db.dropDatabase();
  await db.createCollection('accounts');
  await accounts.createIndexes([
    { key: { key: 1 }, unique: true, partialFilterExpression: { key: { $type: 'string' } } },
  ]);
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

const add = (id: string, amount: number, session?: ClientSession) =>
  accounts.updateOne({ _id: id }, { $inc: { balance: amount } }, session === undefined ? {} : { session });
const balanceOf = async (id: string) => (await accounts.findOne({ _id: id }))?.balance;
const refusal = async (work: Promise<unknown>): Promise<MongoServerError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MongoServerError);
  return error as MongoServerError;
};
/** Runs work in as many sessions as it takes arguments, and ends them whatever happens. */
async function withSessions(count: number, work: (sessions: ClientSession[]) => Promise<void>): Promise<void> {
  const sessions = Array.from({ length: count }, () => client.startSession());
  try {
    await work(sessions);
  } finally {
    for (const session of sessions) {
      if (session.inTransaction()) await session.abortTransaction();
      await session.endSession();
    }
  }
}

describe('two transactions on one document', () => {
  it('lets the first writer win and tells the second to start again', () =>
    withSessions(2, async ([first, second]) => {
      first!.startTransaction();
      second!.startTransaction();
      await add('a', 1, first);
      const error = await refusal(add('a', 2, second));
      expect(error.code).toBe(112);
      expect(error.hasErrorLabel('TransientTransactionError')).toBe(true);
      await first!.commitTransaction();
      await second!.abortTransaction();
      expect(await balanceOf('a')).toBe(11);
    }));

  it('keeps a reader on its snapshot and refuses its late write', () =>
    withSessions(1, async ([reader]) => {
      reader!.startTransaction();
      expect((await accounts.findOne({ _id: 'a' }, { session: reader! }))?.balance).toBe(10);
      await add('a', 5);
      expect((await accounts.findOne({ _id: 'a' }, { session: reader! }))?.balance).toBe(10);
      expect((await refusal(add('a', 1, reader))).code).toBe(112);
      expect(await balanceOf('a')).toBe(15);
    }));

  it('allows write skew, as snapshot isolation does', () =>
    withSessions(2, async ([first, second]) => {
      first!.startTransaction();
      second!.startTransaction();
      for (const session of [first!, second!]) await accounts.find({}, { session }).toArray();
      await add('a', -10, first);
      await add('b', -10, second);
      await first!.commitTransaction();
      await second!.commitTransaction();
      expect([await balanceOf('a'), await balanceOf('b')]).toEqual([0, 0]);
    }));
});

describe('a write outside', () => {
  it.each(['commit', 'abort'] as const)('waits for the one inside until its %s', (end) =>
    withSessions(1, async ([session]) => {
      session!.startTransaction();
      await add('a', 1, session);
      let isDone = false;
      const outside = add('a', 100).then(() => (isDone = true));
      // Reads, and writes elsewhere, go on meanwhile.
      await add('b', 1);
      expect(await balanceOf('a')).toBe(10);
      expect(isDone).toBe(false);
      await (end === 'commit' ? session!.commitTransaction() : session!.abortTransaction());
      await outside;
      expect(await balanceOf('a')).toBe(end === 'commit' ? 111 : 110);
    }),
  );

  it('gives up waiting after maxTimeMS and leaves the transaction alone', () =>
    withSessions(1, async ([session]) => {
      session!.startTransaction();
      await add('a', 1, session);
      const error = await refusal(accounts.updateOne({ _id: 'a' }, { $inc: { balance: 100 } }, { maxTimeMS: 50 }));
      expect(error.code).toBe(50);
      await session!.commitTransaction();
      expect(await balanceOf('a')).toBe(11);
    }));
});

describe('keys and phantoms', () => {
  it('has no phantoms in a range read twice', () =>
    withSessions(1, async ([session]) => {
      session!.startTransaction();
      const before = await accounts.find({ balance: { $gte: 10 } }, { session: session! }).toArray();
      await accounts.insertOne({ _id: 'c', balance: 50 });
      const after = await accounts.find({ balance: { $gte: 10 } }, { session: session! }).toArray();
      expect(after).toEqual(before);
      await session!.commitTransaction();
    }));

  it('lets one of many take a unique key, inside transactions and outside', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => {
        const document = { _id: `race${index}`, balance: 0, key: 'only' };
        if (index % 2 === 0) return accounts.insertOne(document);
        return client.withSession((session) =>
          session.withTransaction(() => accounts.insertOne(document, { session })),
        );
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect((outcome.reason as MongoServerError).code).toBe(11000);
    }
    expect(await accounts.countDocuments({ key: 'only' })).toBe(1);
  });

  it('frees a unique key when the transaction that took it aborts', () =>
    withSessions(1, async ([session]) => {
      session!.startTransaction();
      await accounts.insertOne({ _id: 'x', balance: 0, key: 'k' }, { session: session! });
      const outside = accounts.insertOne({ _id: 'y', balance: 0, key: 'k' });
      await session!.abortTransaction();
      await outside;
      expect((await accounts.findOne({ key: 'k' }))?._id).toBe('y');
    }));
});

describe('the end of a transaction', () => {
  const send = (command: object) => client.db('admin').command(command);

  it('may be repeated: commit after commit is done, commit after abort is not', () =>
    withSessions(2, async ([committed, aborted]) => {
      committed!.startTransaction();
      await add('a', 1, committed);
      await committed!.commitTransaction();
      await committed!.commitTransaction();
      expect(await balanceOf('a')).toBe(11);
      aborted!.startTransaction();
      await add('a', 1, aborted);
      const { id } = aborted!;
      const txnNumber = aborted!.serverSession.txnNumber;
      await aborted!.abortTransaction();
      const error = await refusal(send({ commitTransaction: 1, lsid: id, txnNumber, autocommit: false }));
      expect(error.code).toBe(251);
    }));

  it('comes by itself for a client that died, once its time is over', async () => {
    await send({ setParameter: 1, transactionLifetimeLimitSeconds: new Int32(1) });
    const mortal = await MongoClient.connect(server.uri);
    try {
      const session = mortal.startSession();
      session.startTransaction();
      const own = mortal.db(db.databaseName).collection<Account>('accounts');
      await own.updateOne({ _id: 'a' }, { $inc: { balance: 1 } }, { session });
      // Its connections are cut without an abort: the fail point swallows the one that the driver sends.
      await send({
        configureFailPoint: 'failCommand',
        mode: 'alwaysOn',
        data: { failCommands: ['abortTransaction', 'endSessions'], closeConnection: true },
      });
      await mortal.close(true);
      await add('a', 100);
      expect(await balanceOf('a')).toBe(110);
    } finally {
      await send({ configureFailPoint: 'failCommand', mode: 'off' });
      await send({ setParameter: 1, transactionLifetimeLimitSeconds: new Int32(60) });
    }
  });

  it('is brought about by killSessions, which lets the waiting write go on', () =>
    withSessions(1, async ([session]) => {
      session!.startTransaction();
      await add('a', 1, session);
      const outside = add('a', 100);
      await send({ killSessions: [session!.id] });
      await outside;
      expect(await balanceOf('a')).toBe(110);
      expect((await refusal(add('a', 1, session))).code).toBe(251);
    }));
});

describe('withTransaction under faults', () => {
  const fail = (times: number, data: object) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times }, data });

  it.each([
    ['a conflict', { failCommands: ['update'], errorCode: 112 }],
    ['a lost transaction', { failCommands: ['update'], errorCode: 251 }],
    ['a commit on a node that shuts down', { failCommands: ['commitTransaction'], errorCode: 91 }],
    ['a commit whose connection breaks', { failCommands: ['commitTransaction'], closeConnection: true }],
    ['a connection that breaks in between', { failCommands: ['update'], closeConnection: true }],
    [
      'a commit not yet replicated',
      {
        failCommands: ['commitTransaction'],
        writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
      },
    ],
  ])('is applied exactly once in spite of %s', async (_fault, data) => {
    await fail(1, data);
    const work = vi.fn(async (session: ClientSession) => {
      await add('a', -1, session);
      await add('b', 1, session);
    });
    await client.withSession((session) => session.withTransaction(() => work(session)));
    await fail(1, { failCommands: ['none'] });
    expect([await balanceOf('a'), await balanceOf('b')]).toEqual([9, 11]);
    expect(work.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['a node that shuts down', { errorCode: 91 }],
    ['a connection that breaks', { closeConnection: true }],
  ])('applies a plain write once in spite of %s', async (_fault, data) => {
    await fail(1, { failCommands: ['update', 'insert', 'findAndModify'], ...data });
    await add('a', 1);
    expect(await balanceOf('a')).toBe(11);
    await fail(1, { failCommands: ['update', 'insert', 'findAndModify'], ...data });
    await accounts.insertOne({ _id: 'c', balance: 1 });
    expect(await balanceOf('c')).toBe(1);
  });
});

describe('random histories', () => {
  it('conserve the sum under fifty concurrent clients', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `wallet${index}`);
    await accounts.insertMany(ids.map((_id) => ({ _id, balance: 100 })));
    const sumOf = async (session?: ClientSession): Promise<number> => {
      const group = { $group: { _id: null, sum: { $sum: '$balance' } } };
      const match = { $match: { _id: { $in: ids } } };
      const [total] = await accounts.aggregate<{ sum: number }>([match, group], session ? { session } : {}).toArray();
      return total?.sum ?? 0;
    };
    const pick = () => ids[Math.floor(Math.random() * ids.length)]!;
    let committed = 0;
    const transfer = async (session: ClientSession): Promise<void> => {
      const [from, to] = [pick(), pick()];
      await session.withTransaction(async () => {
        const source = await accounts.findOne({ _id: from }, { session });
        if (source === null || source.balance < 5 || from === to) return;
        await accounts.updateOne({ _id: from, balance: source.balance }, { $inc: { balance: -5 } }, { session });
        await add(to, 5, session);
      });
      committed++;
    };
    const audit = async (session: ClientSession): Promise<void> => {
      await session.withTransaction(async () => {
        expect(await sumOf(session)).toBe(1200);
        expect(await sumOf(session)).toBe(1200);
      });
    };
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        client.withSession(async (session) => {
          for (let round = 0; round < 4; round++) await (index % 10 === 0 ? audit(session) : transfer(session));
        }),
      ),
    );
    expect(committed).toBe(180);
    expect(await sumOf()).toBe(1200);
    const negative = await accounts.countDocuments({ balance: { $lt: 0 } });
    expect(negative).toBe(0);
  }, 60_000);
});
