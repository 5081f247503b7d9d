import { pino } from 'pino';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { openBacklog, stuckCountedMax } from '../../src/storage/orders/backlog.ts';
import { openPendingOrders } from '../../src/storage/orders/pending-orders.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { startBackPressure } from '../../src/accepting/back-pressure.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const countMax = 400;
const start = Date.parse('2026-01-01T00:00:00Z');
const { db } = testDatabase();
const orders = db.collection<{ _id: string; status: string; bizId: string; stuckSince?: Date }>('orders');
const backlog = openBacklog(db);
const read = async () => backlog.read((await openPendingOrders(db).look(countMax + 1)).waiting, countMax);
let inserted = 0;

beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  await orders.deleteMany({});
  inserted = 0;
});

/** A second between each and the next; no more of an order than a backlog looks at. */
async function insert(count: number, more: { stuckSince?: Date; workspaceId?: string } = {}): Promise<void> {
  const group = Array.from({ length: count }, () => {
    const _id = leastIdAt('order', new Date(start + 1_000 * inserted++));
    return { _id, bizId: _id, status: 'PENDING', ...more };
  });
  await orders.insertMany(group, { ordered: false, bypassDocumentValidation: true });
}

it('of nothing', async () => {
  expect(await read()).toEqual({ pending: 0, isLowerBound: false, oldestPendingAt: undefined, stuck: 0 });
});

it('leaves out what is set aside, however much that is', async () => {
  await insert(stuckCountedMax + 5, { stuckSince: new Date() });
  expect(await read()).toEqual({
    ...{ pending: 0, isLowerBound: false, oldestPendingAt: undefined },
    stuck: stuckCountedMax,
  });
  await insert(3);
  expect(await read()).toEqual({
    pending: 3,
    isLowerBound: false,
    oldestPendingAt: new Date(start + 1_000 * (stuckCountedMax + 5)),
    stuck: stuckCountedMax,
  });
});

it('names the workspaces of which too many wait', async () => {
  await insert(5, { workspaceId: 'ws_many' });
  await insert(2, { workspaceId: 'ws_few' });
  await insert(9, { workspaceId: 'ws_few', stuckSince: new Date() });
  expect(await backlog.crowded({ moreThan: 4, countMax })).toEqual(new Map([['ws_many', 5]]));
  expect(await backlog.crowded({ moreThan: 5, countMax })).toEqual(new Map());
});

it('is as large where more is set aside than may wait', async () => {
  await insert(2 * countMax, { stuckSince: new Date() });
  await insert(countMax);
  expect(await read()).toMatchObject({ pending: countMax, isLowerBound: false });
  await insert(1);
  expect(await read()).toMatchObject({ pending: countMax, isLowerBound: true });
});

it('is counted as far as it may grow, and is a lower bound beyond', async () => {
  await insert(2, { stuckSince: new Date() });
  await insert(countMax);
  expect(await read()).toMatchObject({ pending: countMax, isLowerBound: false, stuck: 2 });
  await insert(50);
  expect(await read()).toMatchObject({ pending: countMax, isLowerBound: true, stuck: 2 });
});

it('keeps no creates out, where what is set aside is more than may wait', async () => {
  const backlogMax = 5;
  await insert(20 * backlogMax, { stuckSince: new Date() });
  const pressure = startBackPressure({
    ...{
      pendingOrders: openPendingOrders(db),
      backlog,
      log: pino({ enabled: false }),
      backlogMax,
      backlogMaxWorkspace: backlogMax,
    },
  });
  try {
    await waitFor(() => pressure.pendingCount() !== undefined);
    expect(pressure.pendingCount()).toBe(0);
    pressure.check('ws');
    await insert(backlogMax + 1);
    await waitFor(() => pressure.pendingCount() === backlogMax + 1);
    expect(() => {
      pressure.check('ws');
    }).toThrow('UNAVAILABLE');
  } finally {
    await pressure.close();
  }
});

it('has what was found, though it was counted before that came', async () => {
  await insert(1);
  expect(await backlog.read(0, countMax)).toMatchObject({ pending: 1, isLowerBound: false });
});
