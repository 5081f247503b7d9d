import { Decimal128 } from 'mongodb';
import { beforeEach, expect, it } from 'vitest';
import { expiry } from '../../src/scheduling/expiry.ts';
import type { PostedBooks } from '../posting/posted-books.ts';
import { dueBooks, type Row } from './due-books.ts';

const { db, orders, started, process, open } = dueBooks(expiry);

let books: PostedBooks;
beforeEach(async () => {
  books = await open();
});

const amount = (text: string) => ({ amount: text });
const holdOf = (text: string) =>
  books.ask({ type: 'HOLD', sourceWalletId: books.alice, targetWalletId: books.bob, currency: 'EUR', ...amount(text) });
const longAgo = new Date(Date.now() - 60_000);
/** Lets holds expire. */
const expire = (...ids: string[]) =>
  orders.updateMany({ _id: { $in: ids } }, { $set: { dueAt: longAgo, expiresAt: longAgo } });
async function hold(): Promise<string> {
  const id = await holdOf('10');
  await expire(id);
  return id;
}
const releasesOf = (parentId: string): Promise<Row[]> =>
  orders.find({ parentId, type: 'RELEASE' }).sort({ _id: 1 }).toArray();
const dueAt = async (id: string): Promise<unknown> => (await orders.findOne({ _id: id }))!['dueAt'];
async function postEnqueued(): Promise<void> {
  await books.post(started.splice(0));
}
async function held(): Promise<string> {
  const wallet = await db.collection<Row>('wallets').findOne({ _id: books.alice });
  return String(wallet!['held']);
}

it('what has expired is released, once, whoever is at it, and the books are sound', async () => {
  const holds = [await hold(), await hold(), await holdOf('5')];
  await Promise.all([process()(), process()(), process()()]);
  await process()();
  for (const id of holds.slice(0, 2)) expect(await releasesOf(id)).toHaveLength(1);
  expect(await releasesOf(holds[2]!)).toEqual([]);
  expect(new Set(started).size).toBe(2);
  await postEnqueued();
  expect(await held()).toBe('5');
  expect((await books.verify()).breaches).toEqual([]);
});

it('a hold is not released before its time, however far the clock of a process is ahead', async () => {
  const id = await holdOf('10');
  await process(() => new Date(Date.now() + 365 * 86_400_000))();
  expect(await releasesOf(id)).toEqual([]);
});

it('a hold waits for what was accepted before, unless that is set aside', async () => {
  const id = await hold();
  const capture = await books.ask({ type: 'CAPTURE', ...amount('4'), terms: { final: 'false' } }, id);
  await expire(id);
  const asIf = (status: string) =>
    orders.updateOne({ _id: capture }, { $set: { status } }, { bypassDocumentValidation: true });
  await asIf('PENDING');
  await process()();
  expect(await releasesOf(id)).toEqual([]);
  expect(await dueAt(id)).toEqual(longAgo);
  await asIf('SET_ASIDE');
  await process()();
  expect((await releasesOf(id)).map(({ amount: left }) => String(left))).toEqual(['6']);
});

it('a release that was made yields to a capture that was accepted before, and the rest is released anew', async () => {
  const id = await hold();
  await process()();
  const [first = ''] = started.splice(0);
  const capture = await books.recordAsked({ type: 'CAPTURE', ...amount('4'), terms: { final: 'false' } }, id);
  await books.post([first]);
  expect((await orders.findOne({ _id: first }))!['status']).toBe('PENDING');
  // In one group the release comes last.
  await books.post([first, capture]);
  expect((await orders.findOne({ _id: capture }))!['status']).toBe('COMPLETED');
  expect((await orders.findOne({ _id: first }))!['failure']).toBe('EXCEEDS_REMAINING');
  await process()();
  await postEnqueued();
  const ends = (await releasesOf(id)).map(({ status, amount: left }) => [String(status), String(left)]);
  expect(ends).toEqual([
    ['FAILED', '10'],
    ['COMPLETED', '6'],
  ]);
  expect([await held(), (await books.verify()).breaches]).toEqual(['0', []]);
});

it.each<[string, (own: string, asked: string) => Promise<unknown>]>([
  ['before it', async (own, asked) => (await books.post([asked]), books.post([own]))],
  ['behind it', async (own, asked) => (await books.post([own]), books.post([asked, own]))],
  ['in its group', (own, asked) => books.post([own, asked])],
  ['at the same time', (own, asked) => Promise.all([books.post([own]), books.post([asked])])],
])(
  'a release of a client that is posted %s, once the expiry has made its own, gives nothing back twice',
  async (_, post) => {
    const id = await hold();
    await holdOf('5');
    await process()();
    const [own = ''] = started.splice(0);
    const asked = await books.recordAsked({ type: 'RELEASE', ...amount('4') }, id);
    await post(own, asked);
    // The first release may fail only in the first of these rounds: another is then made in the second.
    for (let round = 0; round < 2; round += 1) {
      await process()();
      await books.post([...started.splice(0), own, asked]);
    }
    const completed = (await releasesOf(id)).filter(({ status }) => status === 'COMPLETED');
    expect(completed.reduce((sum, { amount: by }) => sum + Number(by), 0)).toBe(10);
    expect([await held(), await dueAt(id), (await books.verify()).breaches]).toEqual(['5', null, []]);
  },
);

it('what was closed, or failed, is not looked at again', async () => {
  const closed = await hold();
  await books.ask({ type: 'RELEASE' }, closed);
  expect(await dueAt(closed)).toBe(null);
  const failed = await holdOf('100000');
  expect((await orders.findOne({ _id: failed }))!['status']).toBe('FAILED');
  await process()();
  expect([await dueAt(failed), await releasesOf(failed), started]).toEqual([null, [], []]);
});

it('a hold that fails together with a transfer is not looked at again either', async () => {
  const transfer = await books.record(books.alice, books.bob, '5000');
  const asked = { type: 'HOLD', sourceWalletId: books.alice, targetWalletId: books.bob, currency: 'EUR' };
  const failed = await books.recordAsked({ ...asked, ...amount('5000') });
  await books.post([transfer, failed]);
  expect((await orders.findOne({ _id: failed }))!['failure']).toBe('INSUFFICIENT_BALANCE');
  expect([await dueAt(transfer), await dueAt(failed)]).toEqual([undefined, null]);
  expect((await books.verify()).breaches).toEqual([]);
});

it('a hold whose document is at fault keeps no other from being released', async () => {
  const [first, faulty, last] = [await hold(), await hold(), await hold()];
  const wrong = { $set: { amount: Decimal128.fromString('NaN') } };
  await orders.updateOne({ _id: faulty }, wrong, { bypassDocumentValidation: true });
  await process()();
  for (const id of [first, last]) expect(await releasesOf(id)).toHaveLength(1);
  expect(await releasesOf(faulty)).toEqual([]);
});

it('holds that cannot be released keep no later one of their workspace waiting', async () => {
  const id = await hold();
  const capture = await books.ask({ type: 'CAPTURE', ...amount('1'), terms: { final: 'false' } }, id);
  const [one, used] = [(await orders.findOne({ _id: id }))!, (await orders.findOne({ _id: capture }))!];
  const earlier = new Date(longAgo.getTime() - 1_000);
  const waiting = Array.from({ length: 600 }, (_, index) => `${id.slice(0, -4)}${String(index).padStart(4, '0')}`);
  await orders.insertMany(
    waiting.flatMap((copy) => [
      { ...one, _id: copy, bizId: copy, dueAt: earlier },
      { ...used, _id: `c${copy}`, bizId: `c${copy}`, parentId: copy, status: 'PENDING', completedAt: null },
    ]),
    { bypassDocumentValidation: true },
  );
  const last = await hold();
  await process()();
  expect(await releasesOf(last)).toHaveLength(1);
});
