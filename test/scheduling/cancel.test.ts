import type { Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WebhookType } from '../../src/domain/webhook.ts';
import { newOrder } from '../../src/orders/order.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites, type WritePosted } from '../../src/storage/group-writes.ts';
import { openCancels } from '../../src/storage/orders/cancel.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';
import { createTestPoster } from '../support/test-poster.ts';

const { client, db } = testDatabase();
interface Row extends Document {
  _id: string;
}
const orders = db.collection<Row>('orders');
const collections = openCollections(db);
const { cancelOrder } = collections;
const soon = new Date(Date.now() + 3_600_000);
const longAgo = new Date(Date.now() - 3_600_000);

let books: PostedBooks;
beforeEach(async () => {
  const names = ['wallets', 'orders', 'flows', 'webhookEndpoints', 'webhookOutbox'];
  await Promise.all(names.map((name) => db.collection(name).deleteMany({})));
  books = await openPostedBooks(client, db);
  await books.transfer(books.external, books.alice, '1000');
});

const named = (id: string) => ({ workspaceId: books.workspaceId, id });
async function scheduled(executeAt = soon, sides = { sourceWalletId: books.alice, targetWalletId: books.bob }) {
  const { workspaceId } = books;
  const values = { workspaceId, type: 'TRANSFER', ...sides, amount: '1', currency: 'EUR', executeAt };
  const order = newOrder(values, longAgo);
  await collections.orders.insertBatch([order]);
  return order.id;
}
/** As the scheduler does when an order's time has come. */
async function start(id: string): Promise<boolean> {
  return (await collections.dueOrders.start(books.workspaceId, [id])).length === 1;
}
const walletOf = (id: string) => db.collection<Row>('wallets').findOne({ _id: id });
const cancelledOf = async (id: string) => (await walletOf(id))!['orders'] as object;
async function sound(): Promise<void> {
  expect((await books.verify()).breaches).toEqual([]);
}

describe('a cancel', () => {
  it('ends a SCHEDULED order for good, counted by its wallets and its workspace, with no flow', async () => {
    const [id, other] = [await scheduled(), await scheduled()];
    const before = await walletOf(books.bob);
    const cancelled = await cancelOrder(named(id));
    expect(cancelled).toMatchObject({ order: { id, status: 'CANCELLED', failure: null, completedAt: null } });
    expect(cancelled!.entry).toBeUndefined();
    const stored = await orders.findOne({ _id: id });
    expect(stored).toMatchObject({ status: 'CANCELLED', dueAt: null, updatedAt: cancelled!.order.updatedAt });
    expect(await cancelledOf(books.alice)).toEqual({ DEPOSIT: { COMPLETED: 1 }, TRANSFER: { CANCELLED: 1 } });
    const bob = await walletOf(books.bob);
    expect(bob).toMatchObject({ orders: { TRANSFER: { CANCELLED: 1 } }, version: (before!['version'] as number) + 1 });
    expect(bob!['updatedAt']).toEqual(stored!['updatedAt']);
    const { workspaceId } = books;
    const lists = openOrderLists(db);
    expect((await lists.count({ workspaceId, status: 'CANCELLED' })).total).toBe(1);
    expect((await lists.count({ workspaceId })).total).toBe(3);
    const { breaches, summary } = await books.verify();
    expect(breaches).toEqual([]);
    expect(summary.byStatus).toMatchObject({ SCHEDULED: 1, CANCELLED: 1, COMPLETED: 1 });
    expect(await orders.findOne({ _id: other })).toMatchObject({ status: 'SCHEDULED', dueAt: soon });
  });

  it('changes nothing of an order in any other state, of none, and of another workspace', async () => {
    const [started, gone, untouched] = [await scheduled(longAgo), await scheduled(), await scheduled()];
    expect(await start(started)).toBe(true);
    await cancelOrder(named(gone));
    const everything = () =>
      Promise.all(['orders', 'wallets'].map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
    const before = await everything();
    const completed = (await orders.findOne({ status: 'COMPLETED' }))!._id;
    for (const id of [started, gone, completed, 'tr_none']) expect(await cancelOrder(named(id))).toBeUndefined();
    const { id: workspaceId } = await collections.workspaces.create('other');
    expect(await cancelOrder({ workspaceId, id: untouched })).toBeUndefined();
    expect(await everything()).toEqual(before);
  });

  it('is dated no earlier than its order, if the clock is behind', async () => {
    const cancel = openCancels(db, () => Promise.resolve(new Date(longAgo.getTime() - 60_000)));
    const { order } = (await cancel(named(await scheduled())))!;
    expect(order.updatedAt).toEqual(order.createdAt);
  });

  it('has one winner among many at once, in this process and in another', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => scheduled()));
    const elsewhere = openCancels(db);
    const results = await Promise.all(
      ids.flatMap((id) =>
        [cancelOrder, cancelOrder, elsewhere].map(async (cancel) => (await cancel(named(id)))?.order.id),
      ),
    );
    expect(results.filter((id) => id !== undefined).sort()).toEqual(ids.sort());
    expect(await cancelledOf(books.bob)).toEqual({ TRANSFER: { CANCELLED: ids.length } });
    await sound();
  });

  it('wins against the order’s time or loses, and never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await scheduled(longAgo);
      const contenders = [async () => (await cancelOrder(named(id))) !== undefined, () => start(id)];
      const ordered = round % 2 === 0 ? contenders : contenders.toReversed();
      const won = await Promise.all(ordered.map((contend) => contend()));
      const [isCancelled, isStarted] = round % 2 === 0 ? won : won.toReversed();
      await books.post([id]);
      const stored = (await orders.findOne({ _id: id }))!;
      const flows = await db.collection('flows').countDocuments({ transferId: id });
      expect(isStarted).toBe(!isCancelled);
      expect([stored['status'], stored['completedAt'] === null, flows]).toEqual(
        isCancelled ? ['CANCELLED', true, 0] : ['COMPLETED', false, 2],
      );
    }
    await sound();
  });

  it('goes through beside postings of its wallets', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => scheduled()));
    const done = new AbortController();
    const posting = (async () => {
      let count = 0;
      for (; !done.signal.aborted; count += 1) await books.transfer(books.alice, books.bob, '0.01');
      return count;
    })();
    for (const id of ids) expect(await cancelOrder(named(id))).toBeDefined();
    done.abort();
    expect(await posting).toBeGreaterThan(0);
    expect(await orders.countDocuments({ status: 'PENDING' })).toBe(0);
    await sound();
  });

  it('has a posting folded again that read its wallets before', async () => {
    const id = await scheduled();
    const write = createPostedWrites(db, 'test');
    const attempts: number[] = [];
    const afterCancel: WritePosted = async (posting, options) => {
      attempts.push(options.attempts);
      // The wallets were read by now.
      if (attempts.length === 1) expect(await cancelOrder(named(id))).toBeDefined();
      await write(posting, options);
    };
    const poster = createTestPoster(collections, afterCancel, openPostingSessions(client, 1).all);
    const orderId = await books.record(books.alice, books.bob, '2');
    await poster.post(books.workspaceId, '', () => undefined);
    expect(attempts.length).toBeGreaterThan(1);
    expect(await orders.findOne({ _id: orderId })).toMatchObject({
      status: 'COMPLETED',
      postedBy: { attempts: attempts.at(-1) },
    });
    const { balance, orders: counts } = (await walletOf(books.bob))!;
    expect([String(balance), counts]).toEqual(['2', { TRANSFER: { CANCELLED: 1, COMPLETED: 1 } }]);
    await sound();
  });
});

describe('for webhooks, a cancel', () => {
  const secret = { masterKeyVersion: 1, sealed: new Uint8Array(28), createdAt: new Date(), expiresAt: null };
  async function subscribe(...events: WebhookType[]): Promise<string> {
    const url = `https://a.example/${events.join()}`;
    const made = await collections.webhookEndpoints.create(
      { workspaceId: books.workspaceId, url, description: '', events },
      () => secret,
    );
    if (typeof made === 'string') throw new Error(made);
    return made.id;
  }

  it('leaves an entry for those who asked for it, in its own transaction', async () => {
    await subscribe('transfer.completed', 'transfer.failed');
    expect((await cancelOrder(named(await scheduled())))!.entry, 'nobody asked for it').toBeUndefined();
    expect(await db.collection('webhookOutbox').countDocuments()).toBe(0);
    const [asking, off] = [
      await subscribe('transfer.cancelled'),
      await subscribe('transfer.cancelled', 'transfer.failed'),
    ];
    await collections.webhookEndpoints.change({ workspaceId: books.workspaceId, id: off }, { status: 'DISABLED' });
    const id = await scheduled();
    const cancelled = await cancelOrder(named(id));
    const entries = await db.collection('webhookOutbox').find().toArray();
    expect(entries).toEqual([cancelled!.entry]);
    const ended = { completed: [], failed: [], cancelled: [id] };
    expect(entries).toMatchObject([{ ...ended, pending: [asking], missedBy: [off] }]);
    const { webhookEndpoints, webhookOutbox } = collections;
    const endpoint = await webhookEndpoints.find(books.workspaceId, asking);
    expect(await webhookOutbox.waitingFor(endpoint!)).toMatchObject({ events: 1 });
    await cancelOrder(named(id));
    expect(await db.collection('webhookOutbox').countDocuments()).toBe(1);
  });
});
