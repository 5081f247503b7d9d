import { Queue, type Job } from 'bullmq';
import type { RedisClient } from '../redis/connection.ts';
import { partitionOf } from '../domain/partition.ts';
import type { WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { PostingJobData } from './job-data.ts';

/** What a job leaves behind, to be seen in a dashboard. */
export interface PostingJobResult {
  readonly completed: number;
  readonly failed: number;
  /** Orders that another job had posted already, or that were set aside before: the job was doubled or repeated. */
  readonly skipped: number;
  /** Orders that too often could not be posted for a reason of their own, and now wait for the operator. */
  readonly setAside: number;
}

/** Where an installation's queues are. */
export interface QueueLocation {
  readonly redis: RedisClient;
  readonly prefix: string;
}

export type PartitionQueue = Queue<PostingJobData, PostingJobResult, typeof jobName>;

const jobName = 'post';
/** For each partition. Finished jobs are kept for the dashboard only, because the books are in MongoDB. */
const completedJobsKept = 200;
const failedJobsKept = 1_000;
const attemptsMax = 5;
const backoffMs = 500;

/** Without these a queue opened while Redis is away fails for good, because BullMQ asks for Redis's version only once. */
export const openedWhileAway = { skipWaitingForReady: true, skipVersionCheck: true } as const;

/** The braces are a hash tag, so that all keys of a queue are in one slot of a Redis Cluster. */
export function queueNameOf(partition: number): string {
  return `{posting-${partition}}`;
}

export type PostingQueues = ReturnType<typeof createPostingQueues>;

/** @param partitionCount returns the number as it is known now; called anew for each use. */
export function createPostingQueues(redis: RedisClient, prefix: string, partitionCount: () => number) {
  const queues = createQueueCache(redis, prefix);
  return {
    /**
     * Wakes the owners of these orders' partitions, with one job for each. A job may be lost, doubled or late without harm to
     * money: posting is a no-op for an order that is no longer PENDING, and an order without a job is swept. Throws if Redis
     * is away; some of the jobs may have been added all the same.
     */
    async enqueue(batches: readonly WorkspaceOrders[], causes: readonly string[] = []): Promise<void> {
      const count = partitionCount();
      const byPartition = Map.groupBy(batches, ({ workspaceId }) => partitionOf(workspaceId, count));
      const add = ([partition, ofPartition]: [number, WorkspaceOrders[]]) =>
        queues
          .get(partition)
          .add(jobName, causes.length === 0 ? { batches: ofPartition } : { batches: ofPartition, causes });
      await Promise.all([...byPartition].map(add));
    },
    /**
     * How much work a partition's owner has.
     * @returns `oldestJobAt`: when the oldest job that waits or is in hand was enqueued; undefined if there is none.
     */
    async load(partition: number) {
      const queue = queues.get(partition);
      const [waitingJobs, jobs] = await Promise.all([
        queue.getWaitingCount(),
        // The first job of each list. A job that ends during the call is missing.
        queue.getJobs(['active', 'waiting'], 0, 0, true) as Promise<(Job | undefined)[]>,
      ]);
      const times = jobs.flatMap((job) => job?.timestamp ?? []);
      return { waitingJobs, oldestJobAt: times.length === 0 ? undefined : new Date(Math.min(...times)) };
    },
    /** Whether jobs wait that a partition's owner may take. */
    async hasWaiting(partition: number): Promise<boolean> {
      return (await queues.get(partition).getWaitingCount()) > 0;
    },
    close: () => queues.close(),
  };
}

/** Opens a partition's queue when it is first asked for, and keeps it; all on one connection. */
export function createQueueCache(redis: RedisClient, prefix: string) {
  const queues = new Map<number, PartitionQueue>();
  const open = (partition: number): PartitionQueue => {
    const queue: PartitionQueue = new Queue(queueNameOf(partition), {
      connection: redis,
      prefix,
      ...openedWhileAway,
      defaultJobOptions: {
        attempts: attemptsMax,
        backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
        removeOnComplete: { count: completedJobsKept },
        removeOnFail: { count: failedJobsKept },
      },
    });
    // Without a listener BullMQ prints each lost connection in many lines. The connection's own log line says it already,
    // and a caller that enqueues gets the error.
    queue.on('error', () => undefined);
    queues.set(partition, queue);
    return queue;
  };
  return {
    get: (partition: number): PartitionQueue => queues.get(partition) ?? open(partition),
    close: async (): Promise<void> => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
