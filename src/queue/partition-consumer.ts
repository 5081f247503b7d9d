import { WaitingError, Worker, type Processor } from 'bullmq';
import pTimeout from 'p-timeout';
import { batchLimits } from '../waiting/batcher.ts';
import { countOrders, type WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
import { inSpan } from '../tracing.ts';
import { startConsumer } from './consumer.ts';
import { readPostingJob, type PostingJobData } from './job-data.ts';
import { queueNameOf, type PostingJobResult, type PostingQueues, type QueueLocation } from './queue.ts';

/**
 * Jobs and orders of a partition in hand at once, give or take one job's orders. It is more than one workspace may have
 * waiting, so that the jobs of others behind them are seen, and the poster can serve the workspaces one after the other.
 */
const jobsInHandMax = 1_024;
const ordersInHandMax = 32_768;
/** The most orders of one job. BullMQ takes as many jobs as it may before the first one says how many orders it carries. */
const ordersPerJobMax = batchLimits.sizeMax;
/** How often a stalled job is run again by others. What becomes of its orders never depends on this. */
const stalledCountMax = 10;
/** The longest wait for Redis, after the last job has ended, where Redis has not answered for seconds. */
const partingWithoutRedisMaxMs = 100;
const usualLimits = {
  /** After this long the jobs of a dead owner go to the next one. A lease lasts as long. */
  lockDurationMs: 4_000,
  stalledIntervalMs: 1_000,
  /**
   * An empty queue is looked at again after this long, because Redis may have woken a connection that was lost. A lease lasts
   * longer, so that no owner is woken that has a successor already.
   */
  waitMaxMs: 2_000,
  /** The pause between looks whether jobs wait and none is taken. */
  lookEveryMs: 5_000,
  /** The longest wait, after the last job has ended, until Redis knows it and the connections are closed. */
  partingMaxMs: 3_000,
};

export type PartitionConsumer = ReturnType<typeof startPartitionConsumer>;

/** What becomes of the jobs' orders. */
export interface JobHandler {
  /**
   * @param signal aborts when the consumer closes.
   * @returns 'requeued' if the next owner is to post some of the orders. The job is then the first that it takes.
   */
  post(batches: readonly WorkspaceOrders[], signal: AbortSignal): Promise<PostingJobResult | 'requeued'>;
  /** Gives up the orders whose signal is aborted and that are in no group yet. The others are posted. */
  requeue(): void;
}

/** Where jobs are taken from. */
interface JobSource extends QueueLocation {
  /** On a connection of their own. */
  readonly queues: Pick<PostingQueues, 'hasWaiting'>;
  /** Whether Redis has answered lately. Otherwise closing hardly waits for it. */
  readonly isRedisThere: () => boolean;
}

/**
 * Takes jobs from a partition's queue, several at once, and hands each one's orders to `handler`. A job whose owner dies
 * goes to the next owner. A job that fails in `handler` is tried again with backoff. One that `handler` gives up is the
 * next to be taken, with all its attempts left. If Redis is away, closing waits only briefly: jobs whose end Redis does not
 * know stall, and are run again. Source: BullMQ documentation, "Workers", "Stalled", "Manual retrying".
 */
export function startPartitionConsumer(
  partition: number,
  source: JobSource,
  handler: JobHandler,
  log: Logger,
  differentLimits: Partial<typeof usualLimits> = {},
) {
  const limits = { ...usualLimits, ...differentLimits };
  const closing = new AbortController();
  const inHand = { jobs: 0, orders: 0 };
  const posting = new Set<Promise<unknown>>();
  function count(jobs: number, orders: number): void {
    inHand.jobs += jobs;
    inHand.orders += orders;
    const room = Math.ceil((ordersInHandMax - inHand.orders) / ordersPerJobMax);
    consumer.setConcurrency(Math.max(1, Math.min(jobsInHandMax, inHand.jobs + room)));
  }

  const takeJob: Processor<PostingJobData, PostingJobResult> = async (job, token) => {
    const { batches, causes = [] } = readPostingJob(job.data);
    const orders = countOrders(batches);
    count(1, orders);
    try {
      const span = { kind: 'consumer', causes, attributes: { orders } } as const;
      const posted = inSpan('post job', span, () => handler.post(batches, closing.signal));
      posting.add(posted);
      const result = await posted.finally(() => posting.delete(posted));
      if (result !== 'requeued') return result;
      await job.moveToWait(token);
      throw new WaitingError();
    } finally {
      count(-1, -orders);
    }
  };
  const consumer = startConsumer(
    (process: typeof takeJob) => openWorker(partition, source, process, limits, log),
    takeJob,
    () => source.queues.hasWaiting(partition),
    limits.lookEveryMs,
    () => {
      log.warn({ partition }, 'jobs wait and none is taken: the consumer is replaced');
    },
  );
  return {
    /** Takes no more jobs, gives up orders that are not begun, and resolves once the rest has ended. */
    async close(): Promise<void> {
      closing.abort();
      const closed = consumer.close();
      handler.requeue();
      await Promise.allSettled(posting);
      // BullMQ may wait for Redis without end. Its worker takes no more jobs, even once Redis is back.
      await pTimeout(closed, {
        milliseconds: source.isRedisThere() ? limits.partingMaxMs : partingWithoutRedisMaxMs,
        fallback: () => {
          const what = 'Redis does not say what became of the jobs in hand; that is left to the next owner';
          log.warn({ server: 'redis', partition }, what);
        },
      });
    },
  };
}

function openWorker(
  partition: number,
  { redis, prefix }: QueueLocation,
  takeJob: Processor<PostingJobData, PostingJobResult>,
  { lockDurationMs, stalledIntervalMs, waitMaxMs }: typeof usualLimits,
  log: Logger,
): Worker<PostingJobData, PostingJobResult> {
  const worker = new Worker<PostingJobData, PostingJobResult>(queueNameOf(partition), takeJob, {
    connection: redis,
    prefix,
    concurrency: ordersInHandMax / ordersPerJobMax,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    drainDelay: waitMaxMs / 1_000,
    maxStalledCount: stalledCountMax,
    // It asks INFO, which a Redis user without dangerous commands may not.
    skipVersionCheck: true,
  });
  worker.on('error', (error) => {
    log.warn({ server: 'redis', reason: error.message, partition }, 'the consumer of a partition met an error');
  });
  worker.on('failed', (job, error) => {
    log.debug({ jobId: job?.id, partition, attempt: job?.attemptsMade, reason: error.message }, 'posting job failed');
  });
  worker.on('stalled', (jobId) => {
    log.warn({ jobId, partition }, 'posting job stalled; it is run again');
  });
  return worker;
}
