import { Decimal128, MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngineProcess } from '../../local/engine-process.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import { newOrder } from '../../src/orders/order.ts';
import { openBooks, type Books } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { verify } from '../../src/verify/verify.ts';
import { testDatabase, uniqueDatabaseName } from '../support/database.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';

const { client, db } = testDatabase();
let books: PostedBooks;

beforeEach(async () => {
  await db.dropDatabase();
  books = await openPostedBooks(client, db);
  await books.transfer(books.external, books.alice, '100');
  await books.transfer(books.external, books.bob, '50');
  for (let count = 0; count < 4; count += 1) await books.transfer(books.alice, books.bob, '1');
});

async function verified(read: Books) {
  const breaches: string[] = [];
  const summary = await verify(read, ({ kind, id }) => breaches.push(`${kind} ${id}`));
  return { breaches, summary };
}

/**
 * Runs `between` after each page of flows: what was read before does not know of it, and what is read then does; and
 * `beforeAgain` before a wallet in doubt is read again.
 */
function whilePosting(
  between: (page: number) => Promise<unknown>,
  beforeAgain: () => Promise<unknown> = () => Promise.resolve(),
): Books {
  const read = openBooks(client, db, 3);
  return {
    ...read,
    async walletWithFlowsAfter(id, sequence) {
      await beforeAgain();
      return read.walletWithFlowsAfter(id, sequence);
    },
    async *flows() {
      let page = 0;
      for await (const flows of read.flows()) {
        yield flows;
        await between(page++);
      }
    },
  };
}

describe('books that are posted while they are read in parts', () => {
  it('are summed as of the moment when that began', async () => {
    const { wallets } = openCollections(db);
    const waited = await books.record(books.external, books.bob, '3');
    // One that has waited for long, as where it was set aside.
    const createdAt = new Date(Date.now() - 3_600_000);
    const old = leastIdAt('order', createdAt);
    const orders = db.collection<{ _id: string }>('orders');
    // As a release before has recorded it.
    const { digest: _, ...document } = (await orders.findOne<Document>({ _id: waited }))!;
    await orders.insertOne({ ...document, _id: old, bizId: old, createdAt, updatedAt: createdAt } as never);
    let posted = 0;
    const { breaches, summary } = await verified(
      whilePosting(
        async (page) => {
          if (page > 2) return;
          // EXTERNAL is read first and bob last, and a wallet that is new is not read at all.
          await books.transfer(books.external, books.bob, '7');
          await books.transfer(books.bob, books.alice, '0.5');
          posted += 2;
          if (page > 0) return;
          await books.post([waited, old]);
          posted += 2;
          await wallets.create({ workspaceId: books.workspaceId, name: 'carol', currency: 'EUR' });
        },
        async () => {
          await books.transfer(books.alice, books.bob, '0.1');
          posted += 1;
        },
      ),
    );
    expect(breaches).toEqual([]);
    expect(summary).toMatchObject({ sumsByCurrency: { EUR: '0' }, ordersSince: posted, breaches: 0 });
    expect(summary.byStatus).toEqual({ SCHEDULED: 0, PENDING: 0, COMPLETED: 6 + posted, FAILED: 0, CANCELLED: 0 });
    const moments = [summary.asOf, summary.flowsReadUntil, summary.ordersReadUntil];
    expect(moments.map((moment) => new Date(moment).toISOString())).toEqual(moments.toSorted());
  });

  it('are found at fault by what is missing, and by no more', async () => {
    const change = { $inc: { balance: Decimal128.fromString('-0.25') } };
    await db.collection<{ _id: string }>('wallets').updateOne({ _id: books.alice }, change);
    const { breaches, summary } = await verified(
      whilePosting((page) => (page > 2 ? Promise.resolve() : books.transfer(books.external, books.bob, '7'))),
    );
    expect(breaches.toSorted()).toEqual(['currency-sum EUR', `wallet-balance ${books.alice}`]);
    expect(summary.sumsByCurrency).toEqual({ EUR: '-0.25' });
  });
});

it('holds, captures, releases and cancels, done while they are read, are no breach', async () => {
  const collections = openCollections(db);
  const { alice, bob, external, workspaceId } = books;
  const sides = { sourceWalletId: alice, targetWalletId: bob, currency: 'EUR' };
  const amount = (text: string) => ({ amount: text });
  const held: string[] = [];
  /** Uses what was made at the last time, and makes more. */
  const work = async (): Promise<void> => {
    const [first, second] = held.splice(0);
    if (first !== undefined) await books.ask({ type: 'CAPTURE', ...amount('0.1'), terms: { final: 'false' } }, first);
    if (second !== undefined) await books.ask({ type: 'RELEASE', ...amount('0.2') }, second);
    held.push(await books.ask({ type: 'HOLD', ...sides, ...amount('0.2') }));
    held.push(await books.ask({ type: 'HOLD', ...sides, ...amount('0.2') }));
    await books.ask({ type: 'REVERSAL', ...amount('0.1') }, await books.transfer(alice, bob, '0.1'));
    await books.transfer(bob, external, '999');
    const executeAt = new Date(Date.now() + 3_600_000);
    const scheduled = newOrder({ type: 'TRANSFER', workspaceId, ...sides, amount: '1', executeAt });
    await collections.orders.insertBatch([scheduled]);
    await collections.cancelOrder({ workspaceId, id: scheduled.id });
  };
  await work();
  const read = openBooks(client, db, 3);
  let rounds = 0;
  let counts = 0;
  const meanwhile = <T>(pages: () => AsyncGenerator<T[], void>) =>
    async function* (): AsyncGenerator<T[], void, undefined> {
      for await (const page of pages()) {
        yield page;
        if ((rounds += 1) % 4 === 0 && rounds < 60) await work();
      }
    };
  const { breaches, summary } = await verified({
    ...read,
    wallets: meanwhile(read.wallets),
    flows: meanwhile(read.flows),
    orders: meanwhile(read.orders),
    claims: meanwhile(read.claims),
    withoutFlowsOf: (workspaceId) => {
      counts += 1;
      return meanwhile(() => read.withoutFlowsOf(workspaceId))();
    },
  });
  expect(breaches).toEqual([]);
  expect(counts).toBeGreaterThan(0);
  expect(summary.ordersSince).toBeGreaterThan(10);
  // At rest there is nothing to look at again.
  counts = 0;
  const watched = { ...read, withoutFlowsOf: (id: string) => ((counts += 1), read.withoutFlowsOf(id)) };
  expect((await verified(watched)).breaches).toEqual([]);
  expect(counts).toBe(0);
});

describe('books that take longer to read than a transaction may last', () => {
  const stopTimeoutMs = 5_000;
  let engine: Awaited<ReturnType<typeof startEngineProcess>>;
  let slow: MongoClient;

  beforeAll(async () => {
    // Of its own, because the limit and the fail point hold for the whole server.
    engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
    slow = new MongoClient((await engine.ready).uri);
  });
  afterAll(async () => {
    await slow.close();
    await engine.stop(stopTimeoutMs);
  });

  it('are verified all the same', async () => {
    const slowDb = slow.db(uniqueDatabaseName());
    const slowBooks = await openPostedBooks(slow, slowDb);
    const { workspaceId } = slowBooks;
    const { wallets } = openCollections(slowDb);
    for (let count = 0; count < 8; count += 1) await wallets.create({ workspaceId, name: '', currency: 'EUR' });
    await slowBooks.transfer(slowBooks.external, slowBooks.alice, '100');
    const admin = slow.db('admin');
    await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: 1 });
    const data = { failCommands: ['find', 'getMore'], blockConnection: true, blockTimeMS: 120 };
    await admin.command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
    const { breaches, summary } = await verified(openBooks(slow, slowDb, 2));
    expect(breaches).toEqual([]);
    expect(summary).toMatchObject({ wallets: 11, flows: 2, orders: 1, sumsByCurrency: { EUR: '0' } });
  }, 60_000);
});
