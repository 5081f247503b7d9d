import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import { releaseAll } from '../../src/ops/release.ts';
import type { WaitingFrom } from '../../src/queue/posting-queue.ts';
import { startSweeper } from '../../src/posting/sweep.ts';
import { auditedBy } from '../../src/storage/audited.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const log = pino({ level: 'silent' });
const pageSize = 256;
const pagesPerRoundMax = 80;

/** What each call woke. */
let calls: (readonly string[])[];
let isQueueAway: boolean;
let sweeper: ReturnType<typeof startSweeper> | undefined;

const queue = {
  wake(waiting: readonly WaitingFrom[]): Promise<void> {
    if (isQueueAway) return Promise.reject(new Error('Connection is closed.'));
    calls.push([...new Set(waiting.map(({ workspaceId }) => workspaceId))]);
    return Promise.resolve();
  },
};
const woken = () => new Set(calls.flat());

beforeEach(async () => {
  await ensureSchema(db);
  await Promise.all([db.collection('orders').deleteMany({}), db.collection('leases').deleteMany({})]);
  [calls, isQueueAway, sweeper] = [[], false, undefined];
});
afterEach(() => sweeper?.close());

const start = () =>
  (sweeper = startSweeper(
    { collections, isSharded: false, queue, clock: systemClock, log },
    { leases: collections.leases, instanceId: 'test', mayWork: () => true },
    50,
  ));
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
let recorded = 0;

async function recordPending(createdAt: Date, workspaceId: string, count = 1): Promise<string[]> {
  // Ids of one millisecond, which only their ends tell apart.
  const values = { workspaceId, sourceWalletId: 'a', targetWalletId: 'b', amount: '1', currency: 'EUR' };
  const orders = Array.from({ length: count }, () => {
    const id = leastIdAt('order', createdAt).slice(0, -8) + String((recorded += 1)).padStart(8, '0');
    return { ...pendingOrder({ ...values, bizId: id }), id, createdAt, updatedAt: createdAt };
  });
  await collections.orders.insertBatch(orders);
  return orders.map(({ id }) => id);
}

async function rounds(count: number): Promise<void> {
  const until = calls.length + count;
  await waitFor(() => calls.length >= until);
}

test('a workspace is woken of which something has been PENDING for seconds, again and again, and no other', async () => {
  await recordPending(ago(60), 'old');
  await recordPending(ago(1), 'young');
  start();
  await rounds(3);
  expect(woken()).toEqual(new Set(['old']));
});

test('one whose orders are many is woken once a round, and keeps none of those behind it waiting', async () => {
  await recordPending(ago(60), 'a', 3 * pageSize);
  await recordPending(ago(60), 'b');
  start();
  await waitFor(() => woken().size === 2);
  expect(calls.slice(0, 2)).toEqual([['a'], ['b']]);
});

test('a round goes on where the one before ended among the workspaces', async () => {
  const workspaces = Array.from({ length: pagesPerRoundMax + 2 }, (_, index) => `ws_${String(index).padStart(3, '0')}`);
  for (const workspaceId of workspaces) await recordPending(ago(60), workspaceId, pageSize);
  start();
  await waitFor(() => woken().size === workspaces.length);
}, 60_000);

test('what Redis did not take is woken once it does', async () => {
  isQueueAway = true;
  await recordPending(ago(60), 'a');
  const before = await collections.backlog.oldestBefore('a', leastIdAt('order', ago(5)), 1_000);
  expect(before).toHaveLength(1);
  start();
  isQueueAway = false;
  await waitFor(() => woken().has('a'));
});

test('what was set aside is found only once it is released, by several at once too', async () => {
  const ids = await recordPending(ago(60), 'ws', 30);
  const { stuckOrders } = collections;
  const faults = ids.map((orderId) => ({ orderId, workspaceId: 'ws', reason: 'odd' }));
  expect(await stuckOrders.recordFaults(faults, 1)).toEqual(new Set(ids));
  await recordPending(ago(50), 'other');
  start();
  await rounds(2);
  expect(woken()).toEqual(new Set(['other']));
  const audited = auditedBy(collections.auditEvents, { actor: 'test', claimedActor: null, address: null });
  const release = { reason: 'right now' };
  const runs = await Promise.all([1, 2].map(() => releaseAll(stuckOrders, audited, release, systemClock)));
  expect(runs[0]! + runs[1]!).toBe(ids.length);
  expect(await stuckOrders.list(1)).toEqual([]);
  await waitFor(() => woken().has('ws'));
  const stored = await db.collection('orders').findOne({ workspaceId: 'ws' });
  expect(stored).toMatchObject({ status: 'PENDING' });
  expect(Object.keys(stored ?? {})).not.toEqual(expect.arrayContaining(['fault']));
  expect(Object.keys(stored ?? {})).not.toEqual(expect.arrayContaining(['stuckSince']));
});
