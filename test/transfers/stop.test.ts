import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { createPostingQueue, queueName } from '../../src/queue/queue.ts';
import { startPostingWorker } from '../../src/queue/worker.ts';
import type { PostingWorker } from '../../src/queue/worker.ts';
import { openCollections } from '../../src/storage/collections.ts';
import type { Collections } from '../../src/storage/collections.ts';
import { createPostedWrites } from '../../src/storage/postedWrites.ts';
import { openPostingSessions } from '../../src/storage/postingSessions.ts';
import type { WritePosted } from '../../src/storage/postedWrites.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { createPoster } from '../../src/transfers/post.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
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
let workers: PostingWorker[];
/** Jobs that the workers have taken so far. */
let inHand: number;
/** The queue, as a dashboard sees it. */
let jobs: Queue;
let queue: ReturnType<typeof createPostingQueue>;
let wallets: string[];

beforeAll(async () => {
  await ensureSchema(db);
  const write = createPostedWrites(db);
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
  workers = [];
  inHand = 0;
  queue = createPostingQueue(redis, prefix);
  jobs = new Queue(queueName, { connection: redis, prefix });
  const create = async (name: string) => (await opened.wallets.create({ workspaceId: 'ws', name, currency: 'EUR' })).id;
  wallets = [await create('a'), await create('b'), await create('c')];
});
afterEach(async () => {
  for (const gate of [reading, writing]) gate.open();
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all([queue.close(), jobs.close()]);
});

function start(session = sessions.lanes[0]!): PostingWorker {
  const collections: Collections = {
    ...opened,
    orders: {
      ...opened.orders,
      async findPending(ids) {
        await reading.pass();
        return opened.orders.findPending(ids);
      },
    },
  };
  const poster = createPoster({
    ...{ sessions: [session], collections, writePosted, holder: 'test', log },
    ...{ currencies: createCurrencies(new Map()), onPosted: () => undefined },
    onHung: (what) => {
      throw new Error(what);
    },
  });
  const worker = startPostingWorker(redis, prefix, log, {
    post: (orderIds) => {
      inHand += 1;
      return poster.post(orderIds);
    },
    handBack: () => {
      poster.setHandingBack(true);
    },
  });
  workers.push(worker);
  return worker;
}

/** Records an order from the first wallet, and enqueues a job for it. */
async function send(target: number): Promise<string> {
  const [sourceWalletId, targetWalletId] = [wallets[0]!, wallets[target]!];
  const order = pendingOrder({ workspaceId: 'ws', sourceWalletId, targetWalletId, amount: '1', currency: 'EUR' });
  await opened.orders.insertGroup([order]);
  await queue.enqueue([order.id]);
  return order.id;
}
const statusOf = async (id: string) => (await opened.orders.find('ws', id))?.status;
const waitingIds = async () =>
  (await jobs.getWaiting(0, -1)).map(({ data }) => (data as { orderIds: string[] }).orderIds).flat();

test('hands back what is not begun while the group that is goes on, and ends with it; others take that up', async () => {
  const worker = start();
  writing.shut();
  const begun = await send(1);
  await waitFor(() => writing.count() === 1);
  const later = [await send(2), await send(1)];
  await waitFor(() => inHand === 3);

  const closing = worker.close();
  await waitFor(async () => (await queue.waitingCount()) === 2);
  expect(await waitingIds()).toEqual(later);
  expect([await statusOf(begun), await jobs.getActiveCount()]).toEqual(['PENDING', 1]);
  writing.open();
  await closing;
  // Nothing is in its wallet: FAILED is terminal as well.
  expect(await Promise.all([begun, ...later].map(statusOf))).toEqual(['FAILED', 'PENDING', 'PENDING']);

  start(sessions.lanes[1]);
  await waitFor(async () => (await Promise.all(later.map(statusOf))).every((status) => status === 'FAILED'));
  const done = await waitFor(async () => {
    const all = await jobs.getCompleted();
    return all.length === 3 && all;
  });
  expect(done.map(({ attemptsMade }) => attemptsMade)).toEqual([1, 1, 1]);
});

test('hands back at once, in its order, what MongoDB does not even let it read', async () => {
  const orders = [await send(1), await send(2), await send(1)];
  expect(await waitingIds()).toEqual(orders);
  reading.shut();
  const worker = start();
  await waitFor(() => reading.count() === 1 && inHand === 3);
  await worker.close();
  expect(await waitingIds()).toEqual(orders);
  expect(await jobs.getActiveCount()).toBe(0);
});
