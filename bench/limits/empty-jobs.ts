import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Measured } from '../measure/measured.ts';
import { forkProcess } from '../servers/forked.ts';
import type { Stage } from '../servers/stage.ts';

export const emptyQueueName = 'empty';

const jobCount = 10_000;
const jobsPerCall = 500;
const concurrency = 32;

/** Jobs a second that BullMQ brings to one worker process which has nothing to do. */
export async function measureEmptyJobs(stage: Stage): Promise<Measured> {
  const env = { ...stage.env, BENCH_CONCURRENCY: String(concurrency), BENCH_JOBS: String(jobCount) };
  const worker = forkProcess('limits/empty-worker.ts', env);
  const redis = new Redis(stage.servers.redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue(emptyQueueName, { connection: redis, prefix: stage.prefix });
  try {
    await worker.next();
    const startedAt = performance.now();
    for (let at = 0; at < jobCount; at += jobsPerCall) {
      await queue.addBulk(
        Array.from({ length: jobsPerCall }, () => ({ name: 'empty', data: {}, opts: { removeOnComplete: true } })),
      );
    }
    await worker.next();
    const seconds = (performance.now() - startedAt) / 1000;
    return { done: jobCount, recorded: 0, seconds, perSecond: jobCount / seconds, cpuMicros: {} };
  } finally {
    await queue.close();
    redis.disconnect();
    await worker.stop();
  }
}
