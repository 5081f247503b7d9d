import {
  MongoClient,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  type Document,
  type Timestamp,
} from 'mongodb';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { newOrder } from '../../src/orders/order.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPoster } from '../support/test-poster.ts';

/*
 * No router is needed to see what is asked of one: the transaction that judges by what was read begins no earlier than that.
 */

const { uri, client: plain, db } = testDatabase();
let books: PostedBooks;
beforeAll(async () => {
  books = await openPostedBooks(plain, db);
  await books.transfer(books.external, books.alice, '1000');
});

/** A process that has read nothing yet. */
let client: MongoClient;
let collections: Collections;
let answers: { command: Document; operationTime: Timestamp }[];
beforeEach(() => {
  client = new MongoClient(uri, { monitorCommands: true });
  collections = openCollections(client.db());
  answers = [];
  const started = new Map<number, Document>();
  client.on('commandStarted', ({ requestId, command }: CommandStartedEvent) => started.set(requestId, command));
  client.on('commandSucceeded', ({ requestId, reply }: CommandSucceededEvent) => {
    answers.push({
      command: started.get(requestId)!,
      operationTime: (reply as { operationTime: Timestamp }).operationTime,
    });
  });
});
afterEach(() => client.close());

const inAnHour = new Date(Date.now() + 3_600_000);
async function recorded(more: Partial<Parameters<typeof newOrder>[0]> = {}): Promise<string> {
  const sides = { sourceWalletId: books.alice, targetWalletId: books.bob };
  const values = {
    workspaceId: books.workspaceId,
    type: 'TRANSFER',
    ...sides,
    amount: '1',
    currency: 'EUR',
  };
  const order = newOrder({ ...values, ...more }, new Date());
  await openCollections(db).orders.insertBatch([order]);
  return order.id;
}
const walletNamed = (id: string) => ({ workspaceId: books.workspaceId, id });

/** Each reads, and then makes a transaction that judges by what was read. */
const cases: [string, () => Promise<unknown>][] = [
  [
    'a cancel: its order',
    async () => {
      const id = await recorded({ executeAt: inAnHour });
      await collections.orders.findMany([{ workspaceId: books.workspaceId, idOrBizId: id }]);
      expect(await collections.cancelOrder({ workspaceId: books.workspaceId, id })).toBeDefined();
    },
  ],
  [
    'a cancel by support: its order',
    async () => {
      const id = await recorded({ executeAt: inAnHour });
      await collections.backlog.find(id);
      expect(await collections.cancelOrder({ workspaceId: books.workspaceId, id })).toBeDefined();
    },
  ],
  [
    'a change of a wallet: the wallet',
    async () => {
      await collections.wallets.findVisible([walletNamed(books.bob)]);
      await collections.wallets.change({ ...walletNamed(books.bob), change: { status: 'ACTIVE' } });
    },
  ],
  [
    'a change by support: the wallet',
    async () => {
      await collections.wallets.findAnywhere(books.bob);
      await collections.wallets.change({ ...walletNamed(books.bob), change: { status: 'ACTIVE' } });
    },
  ],
  [
    'the making of a wallet: that of its reference',
    async () => {
      const { workspaceId } = books;
      await collections.wallets.findReferred([{ workspaceId, reference: 'r' }]);
      await collections.wallets.make({ workspaceId, name: 'r', currency: 'EUR', reference: 'r' });
    },
  ],
  [
    'the release of what has expired: which holds are due',
    async () => {
      const page = { now: new Date(), countMax: 10, maxTimeMS: 1_000 };
      await collections.dueOrders.of(books.workspaceId, 'COMPLETED', page);
      await collections.dueOrders.releaseExpired(books.workspaceId, ['tr_none'], (hold) => hold);
    },
  ],
  [
    'a group of orders: that they are PENDING',
    async () => {
      const sessions = openPostingSessions(client, 1);
      const poster = createTestPoster(collections, createPostedWrites(client.db(), 'test'), sessions.all);
      await recorded();
      expect(await poster.post(books.workspaceId, '', () => undefined)).toMatchObject({ completed: 1 });
      await sessions.end();
    },
  ],
  [
    'the number of a list: its page',
    async () => {
      await recorded();
      const lists = openOrderLists(client.db());
      const { workspaceId } = books;
      await lists.count({ workspaceId }, await lists.page({ workspaceId }, { size: 20, skip: 0 }));
    },
  ],
];

it.each(cases)('the transaction sees what was read before it: %s', async (_, readAndJudge) => {
  await readAndJudge();
  const first = answers.findIndex(({ command }) => command['startTransaction'] === true);
  // Who subscribes to the order is no part of what is judged.
  const isJudged = (command: Document) => 'find' in command && command['find'] !== 'webhookEndpoints';
  const read = answers.slice(0, first).findLast(({ command }) => isJudged(command));
  const { readConcern, $clusterTime } = answers[first]!.command as {
    readConcern: { level: string; afterClusterTime?: Timestamp };
    $clusterTime: { clusterTime: Timestamp };
  };
  expect(readConcern.level).toBe('snapshot');
  expect(readConcern.afterClusterTime?.greaterThanOrEqual(read!.operationTime)).toBe(true);
  // A router, or a server, that does not know that time yet is told of it.
  expect($clusterTime.clusterTime.greaterThanOrEqual(readConcern.afterClusterTime!)).toBe(true);
});

it('a transaction before which nothing was read waits for nothing', async () => {
  const { workspaceId, alice, bob } = books;
  const sides = { workspaceId, sourceWalletId: alice, targetWalletId: bob, currency: 'EUR' };
  await collections.orders.insertTogether(['1', '2'].map((amount) => pendingOrder({ ...sides, amount })));
  expect(answers[0]!.command['readConcern']).toEqual({ level: 'snapshot' });
});

it('nor does one see less than another of this process', async () => {
  const change = () => collections.wallets.change({ ...walletNamed(books.bob), change: { status: 'ACTIVE' } });
  await change();
  const { operationTime } = answers.at(-1)!;
  const before = answers.length;
  await change();
  const { readConcern } = answers[before]!.command as { readConcern: { afterClusterTime: Timestamp } };
  expect(readConcern.afterClusterTime.greaterThanOrEqual(operationTime)).toBe(true);
});
