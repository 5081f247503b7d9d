import { Queue } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';

/** What a job carries: the ids of the orders of one accept flush, or of one sweep round. */
export interface PostingJobData {
  readonly orderIds: readonly string[];
  /** The traced requests that made them; absent where nothing is traced. */
  readonly causes?: readonly string[];
}

/** What a job leaves behind, to be seen in a dashboard. */
export interface PostingJobResult {
  readonly completed: number;
  readonly failed: number;
  /** Orders that another job had posted already, or that were set aside before: a doubled or repeated job. */
  readonly passedOver: number;
  /** Orders that could not be posted for a reason of their own, too often: they wait for the operator. */
  readonly setAside: number;
}

export const queueName = 'transfers';
const jobName = 'post';

/** Finished jobs are kept for the dashboard only: the books are in MongoDB. */
const completedJobsKept = 1_000;
const failedJobsKept = 5_000;
const attemptsMax = 5;
const backoffMs = 500;

export interface PostingQueue {
  /**
   * Wakes a worker for these orders. A job may be lost, doubled or late without harm to money: posting is a no-op for an
   * order that is no longer PENDING, and what no job carries is swept. Throws where Redis is away.
   */
  enqueue(orderIds: readonly string[], causes?: readonly string[]): Promise<void>;
  /** How many jobs wait for a worker. */
  waitingCount(): Promise<number>;
  /** When the oldest job that waits, or that a worker has in hand, was enqueued; undefined where there is none. */
  oldestJobAt(): Promise<Date | undefined>;
  close(): Promise<void>;
}

export function createPostingQueue(redis: Redis, prefix: string): PostingQueue {
  const queue = new Queue<PostingJobData, PostingJobResult, typeof jobName>(queueName, {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
    defaultJobOptions: {
      attempts: attemptsMax,
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
      removeOnComplete: { count: completedJobsKept },
      removeOnFail: { count: failedJobsKept },
    },
  });
  // Without a listener BullMQ prints each lost connection, in many lines; the connection's own log line says it, and who
  // enqueues gets the error.
  queue.on('error', () => undefined);
  return {
    enqueue: async (orderIds, causes = []) => {
      const data = causes.length === 0 ? { orderIds } : { orderIds, causes };
      if (orderIds.length > 0) await queue.add(jobName, data);
    },
    waitingCount: () => queue.getWaitingCount(),
    oldestJobAt: async () => {
      // The first of each list; a job that ends in between is missing.
      const jobs = (await queue.getJobs(['active', 'waiting'], 0, 0, true)) as (Job | undefined)[];
      const times = jobs.flatMap((job) => job?.timestamp ?? []);
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
    close: () => queue.close(),
  };
}
