import { Worker, type Job } from 'bullmq';
import pTimeout from 'p-timeout';
import { bucketCount } from '../domain/bucket.ts';
import type { Logger } from '../log.ts';
import { inSpan } from '../tracing.ts';
import { startRounds } from '../waiting/rounds.ts';
import { ConsumerPause } from './consumer-pause.ts';
import { readPostingJob, type PostingJobData } from './job-data.ts';
import { postingQueueName, type PostedCounts, type QueueLocation } from './posting-queue.ts';

/** How often a stalled job is run again. One that is given up is added anew by the next wake, or by the sweep. */
const stalledCountMax = 10;
const usualLimits = {
  /** After this long without its worker a job goes to another one. BullMQ renews the lock twice in that time. */
  lockDurationMs: 4_000,
  stalledIntervalMs: 1_000,
  /** An empty queue is looked at again after this long, because Redis may have woken a connection that was lost. */
  waitMaxMs: 2_000,
  /** The pause between looks whether MongoDB answers, and how many workers there are. */
  lookEveryMs: 500,
  /** The longest wait, after the last run has ended, until Redis knows it. */
  partingMaxMs: 3_000,
};

type PostingJob = Job<PostingJobData, PostedCounts>;

/** Posts what waits in a bucket. */
export type RunBucket = (bucket: number, ends: RunEnds, tellTaken: TellTaken) => Promise<PostedCounts>;

/** When a run ends before nothing waits. */
export interface RunEnds {
  /** The process stops, or the job's lock is lost: what has not begun is left to the next run. */
  readonly leave: AbortSignal;
  /** MongoDB does not answer: what is in flight is left too. */
  readonly abandon: AbortSignal;
}

/** Shows in the dashboard which workspaces a run has in hand. */
export type TellTaken = (workspaceIds: readonly string[]) => void;

interface JobSource extends QueueLocation {
  /** Named in the dashboard. */
  readonly instanceId: string;
  /** Whether MongoDB answers this process. While it does not, jobs are left to others. */
  readonly mayWork: () => boolean;
  /** How many workers take jobs. Each takes its share of the buckets at once, or the first would leave nothing to the others. */
  readonly workers: () => number;
}

/**
 * Takes jobs from the queue of posting. One whose process dies, or loses its lock, is run again by another. Source: BullMQ
 * documentation, "Workers", "Stalled", "Lock renewal".
 */
export function startPostingConsumer(
  { redis, prefix, instanceId, mayWork, workers }: JobSource,
  run: RunBucket,
  log: Logger,
  differentLimits: Partial<typeof usualLimits> = {},
): { close(): Promise<void> } {
  const limits = { ...usualLimits, ...differentLimits };
  const closing = new AbortController();
  const pause = new ConsumerPause();
  const running = new Set<Promise<unknown>>();

  const share = (): number => Math.ceil(bucketCount / workers());

  async function take(job: PostingJob, signal?: AbortSignal): Promise<PostedCounts> {
    const { bucket, causes = [] } = readPostingJob(job.data);
    const tellTaken: TellTaken = (workspaceIds) => {
      job.updateProgress({ worker: instanceId, workspaceIds: [...workspaceIds] }).catch(() => undefined);
    };
    const leave = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
    const ends = { leave, abandon: pause.signal };
    const posting = inSpan('post job', { kind: 'consumer', causes, attributes: { bucket } }, () =>
      run(bucket, ends, tellTaken),
    );
    running.add(posting);
    return posting.finally(() => running.delete(posting));
  }

  const worker = new Worker<PostingJobData, PostedCounts>(
    postingQueueName,
    // All three by name: BullMQ gives a signal only to what has a parameter for it.
    (job: PostingJob, _token?: string, signal?: AbortSignal) => take(job, signal),
    {
      connection: redis,
      prefix,
      name: instanceId,
      concurrency: share(),
      lockDuration: limits.lockDurationMs,
      stalledInterval: limits.stalledIntervalMs,
      drainDelay: limits.waitMaxMs / 1_000,
      maxStalledCount: stalledCountMax,
      // It asks INFO, which a Redis user without dangerous commands may not.
      skipVersionCheck: true,
    },
  );
  worker.on('error', (error) => {
    log.warn({ server: 'redis', reason: error.message }, 'the consumer of posting met an error');
  });
  worker.on('failed', (job, error) => {
    log.debug({ jobId: job?.id, reason: error.message }, 'posting job failed');
  });
  worker.on('stalled', (jobId) => {
    log.warn({ jobId }, 'posting job stalled; it is run again');
  });
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) worker.cancelJob(jobId, 'its lock is lost');
  });
  const looks = startRounds({
    everyMs: limits.lookEveryMs,
    roundMaxMs: limits.partingMaxMs,
    round: async () => {
      // It takes no more until it is below a share that has become smaller: a run ends within two seconds.
      worker.concurrency = share();
      await pause.look(worker, mayWork(), log);
    },
  });
  return {
    /** Takes no more jobs, leaves what is not begun, and resolves once the rest has ended. */
    async close(): Promise<void> {
      closing.abort();
      void looks.close();
      const closed = worker.close();
      await Promise.allSettled(running);
      // BullMQ may wait for Redis without end. Its worker takes no more jobs, even once Redis is back.
      await pTimeout(closed, { milliseconds: limits.partingMaxMs, fallback: () => undefined });
    },
  };
}
