import { Queue } from 'bullmq';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Money } from '../../src/domain/money.ts';
import { createPostingQueue, queueName } from '../../src/queue/queue.ts';
import type { PostingQueue } from '../../src/queue/queue.ts';
import { openCollections } from '../../src/storage/collections.ts';
import type { Collections } from '../../src/storage/collections.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { startService } from '../support/service.ts';
import type { RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const prefix = 'transfers';
const ordersPerJob = 256;
/** More than one worker takes in hand. */
const jobsAtFirst = 40;
const jobsMax = 400;
const postedMaxMs = 120_000;

let service: RunningService;
let workspace: TestWorkspace;
let mongodb: MongoClient;
let redis: Redis;
let collections: Collections;
let queue: PostingQueue;
let jobs: Queue;

beforeAll(async () => {
  service = await startService({ workers: 2, env: { QUEUE_PREFIX: prefix } });
  workspace = await createWorkspace(service);
  mongodb = new MongoClient(service.mongodbUri);
  redis = new Redis(service.redisUrl, { maxRetriesPerRequest: null });
  collections = openCollections(mongodb.db());
  queue = createPostingQueue(redis, prefix);
  jobs = new Queue(queueName, { connection: redis, prefix });
});
afterAll(async () => {
  await Promise.all([queue.close(), jobs.close(), mongodb.close()]);
  redis.disconnect();
  await service.stop();
});

/** Records the orders of one job, of 0.01 each, and enqueues it. */
async function enqueueJob(sourceWalletId: string, targetWalletId: string): Promise<void> {
  const { workspaceId } = workspace;
  const values = { workspaceId, sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' };
  const orders = Array.from({ length: ordersPerJob }, () => pendingOrder(values));
  await collections.orders.insertGroup(orders);
  await queue.enqueue(orders.map(({ id }) => id));
}

it('of two workers on the same wallets one leaves its jobs to the other, and every order is posted once', async () => {
  const [source, target] = [await workspace.wallet('10000'), await workspace.wallet()];
  let enqueued = 0;
  const enqueueOne = async () => {
    await enqueueJob(source, target);
    enqueued += 1;
  };
  for (let job = 0; job < jobsAtFirst; job += 1) await enqueueOne();
  const hasRetreated = (): boolean => service.logs.some((line) => line.includes('leaving it the jobs'));
  while (!hasRetreated() && enqueued < jobsMax) await enqueueOne();
  expect(hasRetreated()).toBe(true);

  const isPosted = async () => (await mongodb.db().collection('orders').countDocuments({ status: 'PENDING' })) === 0;
  await waitFor(isPosted, { timeoutMs: postedMaxMs });
  const completed = await jobs.getCompleted();
  // A job that is handed back starts twice, and is not given up for it.
  const isHandedBack = (job: Job): boolean =>
    job.attemptsStarted > 1 && job.attemptsMade === 1 && job.stalledCounter === 0;
  expect(completed.filter(isHandedBack).length).toBeGreaterThan(0);
  expect(await jobs.getFailedCount()).toBe(0);
  const { envelope } = await workspace.client.request<{ balance: string }>('GET', `/api/v1/wallets/${target}/balance`);
  expect(envelope?.data.balance).toBe(new Money('0.01').times(enqueued * ordersPerJob).toFixed(2));
  await service.admin('verify');
});
