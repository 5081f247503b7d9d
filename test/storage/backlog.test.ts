import { beforeAll, beforeEach, expect, it } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { oldestLookedAtMax, openBacklog } from '../../src/storage/backlog.ts';
import { openOrders } from '../../src/storage/orders.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { testDatabase } from '../support/database.ts';

const countMax = 5_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const { db } = testDatabase();
const orders = db.collection<{ _id: string; status: string; bizId: string; stuckSince?: Date }>('orders');
const backlog = openBacklog(db);
const read = async () => backlog.read(await openOrders(db).countPending(countMax + 1), countMax);
let inserted = 0;

beforeAll(() => ensureSchema(db));
beforeEach(async () => {
  await orders.deleteMany({});
  inserted = 0;
});

/** A second between each and the next; no more of an order than a backlog looks at. */
async function insert(count: number, more: { stuckSince?: Date } = {}): Promise<void> {
  const group = Array.from({ length: count }, () => {
    const _id = leastIdAt('order', new Date(start + 1_000 * inserted++));
    return { _id, bizId: _id, status: 'PENDING', ...more };
  });
  await orders.insertMany(group, { ordered: false, bypassDocumentValidation: true });
}

it('of nothing', async () => {
  expect(await read()).toEqual({ pending: 0, isLowerBound: false, oldestPendingAt: undefined, stuck: 0 });
});

it('leaves out what is set aside, also where nothing else is among the oldest', async () => {
  await insert(oldestLookedAtMax, { stuckSince: new Date() });
  expect(await read()).toMatchObject({ pending: 0, isLowerBound: false, stuck: oldestLookedAtMax });
  await insert(3);
  expect(await read()).toEqual({
    pending: 3,
    isLowerBound: false,
    oldestPendingAt: new Date(start + 1_000 * oldestLookedAtMax),
    stuck: oldestLookedAtMax,
  });
});

it('is counted as far as it may grow, and is a lower bound beyond', async () => {
  await insert(2, { stuckSince: new Date() });
  await insert(countMax - 2);
  expect(await read()).toMatchObject({ pending: countMax - 2, isLowerBound: false, stuck: 2 });
  await insert(500);
  expect(await read()).toMatchObject({ pending: countMax - 2, isLowerBound: true, stuck: 2 });
});

it('has what was found, though it was counted before that came', async () => {
  await insert(1);
  expect(await backlog.read(0, countMax)).toMatchObject({ pending: 1, isLowerBound: false });
});
