import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openQueueInspection, type QueueInspection } from '../../src/queue/inspection.ts';
import { startPartitionConsumer, type PartitionConsumer } from '../../src/queue/partition-consumer.ts';
import { createPostingQueues, type PostingQueues } from '../../src/queue/queue.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { createPostedWrites, type WritePosted } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPoster } from '../support/test-poster.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const { client, db } = testDatabase();
const log = pino({ enabled: false });
const opened = openCollections(db);
const sessions = openPostingSessions(client, 2);
const redis = new Redis(url, { maxRetriesPerRequest: null });

/** A server that does not answer until it is let: the first thing asked of it, and all that is asked later. */
function createGate() {
  let isOpen = true;
  let waiting: (() => void)[] = [];
  return {
    shut: () => void (isOpen = false),
    open(): void {
      isOpen = true;
      for (const letIn of waiting.splice(0)) letIn();
    },
    count: () => waiting.length,
    pass: async (): Promise<void> => {
      if (isOpen) return;
      await new Promise<void>((resolve) => (waiting = [...waiting, resolve]));
    },
  };
}
const writing = createGate();
const reading = createGate();

let writePosted: WritePosted;
let prefix: string;
let consumers: PartitionConsumer[];
/** Jobs that the consumers have taken so far. */
let inHand: number;
let inspection: QueueInspection;
let queues: PostingQueues;
let wallets: string[];

beforeAll(async () => {
  await ensureSchema(db);
  const write = createPostedWrites(db, 'test');
  writePosted = async (...values) => {
    await writing.pass();
    return write(...values);
  };
});
afterAll(async () => {
  await sessions.end();
  redis.disconnect();
});
beforeEach(async () => {
  prefix = `stop-test-${Math.random()}`;
  consumers = [];
  inHand = 0;
  queues = createPostingQueues(redis, prefix, () => 1);
  inspection = openQueueInspection(redis, prefix);
  const create = async (name: string) => (await opened.wallets.create({ workspaceId: 'ws', name, currency: 'EUR' })).id;
  wallets = [await create('a'), await create('b'), await create('c')];
});
afterEach(async () => {
  for (const gate of [reading, writing]) gate.open();
  await Promise.all(consumers.map((consumer) => consumer.close()));
  await Promise.all([queues.close(), inspection.close()]);
});

function start(session = sessions.all[0]!): PartitionConsumer {
  const collections: Collections = {
    ...opened,
    orders: {
      ...opened.orders,
      async findPending(orders) {
        await reading.pass();
        return opened.orders.findPending(orders);
      },
    },
  };
  const poster = createTestPoster(collections, writePosted, [session]);
  const handler = {
    post: (...values: Parameters<typeof poster.post>) => {
      inHand += 1;
      return poster.post(...values);
    },
    requeue: () => {
      poster.requeue();
    },
  };
  const consumer = startPartitionConsumer(0, { redis, prefix, queues, isRedisThere: () => true }, handler, log);
  consumers.push(consumer);
  return consumer;
}

/** Records an order from the first wallet, and enqueues a job for it. */
async function send(target: number): Promise<string> {
  const [sourceWalletId, targetWalletId] = [wallets[0]!, wallets[target]!];
  const order = pendingOrder({ workspaceId: 'ws', sourceWalletId, targetWalletId, amount: '1', currency: 'EUR' });
  await opened.orders.insertBatch([order]);
  await queues.enqueue([{ workspaceId: 'ws', orderIds: [order.id] }]);
  return order.id;
}
const jobs = () => inspection.queueOf(0);
const statusOf = async (id: string) => (await opened.orders.find('ws', id))?.status;
const waitingIds = async () =>
  (await jobs().getWaiting(0, -1)).flatMap(({ data }) => data.batches.flatMap(({ orderIds }) => orderIds));

test('gives up what is not begun while the group that is goes on, and ends with it; others take that up', async () => {
  const consumer = start();
  writing.shut();
  const begun = await send(1);
  await waitFor(() => writing.count() === 1);
  const later = [await send(2), await send(1)];
  await waitFor(() => inHand === 3);

  const closing = consumer.close();
  await waitFor(async () => (await queues.load(0)).waitingJobs === 2);
  expect(await waitingIds()).toEqual(later);
  expect([await statusOf(begun), await jobs().getActiveCount()]).toEqual(['PENDING', 1]);
  writing.open();
  await closing;
  // Nothing is in its wallet: FAILED is terminal as well.
  expect(await Promise.all([begun, ...later].map(statusOf))).toEqual(['FAILED', 'PENDING', 'PENDING']);

  start(sessions.all[1]);
  await waitFor(async () => (await Promise.all(later.map(statusOf))).every((status) => status === 'FAILED'));
  const done = await waitFor(async () => {
    const all = await jobs().getCompleted();
    return all.length === 3 && all;
  });
  expect(done.map(({ attemptsMade }) => attemptsMade)).toEqual([1, 1, 1]);
});

test('gives up at once, in its order, what MongoDB does not even let it read', async () => {
  const orders = [await send(1), await send(2), await send(1)];
  expect(await waitingIds()).toEqual(orders);
  reading.shut();
  const consumer = start();
  await waitFor(() => reading.count() === 1 && inHand === 3);
  await consumer.close();
  expect(await waitingIds()).toEqual(orders);
  expect(await jobs().getActiveCount()).toBe(0);
});
