import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { RecordedOrder } from '../../src/storage/orders.ts';
import type { Stage } from '../servers/stage.ts';

/** A job and the queue that it belongs into. */
export interface QueueJob {
  readonly queue: string;
  readonly data: object;
}

const insertGroupSize = 256;
const jobsPerCall = 500;
const jobOptions = { removeOnComplete: { count: 1_000 }, attempts: 5 } as const;

/** Records PENDING orders as the web process does, in groups. */
export async function record({ world }: Stage, orders: readonly RecordedOrder[]): Promise<void> {
  for (let at = 0; at < orders.length; at += insertGroupSize) {
    await world.collections.orders.insertGroup(orders.slice(at, at + insertGroupSize));
  }
}

/** Puts jobs into their queues, those of a queue in their order. */
export async function enqueue({ servers, prefix }: Stage, jobs: readonly QueueJob[]): Promise<void> {
  const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: null });
  try {
    for (const [name, ofQueue] of Map.groupBy(jobs, ({ queue }) => queue)) {
      const queue = new Queue(name, { connection: redis, prefix });
      const added = ofQueue.map(({ data }) => ({ name: 'post', data, opts: jobOptions }));
      for (let at = 0; at < added.length; at += jobsPerCall) await queue.addBulk(added.slice(at, at + jobsPerCall));
      await queue.close();
    }
  } finally {
    redis.disconnect();
  }
}
