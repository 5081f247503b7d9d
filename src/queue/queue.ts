import { Queue, type Job } from 'bullmq';
import type { RedisClient } from '../redis/connection.ts';
import { partitionOf } from '../domain/partition.ts';
import type { WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { Audited } from '../storage/audit.ts';
import { UnsettledError } from '../storage/transaction.ts';

/** What a job carries: those orders of one accept flush, or of one sweep, that are in one partition. */
export interface PostingJobData {
  readonly batches: readonly WorkspaceOrders[];
  /** The traced requests that made them; absent where nothing is traced. */
  readonly causes?: readonly string[];
}

/** What a job leaves behind, to be seen in a dashboard. */
export interface PostingJobResult {
  readonly completed: number;
  readonly failed: number;
  /** Orders that another job had posted already, or that were set aside before: a doubled or repeated job. */
  readonly skipped: number;
  /** Orders that could not be posted for a reason of their own, too often: they wait for the operator. */
  readonly setAside: number;
}

export type PartitionQueue = Queue<PostingJobData, PostingJobResult, typeof jobName>;

export type PauseVerb = 'pause' | 'resume';

const jobName = 'post';
/** Finished jobs are kept for the dashboard only: the books are in MongoDB. Of each partition. */
const completedJobsKept = 200;
const failedJobsKept = 1_000;
const attemptsMax = 5;
const backoffMs = 500;

/** Else a queue that is opened while Redis is away fails for good: BullMQ asks for Redis's version once. */
export const openedWhileAway = { skipWaitingForReady: true, skipVersionCheck: true } as const;

/** The braces are a hash tag: of a Redis Cluster, all that belongs to a queue is in one slot. */
export function queueNameOf(partition: number): string {
  return `{posting-${partition}}`;
}

export type PostingQueues = ReturnType<typeof createPostingQueues>;

/** @param partitionCount as it is known now; asked with each call. */
export function createPostingQueues(redis: RedisClient, prefix: string, partitionCount: () => number) {
  const queues = createQueueCache(redis, prefix);
  return {
    /**
     * Wakes the owners of these orders' partitions, by one job each. A job may be lost, doubled or late without harm to
     * money: posting is a no-op for an order that is no longer PENDING, and what no job carries is swept. Throws where Redis
     * is away; some of the jobs may be there all the same.
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
     * How much a partition's owner has before it.
     * @returns `oldestJobAt`: when the oldest job that waits, or that is in hand, was enqueued; undefined where there is none.
     */
    async load(partition: number) {
      const queue = queues.get(partition);
      const [waitingJobs, jobs] = await Promise.all([
        queue.getWaitingCount(),
        // The first of each list; a job that ends in between is missing.
        queue.getJobs(['active', 'waiting'], 0, 0, true) as Promise<(Job | undefined)[]>,
      ]);
      const times = jobs.flatMap((job) => job?.timestamp ?? []);
      return { waitingJobs, oldestJobAt: times.length === 0 ? undefined : new Date(Math.min(...times)) };
    },
    /** Whether jobs wait for a partition's owner, which may take them: none does while the queue is paused. */
    async hasWaiting(partition: number): Promise<boolean> {
      const queue = queues.get(partition);
      return (await queue.getWaitingCount()) > 0 && !(await queue.isPaused());
    },
    close: () => queues.close(),
  };
}

/**
 * Pauses a partition's queue, or resumes it, with an event in the audit: what is begun is ended, and no more is begun.
 * Repeating it changes nothing. @throws UnsettledError where Redis does not say that it was done: it may have been.
 */
export async function pausePartition(
  queue: PartitionQueue,
  audited: Audited,
  { verb, ...subject }: { readonly verb: PauseVerb; readonly partition: number; readonly reason: string },
): Promise<void> {
  const change = { action: `partitions ${verb}`, workspaceId: null, subject };
  await audited(change, () =>
    queue[verb]().catch((cause: unknown) => {
      throw new UnsettledError(`Redis does not say whether partition ${subject.partition} was ${verb}d`, { cause });
    }),
  );
}

/** A queue of each partition that was asked for, all on one connection. */
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
    // Without a listener BullMQ prints each lost connection, in many lines; the connection's own log line says it, and who
    // enqueues gets the error.
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
