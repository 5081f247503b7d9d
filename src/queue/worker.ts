import { WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { inSpan } from '../tracing.ts';
import { queueName } from './queue.ts';
import type { PostingJobData, PostingJobResult } from './queue.ts';

/** Jobs in hand at once; the poster merges what they carry into few transactions. */
const jobsInHandMax = 32;
/** Orders of those jobs, give or take a job's: enough for several full groups, and little for others to wait for. */
const ordersInHandMax = 4_096;
/** BullMQ takes on all the jobs that it may before the first of them says how many orders it carries. */
const ordersPerJobMax = 256;
/** A worker that dies gives its jobs to the others after this long. */
const lockDurationMs = 5_000;
const stalledIntervalMs = 2_500;
/** Stalled jobs are run again by others; an order's own fate never depends on this count. */
const stalledCountMax = 10;

/** How many jobs a worker takes on: as many as it can merge, one after the other, or none. */
export type Intake = 'full' | 'one' | 'none';

export interface PostingWorker {
  /** Changes how many jobs are taken from now on; those in hand are not touched. */
  setIntake(intake: Intake): void;
  /** Whether no job is in hand, and none can come: after an intake of none that takes until a look for jobs has ended. */
  isIdle(): boolean;
  /** Stops taking jobs, has handed back what is not begun, and waits for the rest of those in hand. */
  close(): Promise<void>;
}

/** What becomes of the jobs' orders. */
export interface JobHandler {
  /** @returns 'handedBack' where others are to post some of them: the job is then the next that a worker takes. */
  post(orderIds: readonly string[]): Promise<PostingJobResult | 'handedBack'>;
  /** From now on orders that are not begun are handed back, and those that come; those begun are ended. */
  handBack(): void;
}

/**
 * Takes jobs from the queue, several at once, and hands each one's orders to `handler`. A job whose worker dies is given
 * to another; a job that `handler` fails is tried again with backoff; one that it hands back is the next that a worker
 * takes, with all its attempts. Source: BullMQ documentation, "Workers", "Stalled", "Manual retrying".
 */
export function startPostingWorker(redis: Redis, prefix: string, log: Logger, handler: JobHandler): PostingWorker {
  const inHand = { jobs: 0, orders: 0 };
  let intake: Intake = 'full';
  /** Source: BullMQ documentation, "Concurrency": it may change while the worker runs. */
  function limitIntake(): void {
    const room = Math.ceil((ordersInHandMax - inHand.orders) / ordersPerJobMax);
    const jobsMax = intake === 'full' ? jobsInHandMax : 1;
    worker.concurrency = Math.max(1, Math.min(jobsMax, inHand.jobs + room));
  }
  function take(jobs: number, orders: number): void {
    inHand.jobs += jobs;
    inHand.orders += orders;
    limitIntake();
  }

  const worker = new Worker<PostingJobData, PostingJobResult>(
    queueName,
    async (job, token) => {
      const { orderIds, causes = [] } = job.data;
      const span = { kind: 'consumer', causes, attributes: { orders: orderIds.length } } as const;
      take(1, orderIds.length);
      try {
        const result = await inSpan('post job', span, () => handler.post(orderIds));
        if (result !== 'handedBack') return result;
        await job.moveToWait(token);
        throw new WaitingError();
      } finally {
        take(-1, -orderIds.length);
      }
    },
    {
      connection: redis,
      prefix,
      concurrency: ordersInHandMax / ordersPerJobMax,
      lockDuration: lockDurationMs,
      stalledInterval: stalledIntervalMs,
      maxStalledCount: stalledCountMax,
    },
  );
  worker.on('error', (error) => {
    log.warn({ reason: error.message }, 'queue connection failed');
  });
  worker.on('failed', (job, error) => {
    log.debug({ jobId: job?.id, attempt: job?.attemptsMade, reason: error.message }, 'posting job failed');
  });
  worker.on('stalled', (jobId) => {
    log.warn({ jobId }, 'posting job stalled; it is run again');
  });
  return {
    setIntake(next) {
      intake = next;
      limitIntake();
      const changing = intake === 'none' ? worker.pause(true) : worker.resume();
      changing.catch((error: unknown) => {
        log.warn({ err: error, intake }, 'the intake of jobs could not be changed');
      });
    },
    isIdle: () => inHand.jobs === 0 && !worker.isRunning(),
    async close() {
      const closing = worker.close();
      handler.handBack();
      await closing;
    },
  };
}
