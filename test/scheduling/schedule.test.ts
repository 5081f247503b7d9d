import { beforeEach, expect, it } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { newOrder, type Order } from '../../src/orders/order.ts';
import { schedule } from '../../src/scheduling/schedule.ts';
import type { PostedBooks } from '../posting/posted-books.ts';
import { insertFaultyScheduled } from '../support/pending-order.ts';
import { dueBooks, type Row } from './due-books.ts';

const { db, collections, orders, started, process: scheduler, open } = dueBooks(schedule);

let books: PostedBooks;
beforeEach(async () => {
  books = await open();
});

const fromNow = (ms: number): Date => new Date(Date.now() + ms);
const values = () => ({
  ...{ type: 'TRANSFER', sourceWalletId: books.alice, targetWalletId: books.bob },
  ...{ amount: '1', currency: 'EUR', workspaceId: books.workspaceId },
});
/** Records an order, as if it had been accepted ten days ago. @param inMs how long from now its time comes. */
async function scheduled(inMs: number, workspaceId = books.workspaceId): Promise<string> {
  const [id = ''] = await record([inMs], workspaceId);
  return id;
}
async function record(times: readonly number[], workspaceId = books.workspaceId): Promise<string[]> {
  const tenDays = 10 * 86_400_000;
  const made = times.map((inMs): Order =>
    newOrder({ ...values(), workspaceId, executeAt: fromNow(inMs) }, fromNow(-tenDays)),
  );
  expect(await collections.orders.insertBatch(made)).not.toContain(false);
  return made.map(({ id }) => id);
}
const read = async (id: string): Promise<Row> => (await orders.findOne({ _id: id }))!;
const statusOf = async (id: string): Promise<unknown> => (await read(id))['status'];

it('what is due is started and posted, once, whoever is at it, and the books are sound', async () => {
  const due = await record([-5_000, -1, -1_000]);
  await Promise.all([scheduler()(), scheduler()(), scheduler()()]);
  expect(new Set(started)).toEqual(new Set(due));
  await books.post([...started, ...started]);
  for (const id of due) expect(await read(id)).toMatchObject({ status: 'COMPLETED', dueAt: null });
  const { breaches, summary } = await books.verify();
  expect(breaches).toEqual([]);
  expect(summary).toMatchObject({ flows: 2 * (due.length + 1) });
});

it('nothing is started before its time, however far the clock of a process is ahead', async () => {
  const ids = await record([2_000, 86_400_000]);
  await scheduler(() => fromNow(366 * 86_400_000))();
  // Not even by a job for it.
  await books.post(ids);
  for (const id of ids) expect(await statusOf(id)).toBe('SCHEDULED');
  expect(started).toEqual([]);
});

it('what was cancelled meanwhile stays so', async () => {
  const id = await scheduled(-1_000);
  await orders.updateOne({ _id: id }, { $set: { status: 'CANCELLED', dueAt: null } });
  expect(await collections.dueOrders.start(books.workspaceId, [id])).toEqual([]);
  await scheduler()();
  expect([await statusOf(id), started]).toEqual(['CANCELLED', []]);
});

it('what was started by one that was killed, or that nobody was woken for, is there to be swept', async () => {
  const id = await scheduled(-1_000);
  await scheduler(undefined, { wake: () => Promise.reject(new Error('Redis is away')) })();
  expect(await statusOf(id)).toBe('PENDING');
  // Its time has passed for those that look for what is due, and not yet for the sweeper.
  started.length = 0;
  await scheduler()();
  expect(started).toEqual([]);
  const [found] = await collections.backlog.waitingBehind({ $gt: '' }, 10, leastIdAt('order', fromNow(-5_000)));
  expect(found).toEqual({ id, workspaceId: books.workspaceId });
  await books.post([id]);
  expect(await statusOf(id)).toBe('COMPLETED');
});

it('a repetition after a lost answer wakes a worker for what was started', async () => {
  const [started, late] = await record([-2_000, -1_000]);
  await collections.dueOrders.start(books.workspaceId, [started!]);
  const both = [started!, late!].map((id) => ({ id, workspaceId: books.workspaceId }));
  expect(await collections.dueOrders.start(books.workspaceId, [started!, late!])).toEqual(both);
});

it('an order whose document is at fault keeps no other from being started', async () => {
  const sides = { sourceWalletId: books.alice, targetWalletId: books.bob, currency: 'EUR' };
  const before = await record([-90_000, -80_000]);
  const faulty = await insertFaultyScheduled(db, { workspaceId: books.workspaceId, ...sides });
  const after = await record([-2_000, -1_000]);
  await scheduler()();
  expect(new Set(started)).toEqual(new Set([...before, ...after]));
  expect(await statusOf(faulty)).toBe('SCHEDULED');
  expect(await collections.dueOrders.late('SCHEDULED', fromNow(-10_000))).toMatchObject({ count: 1 });
});

it('many are started in one round, and those of a workspace with few come before them', async () => {
  await record(Array.from({ length: 1_200 }, (_, index) => -60_000 + index));
  const { id: other } = await collections.workspaces.create('other');
  const few = await scheduled(-1_000, other);
  await scheduler()();
  expect(started).toHaveLength(1_201);
  // A page of each in turn.
  expect(started.indexOf(few)).toBeLessThanOrEqual(500);
});

it('until it is due an order counts in no backlog, and then it has waited only since its time', async () => {
  const { backlog, dueOrders } = collections;
  const look = () => backlog.snapshot({ countMax: 1_000, perWorkspaceMax: 100 });
  const dueId = await scheduled(-3_000);
  await record([60_000, 120_000]);
  expect(await look()).toMatchObject({ waiting: 0, isLowerBound: false, oldestPendingAt: undefined });
  expect(await backlog.countOf(books.workspaceId, 10)).toBe(0);
  expect(await dueOrders.countOf(books.workspaceId, 'SCHEDULED', 10)).toBe(3);
  await scheduler()();
  const { executeAt } = await read(dueId);
  expect(await look()).toMatchObject({ waiting: 1, oldestPendingAt: executeAt as Date });
  expect(await backlog.oldestOf(books.workspaceId)).toEqual(executeAt);

  // One that was not scheduled has waited since it was created, even if that was later.
  const lost = newOrder(values(), fromNow(-600_000));
  await collections.orders.insertBatch([lost]);
  expect((await look()).oldestPendingAt).toEqual(lost.createdAt);
});
