import { Queue } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { queueName } from './queue.ts';
import type { PostingJobData, PostingJobResult } from './queue.ts';

export type PostingJob = Job<PostingJobData, PostingJobResult>;
export type QueueCounts = Readonly<Record<(typeof countedStates)[number], number>>;

/** The posting queue, for those who look at it: on a connection of its own, so that looking never delays the service. */
export interface QueueInspection {
  /** For a dashboard. */
  readonly queue: Queue<PostingJobData, PostingJobResult>;
  counts(): Promise<QueueCounts>;
  /**
   * Jobs that carry an order, oldest first, among those kept: what waits or runs now, the latest failures, and what ended
   * between `from` and `to`. Bounded; a finished job is kept only until newer ones have pushed it out.
   */
  jobsOf(orderId: string, from: Date, to: Date): Promise<PostingJob[]>;
  close(): Promise<void>;
}

const countedStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;
const jobsPerStateMax = 100;

export function openQueueInspection(redis: Redis, prefix: string): QueueInspection {
  const queue = new Queue<PostingJobData, PostingJobResult>(queueName, {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
  });
  // Without a listener a lost connection would end the process; who asks meanwhile gets the error.
  queue.on('error', () => undefined);

  async function endedBetween(from: Date, to: Date): Promise<(PostingJob | undefined)[]> {
    const range = [from.getTime(), to.getTime(), 'LIMIT', 0, jobsPerStateMax] as const;
    const ids = await redis.zrangebyscore(queue.toKey('completed'), ...range);
    return Promise.all(ids.map((id) => queue.getJob(id)));
  }

  return {
    queue,
    async counts() {
      const counts = await queue.getJobCounts(...countedStates);
      return Object.fromEntries(countedStates.map((state) => [state, counts[state] ?? 0])) as QueueCounts;
    },
    async jobsOf(orderId, from, to) {
      const found = await Promise.all([
        queue.getJobs(['active', 'waiting', 'delayed', 'failed'], 0, jobsPerStateMax - 1),
        endedBetween(from, to),
      ]);
      return found
        .flat()
        .filter((job) => job !== undefined)
        .filter(({ data }) => data.orderIds.includes(orderId))
        .sort((a, b) => a.timestamp - b.timestamp);
    },
    close: () => queue.close(),
  };
}
