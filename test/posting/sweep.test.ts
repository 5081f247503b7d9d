import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import { partitionOf } from '../../src/domain/partition.ts';
import type { PostingQueues } from '../../src/queue/queue.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { auditedBy } from '../../src/storage/audited.ts';
import { releaseAll } from '../../src/ops/actions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { startSweeper } from '../../src/posting/sweep.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const log = pino({ level: 'silent' });
const partitionCount = 8;
/** In partitions 4, 7 and 1. */
const [ws, other, third] = ['ws_01', 'ws_02', 'ws_03'] as const;
const pageSize = 256;

/** What the sweeper finds in the queues, and what it puts there. */
let oldest: Map<number, Date>;
let waiting: Map<number, number>;
let enqueued: string[];
/** Of each call, the workspaces. */
let calls: string[][];
let looks: number;
/** A partition whose queue cannot be reached. */
let away: number | undefined;
let sweeper: ReturnType<typeof startSweeper> | undefined;

const queues: Pick<PostingQueues, 'enqueue' | 'load'> = {
  enqueue: (batches) => {
    enqueued.push(...batches.flatMap(({ orderIds }) => orderIds));
    calls.push(batches.map(({ workspaceId }) => workspaceId));
    for (const { workspaceId } of batches) {
      const partition = partitionOf(workspaceId, partitionCount);
      if (!oldest.has(partition)) oldest.set(partition, new Date());
    }
    return Promise.resolve();
  },
  load: (partition) => {
    looks += 1;
    if (partition === away) return Promise.reject(new Error('Connection is closed.'));
    return Promise.resolve({ waitingJobs: waiting.get(partition) ?? 0, oldestJobAt: oldest.get(partition) });
  },
};

beforeEach(async () => {
  await ensureSchema(db);
  await Promise.all([db.collection('orders').deleteMany({}), db.collection('leases').deleteMany({})]);
  [oldest, waiting] = [new Map<number, Date>(), new Map<number, number>()];
  [enqueued, calls, looks, sweeper, away] = [[], [], 0, undefined, undefined];
});
afterEach(() => sweeper?.close());

const start = () =>
  (sweeper = startSweeper(
    { collections, isSharded: false, queues, partitionCount: () => partitionCount, clock: systemClock, log },
    { leases: collections.leases, instanceId: 'test', mayWork: () => true },
    50,
  ));
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
let recorded = 0;

async function recordPending(
  createdAt: Date,
  workspaceId: string = ws,
  count = 1,
  started?: { executeAt: Date; updatedAt: Date },
): Promise<string[]> {
  // Ids of one millisecond, which only their ends tell apart.
  const values = { workspaceId, sourceWalletId: 'a', targetWalletId: 'b', amount: '1', currency: 'EUR' };
  const orders = Array.from({ length: count }, () => {
    const id = leastIdAt('order', createdAt).slice(0, -8) + String((recorded += 1)).padStart(8, '0');
    return { ...pendingOrder({ ...values, bizId: id }), id, createdAt, updatedAt: createdAt, ...started };
  });
  await collections.orders.insertBatch(orders);
  return orders.map(({ id }) => id);
}

/** A round looks at each partition that has something, once. */
async function rounds(count: number): Promise<void> {
  const until = looks + count;
  await waitFor(() => looks >= until);
}

describe('the sweeper', () => {
  test('enqueues what stayed PENDING for seconds and that no job carries, and nothing younger', async () => {
    const lost = await recordPending(ago(60));
    await recordPending(ago(1));
    start();
    await waitFor(() => enqueued.length > 0);
    expect(enqueued).toEqual(lost);
  });

  test('goes on with the others where the queue of one partition cannot be reached, however old its orders are', async () => {
    const [unreachable, reachable] = [
      await recordPending(ago(600), ws, pageSize + 1),
      await recordPending(ago(60), other),
    ];
    away = partitionOf(ws, partitionCount);
    start();
    await waitFor(() => enqueued.length > 0);
    expect(enqueued).toEqual(reachable);
    away = undefined;
    oldest.clear();
    await waitFor(() => unreachable.every((id) => enqueued.includes(id)));
  });

  test('leaves alone what a job may still carry: all that is younger than the oldest job of its partition', async () => {
    const lost = await recordPending(ago(50));
    await recordPending(ago(20));
    const elsewhere = await recordPending(ago(20), other);
    oldest.set(partitionOf(ws, partitionCount), ago(30));
    start();
    await rounds(4);
    expect(new Set(enqueued)).toEqual(new Set([...lost, ...elsewhere]));
  });

  test('does not enqueue again what its own job still carries, but does once that job is gone as well', async () => {
    const lost = await recordPending(ago(60));
    start();
    await waitFor(() => enqueued.length === 1);
    await rounds(2);
    expect(enqueued).toEqual(lost);
    oldest.clear();
    await waitFor(() => enqueued.length >= 2);
  });

  test('leaves an order that was just started to its own job, however long ago it was created', async () => {
    const executeAt = ago(3);
    const started = await recordPending(ago(600), ws, 2, { executeAt, updatedAt: executeAt });
    const lost = await recordPending(ago(700), ws, 2, { executeAt: ago(30), updatedAt: ago(29) });
    const plain = await recordPending(ago(650), ws);
    start();
    await waitFor(() => enqueued.length > 0);
    oldest.clear();
    await rounds(1);
    expect(new Set(enqueued)).toEqual(new Set([...lost, ...plain]));
    await db.collection('orders').updateMany({ executeAt }, { $set: { updatedAt: ago(6) } });
    oldest.clear();
    await waitFor(() => started.every((id) => enqueued.includes(id)));
  });

  test('leaves what was started since the oldest job of its partition to the jobs behind that one', async () => {
    await recordPending(ago(600), ws, 1, { executeAt: ago(20), updatedAt: ago(20) });
    const lost = await recordPending(ago(600), ws, 1, { executeAt: ago(40), updatedAt: ago(40) });
    oldest.set(partitionOf(ws, partitionCount), ago(30));
    start();
    await rounds(3);
    expect(new Set(enqueued)).toEqual(new Set(lost));
  });

  test('enqueues one page a round of a partition whose queue is full, and all of another', async () => {
    const flood = await recordPending(ago(50), ws, 3 * pageSize);
    const others = [...(await recordPending(ago(40), other)), ...(await recordPending(ago(40), third))];
    waiting.set(partitionOf(ws, partitionCount), 80);
    start();
    await waitFor(() => others.every((id) => enqueued.includes(id)));
    expect(enqueued.filter((id) => flood.includes(id))).toEqual(flood.slice(0, pageSize));
    expect(calls).toHaveLength(3);
  });

  test('serves a workspace whose orders are few before a second page of one that has many, whichever comes first', async () => {
    const many = [
      await recordPending(ago(600), ws, 3 * pageSize),
      await recordPending(ago(500), third, 2 * pageSize - 1),
    ];
    const [few] = await recordPending(ago(40), other);
    start();
    await waitFor(() => many.flat().every((id) => enqueued.includes(id)));
    const order = (id: string | undefined) => enqueued.indexOf(id!);
    expect(order(few)).toBeLessThan(order(many[0]![pageSize]));
    expect(order(many[1]![0])).toBeLessThan(order(many[0]![pageSize]));
    // Oldest first in each, and the two by turns.
    for (const ids of many) expect(enqueued.filter((id) => ids.includes(id))).toEqual(ids);
    expect(order(many[1]!.at(-1))).toBeLessThan(order(many[0]!.at(-1)));
  });

  test('goes on in its next round where a round ended among the workspaces', async () => {
    const workspaces = Array.from({ length: 42 }, (_, index) => `ws_1${String(index).padStart(2, '0')}`);
    for (const workspaceId of workspaces) await recordPending(ago(60), workspaceId, pageSize);
    const sent = new Set<string>();
    start();
    await waitFor(() => {
      for (const workspaceId of calls.flat()) sent.add(workspaceId);
      oldest.clear();
      return workspaces.every((workspaceId) => sent.has(workspaceId));
    });
  });

  test('finds what was set aside only once it is released, by several at once too', async () => {
    const ids = await recordPending(ago(60), ws, 30);
    const { stuckOrders } = collections;
    const faults = ids.map((orderId) => ({ orderId, workspaceId: ws, reason: 'odd' }));
    expect(await stuckOrders.recordFaults(faults, 1)).toEqual(new Set(ids));
    const [lost] = await recordPending(ago(50), other);
    start();
    await waitFor(() => enqueued.length > 0);
    expect(enqueued).toEqual([lost]);
    const audited = auditedBy(collections.auditEvents, { actor: 'test', claimedActor: null, address: null });
    const release = { reason: 'right now', countMax: Infinity };
    const runs = await Promise.all([1, 2].map(() => releaseAll(stuckOrders, audited, release, systemClock)));
    expect(runs[0]! + runs[1]!).toBe(ids.length);
    expect(await stuckOrders.list(1)).toEqual([]);
    await waitFor(() => ids.every((id) => enqueued.includes(id)));
    const stored = await db.collection('orders').findOne({ workspaceId: ws });
    expect(stored).toMatchObject({ status: 'PENDING' });
    expect(Object.keys(stored ?? {})).not.toEqual(expect.arrayContaining(['fault']));
    expect(Object.keys(stored ?? {})).not.toEqual(expect.arrayContaining(['stuckSince']));
  });
});
