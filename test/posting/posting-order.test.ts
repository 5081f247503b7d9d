import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RecordedOrder } from '../../src/storage/orders/documents.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { Poster } from '../../src/posting/poster.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPoster } from '../support/test-poster.ts';

/** Far more than a read of orders takes. */
const roundTripsOfASlowRead = 40;

const { client, db } = testDatabase();
const opened = openCollections(db);
const sessions = openPostingSessions(client, 2);
let slowReads = 0;
/** Whose reads of orders may be slow. */
const collections: Collections = {
  ...opened,
  orders: {
    ...opened.orders,
    async findPending(orders) {
      if (slowReads > 0) {
        slowReads -= 1;
        for (let trip = 0; trip < roundTripsOfASlowRead; trip += 1) await db.command({ ping: 1 });
      }
      return opened.orders.findPending(orders);
    },
  },
};
let poster: Poster;
let wallets: Record<'world' | 'a' | 'b' | 'c', string>;

beforeAll(async () => {
  await ensureSchema(db);
  poster = createTestPoster(collections, createPostedWrites(db, 'test'), sessions.all);
});
afterAll(() => sessions.end());

beforeEach(async () => {
  slowReads = 0;
  const create = async (name: string) => (await opened.wallets.create({ workspaceId: 'ws', name, currency: 'EUR' })).id;
  const world = (await opened.wallets.ensureExternal('ws', 'EUR')).id;
  wallets = { world, a: await create('a'), b: await create('b'), c: await create('c') };
});

type Name = keyof typeof wallets;
async function record(...transfers: readonly (readonly [source: Name, target: Name])[]): Promise<RecordedOrder[]> {
  const orders = transfers.map(([source, target]) =>
    pendingOrder({
      ...{ workspaceId: 'ws', sourceWalletId: wallets[source], targetWalletId: wallets[target] },
      ...{ amount: '5', currency: 'EUR' },
    }),
  );
  await opened.orders.insertBatch(orders);
  return orders;
}
const post = (...orders: readonly (RecordedOrder | undefined)[]) =>
  poster.post([{ workspaceId: 'ws', orderIds: orders.map((order) => order!.id) }], new AbortController().signal);
const completed = (count: number) => ({ completed: count, failed: 0, skipped: 0, setAside: 0 });
const statusOf = async (order: RecordedOrder | undefined) => (await opened.orders.find('ws', order!.id))?.status;

test('is that in which jobs came, whatever the clocks say that made the ids', async () => {
  // The clock of the process that took the first order is ahead.
  const [second, third, first] = await record(['a', 'b'], ['a', 'c'], ['world', 'a']);
  const jobs = [post(first), post(second), post(third)];
  await Promise.all(jobs);
  expect([await statusOf(second), await statusOf(third)]).toEqual(['COMPLETED', 'FAILED']);
});

test('is that inside a job', async () => {
  const [second, third, first] = await record(['a', 'b'], ['a', 'c'], ['world', 'a']);
  await post(first, third, second);
  expect([await statusOf(second), await statusOf(third)]).toEqual(['FAILED', 'COMPLETED']);
});

test('is that of the jobs also where the orders of the first are read slowly', async () => {
  const [first, second] = await record(['world', 'a'], ['a', 'b']);
  slowReads = 1;
  const job = post(first);
  // It comes while the first one is being read.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(await Promise.all([job, post(second)])).toEqual([completed(1), completed(1)]);
});

test('does not matter in a group: who brings the money may come last, as after a job that was tried again', async () => {
  const [spending, funding] = await record(['a', 'b'], ['world', 'a']);
  expect(await Promise.all([post(spending), post(funding)])).toEqual([completed(1), completed(1)]);
});
