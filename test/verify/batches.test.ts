import type { Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { newOrder } from '../../src/orders/order.ts';
import { openBooks } from '../../src/storage/books.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { verify } from '../../src/verify/verify.ts';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';

const { client, db } = testDatabase();
const unvalidated = { bypassDocumentValidation: true };
interface Row extends Document {
  _id: string;
}
const orders = db.collection<Row>('orders');
const collections = openCollections(db);
const longAgo = new Date(Date.now() - 3_600_000);
const later = new Date(Date.now() + 3_600_000);

let books: PostedBooks;
let batchId: string;
/** Of one atomic batch, the first one first: all COMPLETED, on several pages. */
let batch: string[];
/** Of another, that waits. */
let waiting: string[];
let scheduled: string;
let cancelled: string;
let executed: string;

const values = () => ({
  workspaceId: books.workspaceId,
  ...{
    type: 'TRANSFER',
    sourceWalletId: books.alice,
    targetWalletId: books.bob,
    amount: '1',
    currency: 'EUR',
  },
});

/** Records an atomic batch as it is accepted. */
async function recordBatch(size: number): Promise<string[]> {
  batchId = newId('batch');
  const [first, ...others] = Array.from({ length: size }, () => newOrder({ ...values(), batchId }));
  const otherIds = others.map(({ id }) => id);
  await collections.orders.insertBatch([
    { ...first!, otherIds },
    ...others.map((order) => ({ ...order, firstId: first!.id })),
  ]);
  return [first!.id, ...otherIds];
}
/** Posts an order of a batch as if it were of none. */
async function postAlone(id: string): Promise<void> {
  await unset(id, 'firstId');
  await books.post([id]);
  await set(id, { firstId: waiting[0] });
}
async function schedule(executeAt: Date): Promise<string> {
  const order = newOrder({ ...values(), executeAt }, longAgo);
  await collections.orders.insertBatch([order]);
  return order.id;
}

beforeEach(async () => {
  await Promise.all(['wallets', 'orders', 'flows'].map((name) => db.collection(name).deleteMany({})));
  books = await openPostedBooks(client, db);
  await books.transfer(books.external, books.alice, '100');
  batch = await recordBatch(5);
  await books.post([batch[0]!]);
  waiting = await recordBatch(4);
  [scheduled, cancelled, executed] = [await schedule(later), await schedule(later), await schedule(longAgo)];
  await collections.cancelOrder({ workspaceId: books.workspaceId, id: cancelled });
  await orders.updateOne({ _id: executed }, { $set: { status: 'PENDING', dueAt: null } });
  await books.post([executed]);
});

const found = async () => (await books.verify()).breaches.map(({ kind, id }) => `${kind} ${id}`).sort();
const set = (id: string, change: Document) => orders.updateOne({ _id: id }, { $set: change }, unvalidated);
const unset = (id: string, field: string) => orders.updateOne({ _id: id }, { $unset: { [field]: true } }, unvalidated);

it('sound books with batches and orders for a later time have no breach', async () => {
  const { breaches, summary } = await books.verify();
  expect(breaches).toEqual([]);
  expect(summary.byStatus).toEqual({ SCHEDULED: 1, PENDING: 4, COMPLETED: 7, FAILED: 0, CANCELLED: 1 });
});

it('one that is set aside waits as a whole', async () => {
  await set(waiting[0]!, { status: 'SET_ASIDE', stuckSince: new Date(), fault: {} });
  expect(await found()).toEqual([]);
});

describe('an atomic batch', () => {
  const split = (id: string) => `batch-split ${id}`;
  it.each<[string, () => Promise<unknown>, () => string[]]>([
    [
      'of which one failed',
      () => set(waiting[0]!, { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' }),
      () => [
        split(waiting[0]!),
        // Nobody has counted it.
        `order-totals ${books.workspaceId}`,
        ...[books.alice, books.bob].map((id) => `wallet-failures ${id}`),
      ],
    ],
    ['of which one was posted alone', () => postAlone(waiting.at(-1)!), () => [split(waiting[0]!)]],
    ['that lacks one', () => orders.deleteOne({ _id: waiting[2]! }), () => [split(waiting[0]!)]],
    ['that lacks the first', () => orders.deleteOne({ _id: waiting[0]! }), () => waiting.slice(1).map(split)],
    [
      'of which one names another as the first',
      () => set(batch[4]!, { firstId: waiting[0]! }),
      () => [split(batch[0]!), split(batch[4]!)],
    ],
    ['of which one names no first', () => unset(batch[4]!, 'firstId'), () => [split(batch[0]!)]],
    [
      'of which the first does not name one',
      () => set(batch[0]!, { otherIds: batch.slice(1, -1) }),
      () => [split(batch[4]!)],
    ],
    ['of which one is of another batch', () => set(batch[3]!, { batchId: newId('batch') }), () => [split(batch[0]!)]],
  ])('%s is a breach', async (_, plant, expected) => {
    await plant();
    expect(await found()).toEqual(expected().sort());
  });

  it('that is posted while it is read is none', async () => {
    const read = openBooks(client, db, 3);
    let isPosted = false;
    const breaches: string[] = [];
    await verify(
      {
        ...read,
        async *orders() {
          for await (const page of read.orders()) {
            yield page;
            if (isPosted || !page.some(({ id }) => id === waiting[0])) continue;
            isPosted = true;
            await books.post([waiting[0]!]);
          }
        },
      },
      ({ kind, id }) => breaches.push(`${kind} ${id}`),
    );
    expect({ isPosted, breaches }).toEqual({ isPosted: true, breaches: [] });
  });
});

describe('an order for a later time', () => {
  it.each<[string, () => Promise<unknown>, () => string[]]>([
    ['that was posted before it', () => set(executed, { executeAt: later }), () => [`posted-early ${executed}`]],
    ['that is SCHEDULED without one', () => unset(scheduled, 'executeAt'), () => [`order-fields ${scheduled}`]],
    [
      'that is CANCELLED without one',
      () => unset(cancelled, 'executeAt'),
      // The index of such orders has it no more.
      () => [`order-fields ${cancelled}`, ...[books.alice, books.bob].map((id) => `wallet-cancelled ${id}`)],
    ],
    [
      'that is CANCELLED, and no wallet has counted it',
      () => set(scheduled, { status: 'CANCELLED' }),
      () => [`order-totals ${books.workspaceId}`, ...[books.alice, books.bob].map((id) => `wallet-cancelled ${id}`)],
    ],
  ])('%s is a breach', async (_, plant, expected) => {
    await plant();
    expect(await found()).toEqual(expected().sort());
  });

  it('that failed before it is a breach', async () => {
    const early = await books.recordAsked({ ...values(), amount: '5000' });
    await books.post([early]);
    await set(early, { executeAt: later });
    expect(await found()).toEqual([`posted-early ${early}`]);
  });

  it('that is CANCELLED and has flows is a breach', async () => {
    const flows = await db.collection<Row>('flows').find({ transferId: executed }).toArray();
    expect(flows).toHaveLength(2);
    await set(executed, { status: 'CANCELLED', completedAt: null });
    expect(await found()).toEqual(expect.arrayContaining(flows.map(({ _id }) => `flow-of-open-order ${_id}`)));
  });
});
