import { WaitingError, Worker, type Processor } from 'bullmq';
import pTimeout from 'p-timeout';
import { batchLimits } from '../batcher.ts';
import type { RedisClient } from '../redis/connection.ts';
import { countOrders, type WorkspaceOrders } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
import { inSpan } from '../tracing.ts';
import { watchConsumer } from './consumer-watch.ts';
import { queueNameOf, type PostingJobData, type PostingJobResult, type PostingQueues } from './queue.ts';

/**
 * Jobs and orders of a partition in hand at once, give or take a job's orders: more than one workspace may have waiting, so
 * that another's jobs are seen behind them, and the poster can serve the workspaces one after the other.
 */
const jobsInHandMax = 1_024;
const ordersInHandMax = 32_768;
/** BullMQ takes on all the jobs that it may before the first of them says how many orders it carries. */
const ordersPerJobMax = batchLimits.sizeMax;
/** An owner that dies leaves its jobs to the next one after this long, which is how long its lease lasts. */
const lockDurationMs = 4_000;
const stalledIntervalMs = 1_000;
/**
 * An empty queue is looked at again after this long: Redis may have woken a connection that was lost. Less than a lease
 * lasts, so that it wakes no owner that was followed by another.
 */
const waitMaxSeconds = 2;
/** Stalled jobs are run again by others; an order's own fate never depends on this count. */
const stalledCountMax = 10;
/** From the end of what was begun until Redis knows of it, and its connections are closed. */
const partingMaxMs = 3_000;

export type PartitionConsumer = ReturnType<typeof startPartitionConsumer>;

/** What becomes of the jobs' orders. */
export interface JobHandler {
  /**
   * @param signal aborts where the consumer closes.
   * @returns 'requeued' where the next owner is to post some of them: the job is then the first that it takes.
   */
  post(batches: readonly WorkspaceOrders[], signal: AbortSignal): Promise<PostingJobResult | 'requeued'>;
  /** Gives up what is not begun of those orders whose signal is aborted; what is begun is ended. */
  requeue(): void;
}

interface PartitionConsumerTools {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly log: Logger;
  readonly handler: JobHandler;
  readonly queues: Pick<PostingQueues, 'hasWaiting'>;
}

/**
 * Takes jobs from a partition's queue, several at once, and hands each one's orders to `handler`. A job whose owner dies is
 * given to the next one; a job that `handler` fails is tried again with backoff; one that it gives up is the next that is
 * taken, with all its attempts. Where Redis is away, closing does not wait for it: what it has not been told stalls, and is
 * run again. Source: BullMQ documentation, "Workers", "Stalled", "Manual retrying".
 */
export function startPartitionConsumer(tools: PartitionConsumerTools, partition: number) {
  const { log, handler, queues } = tools;
  const closing = new AbortController();
  const inHand = { jobs: 0, orders: 0 };
  let begun = 0;
  const posting = new Set<Promise<unknown>>();
  /** Source: BullMQ documentation, "Concurrency": it may change while the worker runs. */
  function count(jobs: number, orders: number): void {
    inHand.jobs += jobs;
    inHand.orders += orders;
    const room = Math.ceil((ordersInHandMax - inHand.orders) / ordersPerJobMax);
    worker.concurrency = Math.max(1, Math.min(jobsInHandMax, inHand.jobs + room));
  }

  const takeJob: Processor<PostingJobData, PostingJobResult> = async (job, token) => {
    const { batches, causes = [] } = job.data;
    const orders = countOrders(batches);
    begun += 1;
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
  let worker = openWorker(tools, partition, takeJob);

  const watch = watchConsumer({
    begun: () => begun,
    inHand: () => inHand.jobs,
    hasWaiting: () => queues.hasWaiting(partition),
    replace: () => {
      log.warn({ partition }, 'jobs wait and none is taken: the consumer is replaced');
      void worker.close(true).catch(() => undefined);
      worker = openWorker(tools, partition, takeJob);
    },
  });
  return {
    /** Takes no more jobs, gives up what is not begun, and resolves once the rest has ended. */
    async close(): Promise<void> {
      closing.abort();
      void watch.close();
      const closed = worker.close();
      handler.requeue();
      await Promise.allSettled(posting);
      // BullMQ may wait for Redis without end. Its worker takes no job any more, also once Redis is back.
      await pTimeout(closed, {
        milliseconds: partingMaxMs,
        fallback: () => {
          log.warn({ partition }, 'Redis is away: what becomes of the jobs in hand is left to the next owner');
        },
      });
    },
  };
}

function openWorker(
  { redis, prefix, log }: PartitionConsumerTools,
  partition: number,
  takeJob: Processor<PostingJobData, PostingJobResult>,
): Worker<PostingJobData, PostingJobResult> {
  const worker = new Worker<PostingJobData, PostingJobResult>(queueNameOf(partition), takeJob, {
    connection: redis,
    prefix,
    concurrency: ordersInHandMax / ordersPerJobMax,
    lockDuration: lockDurationMs,
    stalledInterval: stalledIntervalMs,
    drainDelay: waitMaxSeconds,
    maxStalledCount: stalledCountMax,
  });
  worker.on('error', (error) => {
    log.warn({ reason: error.message, partition }, 'queue connection failed');
  });
  worker.on('failed', (job, error) => {
    log.debug({ jobId: job?.id, partition, attempt: job?.attemptsMade, reason: error.message }, 'posting job failed');
  });
  worker.on('stalled', (jobId) => {
    log.warn({ jobId, partition }, 'posting job stalled; it is run again');
  });
  return worker;
}
