import { Decimal128, type Document } from 'mongodb';
import { beforeEach, expect, it } from 'vitest';
import { openPostedBooks, type PostedBooks } from '../posting/posted-books.ts';
import { testDatabase } from '../support/database.ts';

const { client, db } = testDatabase();
const decimal = (text: string) => Decimal128.fromString(text);
const unvalidated = { bypassDocumentValidation: true };
interface Row extends Document {
  _id: string;
}
const wallets = db.collection<Row>('wallets');
const orders = db.collection<Row>('orders');

let books: PostedBooks;
let open: string;
let captured: string;
let closing: string;
let transfer: string;
let reversal: string;

/** An open hold of which a part was captured, one that a capture closed, and a transfer that was reversed in part. */
beforeEach(async () => {
  await Promise.all(['wallets', 'orders', 'flows'].map((name) => db.collection(name).deleteMany({})));
  books = await openPostedBooks(client, db);
  await books.transfer(books.external, books.alice, '100');
  const sides = { sourceWalletId: books.alice, targetWalletId: books.bob, currency: 'EUR' };
  const amount = (text: string) => ({ amount: text });
  open = await books.ask({ type: 'HOLD', ...sides, ...amount('30') });
  captured = await books.ask({ type: 'CAPTURE', ...amount('10'), terms: { final: 'false' } }, open);
  const closed = await books.ask({ type: 'HOLD', ...sides, ...amount('20') });
  await books.ask({ type: 'RELEASE', ...amount('1') }, closed);
  closing = await books.ask({ type: 'CAPTURE', ...amount('15') }, closed);
  transfer = await books.ask({ type: 'TRANSFER', ...sides, ...amount('5') });
  reversal = await books.ask({ type: 'REVERSAL', ...amount('2') }, transfer);
  await books.ask({ type: 'REVERSAL', ...amount('1') }, captured);
});

const kinds = async () => (await books.verify()).breaches.map(({ kind, id }) => [kind, id]);

it('sound books with holds and reversals have no breach', async () => {
  const { breaches, summary } = await books.verify();
  expect(breaches).toEqual([]);
  expect(summary.byStatus).toEqual({ SCHEDULED: 0, PENDING: 0, COMPLETED: 9, FAILED: 0, CANCELLED: 0 });
});

it.each<[string, () => Promise<unknown>, () => [string, string][]]>([
  [
    'a wallet that holds too little',
    () => wallets.updateOne({ _id: books.alice }, { $set: { held: decimal('19') } }),
    () => [['wallet-held', books.alice]],
  ],
  [
    'a wallet that holds without an order',
    () => wallets.updateOne({ _id: books.bob }, { $set: { held: decimal('1') } }),
    () => [['wallet-held', books.bob]],
  ],
  [
    'a wallet that holds more than it has',
    () => wallets.updateOne({ _id: books.alice }, { $set: { held: decimal('80') } }, unvalidated),
    () => [
      ['negative-balance', books.alice],
      ['wallet-held', books.alice],
    ],
  ],
  [
    'more captured than the captures are',
    () => orders.updateOne({ _id: open }, { $set: { 'progress.captured': decimal('11') } }),
    () => [
      ['order-uses', open],
      ['wallet-held', books.alice],
    ],
  ],
  [
    'a hold that nobody captured although somebody did',
    () => orders.updateOne({ _id: open }, { $unset: { progress: true } }),
    () => [
      // It was changed after it was completed.
      ['order-times', open],
      ['order-uses', open],
      ['wallet-held', books.alice],
    ],
  ],
  [
    'a hold that is not closed although its capture closed it',
    () =>
      orders
        .findOne({ _id: closing })
        .then((order) =>
          orders.updateOne({ _id: String(order!['parentId']) }, { $set: { 'progress.released': decimal('1') } }),
        ),
    () => [
      ['order-uses', expect.any(String) as string],
      ['order-due', expect.any(String) as string],
      ['wallet-held', books.alice],
    ],
  ],
  [
    'more reversed than the reversals are',
    () => orders.updateOne({ _id: transfer }, { $set: { 'progress.reversed': decimal('2.5') } }),
    () => [['order-uses', transfer]],
  ],
  [
    'a reversal of no order',
    () => orders.updateOne({ _id: reversal }, { $set: { parentId: 'tr_none' } }),
    () => [
      ['order-uses', transfer],
      ['order-uses', 'tr_none'],
    ],
  ],
  [
    'a reversal that refers to nothing',
    () => orders.updateOne({ _id: reversal }, { $unset: { parentId: true } }),
    () => [
      ['order-fields', reversal],
      ['order-uses', transfer],
    ],
  ],
  [
    'a hold without an expiry',
    () => orders.updateOne({ _id: open }, { $unset: { expiresAt: true } }),
    () => [['order-fields', open]],
  ],
])('%s is a breach', async (_, plant, expected) => {
  await plant();
  const found = await kinds();
  expect(found).toHaveLength(expected().length);
  expect(found).toEqual(expect.arrayContaining(expected()));
});
