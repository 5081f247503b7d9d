import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createPostingQueue } from '../../src/queue/posting-queue.ts';
import type { Order } from '../../src/orders/order.ts';
import type { Stage } from '../servers/stage.ts';

const insertBatchSize = 256;
const jobsPerCall = 500;
const jobOptions = { removeOnComplete: { count: 1_000 }, attempts: 5 } as const;

/** Records PENDING orders as the web process does, in groups. */
export async function record({ world }: Stage, orders: readonly Order[]): Promise<void> {
  for (let at = 0; at < orders.length; at += insertBatchSize) {
    await world.collections.orders.insertBatch(orders.slice(at, at + insertBatchSize));
  }
}

/** Wakes the product's workers, as the web process does for the orders of a flush. */
export function wake(stage: Stage, orders: readonly Order[]): Promise<void> {
  return withRedis(stage, async (redis) => {
    const queue = createPostingQueue(redis, stage.prefix);
    await queue.wake(orders);
    await queue.close();
  });
}

/** The worker that posts each bucket, or did so last. */
export async function holdersOf(stage: Stage, count: number): Promise<(string | undefined)[]> {
  const redis = new Redis(stage.servers.redisUrl);
  const queue = createPostingQueue(redis, stage.prefix);
  const holders = await Promise.all(Array.from({ length: count }, (_, bucket) => queue.holderOf(bucket)));
  await queue.close();
  redis.disconnect();
  return holders.map((holder) => holder?.instanceId);
}

/** Puts a job for each order into a queue, in their order. */
export function addJobs(stage: Stage, queueName: string, orders: readonly Order[]): Promise<void> {
  return withRedis(stage, async (connection) => {
    const queue = new Queue(queueName, { connection, prefix: stage.prefix });
    const jobs = orders.map(({ id: orderId }) => ({ name: 'post', data: { orderId }, opts: jobOptions }));
    for (let at = 0; at < jobs.length; at += jobsPerCall) await queue.addBulk(jobs.slice(at, at + jobsPerCall));
    await queue.close();
  });
}

async function withRedis({ servers }: Stage, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: null });
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}
