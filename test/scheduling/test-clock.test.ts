import { beforeAll, beforeEach, expect, it } from 'vitest';
import { newIdOf } from '../../src/domain/ids.ts';
import type { Order } from '../../src/orders/order.ts';
import { createGoOnInTime, type TimeSources } from '../../src/scheduling/test-clock.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import type { Advance } from '../../src/storage/test-clocks.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const { dueOrders, orders, testClocks } = collections;
const dayMs = 86_400_000;
let workspaceId: string;
let advance: Advance;
beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  workspaceId = newIdOf('workspace', true, new Date());
  await collections.workspaces.create('test', workspaceId);
  const own = await testClocks.read(workspaceId);
  const to = new Date(own.at.getTime() + 10 * dayMs);
  advance = { id: workspaceId, from: own.at, to, started: 0, expired: 0, isDone: false };
  await testClocks.begin(workspaceId, own, advance, new Date(Date.now() + 600_000));
});

const read = () => testClocks.read(workspaceId);
const orderOf = (more: Partial<Order> = {}): Order => ({
  ...pendingOrder({ workspaceId, sourceWalletId: 'wa_a', targetWalletId: 'wa_b', amount: '1', currency: 'EUR' }),
  ...more,
});
const scheduledOn = (day: number, more: Partial<Order> = {}): Order =>
  orderOf({ status: 'SCHEDULED', executeAt: new Date(advance.from.getTime() + day * dayMs), ...more });
const goOn = (sources: Partial<TimeSources> = {}) =>
  createGoOnInTime({ ...collections, ...sources }, { wakeNow: () => Promise.resolve() }, () => new Date())(workspaceId);
const statusOf = async (...ids: string[]): Promise<(string | undefined)[]> => {
  const rows = await db.collection<{ _id: string; status: string }>('orders').find({ workspaceId }).toArray();
  return ids.map((id) => rows.find(({ _id }) => _id === id)?.status);
};

it.each<[string, () => Order]>([
  ['is to be posted now', orderOf],
  ['comes due before', () => scheduledOn(1)],
])('does not jump over what a receiver makes of an event and %s', async (_, made) => {
  await orders.insertBatch([scheduledOn(3)]);
  const list = async () => {
    await orders.insertBatch([made()]);
    return [];
  };
  const { at } = (await goOn({ webhookEndpoints: { ...collections.webhookEndpoints, list } }), await read());
  expect(at.getTime()).toBeLessThanOrEqual(advance.from.getTime() + dayMs);
});

it('begins no moment of which it could not count what comes due', async () => {
  await orders.insertBatch([scheduledOn(1)]);
  const until = new Date(advance.from.getTime() + 600_000);
  await db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: workspaceId }, { $set: { 'clock.since': until } });
  const justBefore = () => new Date(until.getTime() - 500);
  await createGoOnInTime(collections, { wakeNow: () => Promise.resolve() }, justBefore)(workspaceId);
  expect((await read()).at).toEqual(advance.from);
});

it('counts an order that comes due once, whoever starts it', async () => {
  const due = [scheduledOn(-1), scheduledOn(-1)];
  await orders.insertBatch(due);
  let counted = 0;
  const start = () =>
    dueOrders.startAt(
      workspaceId,
      due.map(({ id }) => id),
      advance.from,
      (count) => Promise.resolve((counted += count)),
    );
  await Promise.all([start(), start()]);
  expect(counted).toBe(2);
});

it('neither starts nor counts anything if the process dies in between', async () => {
  const due = scheduledOn(-1);
  await orders.insertBatch([due]);
  const count = () => Promise.reject(new Error('died'));
  await expect(goOn({ testClocks: { ...testClocks, count } })).rejects.toThrow('died');
  expect(await statusOf(due.id)).toEqual(['SCHEDULED']);
  await goOn();
  expect((await read()).advance).toMatchObject({ started: 1 });
});

it('what is to be SLOW waits until the clock is put forward: after its time, and with its batch', async () => {
  const due = scheduledOn(-1, { simulate: 'SLOW' });
  const batch = [orderOf(), orderOf({ simulate: 'SLOW' })];
  await orders.insertBatch([due]);
  await orders.insertTogether(batch);
  const ids = [due, ...batch].map(({ id }) => id);
  await goOn();
  expect(await statusOf(...ids)).toEqual(['SET_ASIDE', 'SET_ASIDE', 'SET_ASIDE']);
  await goOn();
  expect(await statusOf(...ids)).toEqual(['PENDING', 'PENDING', 'PENDING']);
});
