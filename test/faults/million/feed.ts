import { setTimeout as delay } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { queueName, type PostingJobResult } from '../../../src/queue/queue.ts';
import type { Delivery } from './deliveries.ts';

export interface Fed {
  /** What came of all orders of all jobs put in here, by their workers' account. */
  results: PostingJobResult;
  /** Jobs that the sweeper added meanwhile. */
  sweptJobs: number;
  seconds: number;
}

interface FeedOptions {
  redisUrl: string;
  prefix: string;
  plan: readonly Delivery[];
  orderIdsOf: (job: number) => readonly string[];
  workers: number;
  onProgress: (finishedJobs: number) => void;
  signal: AbortSignal;
}

/** What the queue holds at most: enough to keep the workers busy and the sweeper quiet, however many orders there are. */
const waitingJobsMax = 160;
const pollMs = 20;
const silenceMaxMs = 60_000;
const attemptsMax = 5;
const jobsOfWorkerMax = 32;
const outcomes = ['completed', 'failed', 'passedOver', 'setAside'] as const;

/** How many jobs the workers have in hand at once, as src/queue/worker.ts takes them. */
export const jobsInHandMax = (workers: number): number => jobsOfWorkerMax * workers;

/**
 * Puts the planned jobs into the queue, never more than a few hundred at once, until a worker has finished each.
 * @throws where a job fails for good, or no job is finished for a minute.
 */
export async function feed(options: FeedOptions): Promise<Fed> {
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: null });
  const connection = { connection: redis, prefix: options.prefix };
  const queue = new Queue(queueName, connection);
  // From the first event on: what happens before this listens is heard all the same.
  const events = new QueueEvents(queueName, { ...connection, lastEventId: '0-0' });
  try {
    return await run(queue, events, options);
  } finally {
    await events.close();
    await queue.close();
    redis.disconnect();
  }
}

async function run(queue: Queue, events: QueueEvents, options: FeedOptions): Promise<Fed> {
  const { plan, orderIdsOf, onProgress, signal } = options;
  const inQueueMax = waitingJobsMax + jobsInHandMax(options.workers);
  const heard = listen(events);
  const startedAt = performance.now();
  let added = 0;
  while (heard.finished() < plan.length) {
    signal.throwIfAborted();
    if (heard.failure() !== undefined) throw new Error(heard.failure());
    if (performance.now() - heard.lastAt() > silenceMaxMs) {
      throw new Error(`no job was finished for ${silenceMaxMs / 1000} s; ${plan.length - heard.finished()} are left`);
    }
    const next = plan.slice(added, heard.finished() + inQueueMax);
    if (next.length > 0) await queue.addBulk(next.map((delivery) => jobOf(delivery, orderIdsOf(delivery.job))));
    added += next.length;
    onProgress(heard.finished());
    await delay(pollMs);
  }
  onProgress(heard.finished());
  const seconds = (performance.now() - startedAt) / 1000;
  return { results: heard.results, sweptJobs: heard.sweptJobs(), seconds };
}

function jobOf({ job, isAgain }: Delivery, orderIds: readonly string[]) {
  const opts = { jobId: isAgain ? `again-${job}` : `first-${job}`, attempts: attemptsMax, removeOnComplete: true };
  return { name: 'post', data: { orderIds }, opts };
}

function listen(events: QueueEvents) {
  const results = { completed: 0, failed: 0, passedOver: 0, setAside: 0 };
  let [finished, sweptJobs, lastAt] = [0, 0, performance.now()];
  let failure: string | undefined;
  events.on('completed', ({ jobId, returnvalue }) => {
    lastAt = performance.now();
    // The sweeper's jobs have numbers.
    if (!/^(first|again)-/.test(jobId)) {
      sweptJobs += 1;
      return;
    }
    finished += 1;
    const result = returnvalue as unknown as PostingJobResult;
    for (const outcome of outcomes) results[outcome] += result[outcome];
  });
  events.on('failed', ({ jobId, failedReason }) => {
    failure ??= `job ${jobId} failed: ${failedReason}`;
  });
  // A broken connection is reported by the silence that follows it.
  events.on('error', () => undefined);
  return {
    results,
    finished: () => finished,
    sweptJobs: () => sweptJobs,
    lastAt: () => lastAt,
    failure: () => failure,
  };
}
