import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../src/orders/order.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { Poster } from '../../src/posting/poster.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPoster } from '../support/test-poster.ts';

const { client, db } = testDatabase();
const collections = openCollections(db);
const sessions = openPostingSessions(client, 2);
let poster: Poster;
let workspaceId: string;
let wallets: Record<'world' | 'a' | 'b' | 'c', string>;

beforeAll(async () => {
  await ensureSchema(db);
  poster = createTestPoster(collections, createPostedWrites(db, 'test'), sessions.all);
});
afterAll(() => sessions.end());

beforeEach(async () => {
  ({ id: workspaceId } = await collections.workspaces.create('test'));
  const create = async (name: string) => (await collections.wallets.create({ workspaceId, name, currency: 'EUR' })).id;
  const world = (await collections.wallets.ensureExternal(workspaceId, 'EUR')).id;
  wallets = { world, a: await create('a'), b: await create('b'), c: await create('c') };
});

type Name = keyof typeof wallets;
async function record(...transfers: readonly (readonly [source: Name, target: Name])[]): Promise<Order[]> {
  const orders = transfers.map(([source, target]) =>
    pendingOrder({
      ...{ workspaceId, sourceWalletId: wallets[source], targetWalletId: wallets[target] },
      ...{ amount: '5', currency: 'EUR' },
    }),
  );
  await collections.orders.insertBatch(orders);
  return orders;
}
const post = () => poster.post(workspaceId, '', () => undefined);
const statusesOf = async (orders: readonly Order[]) =>
  Promise.all(orders.map(async ({ id }) => (await collections.orders.find(workspaceId, id))?.status));

test('is that in which the orders were created', async () => {
  const orders = await record(['world', 'a'], ['a', 'b'], ['a', 'c']);
  await post();
  expect(await statusesOf(orders)).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
});

test('does not matter in a group: who brings the money may come last', async () => {
  const orders = await record(['a', 'b'], ['world', 'a']);
  await post();
  expect(await statusesOf(orders)).toEqual(['COMPLETED', 'COMPLETED']);
});

test('is that of time across what a client saw COMPLETED: the money is there for whatever is created after that', async () => {
  await record(['world', 'a']);
  await post();
  const orders = await record(['a', 'b']);
  await post();
  expect(await statusesOf(orders)).toEqual(['COMPLETED']);
});
