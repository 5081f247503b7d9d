import { setTimeout as delay } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { partitionOf } from '../../../src/domain/partition.ts';
import { byWorkspace, type WorkspaceOrders } from '../../../src/domain/workspace-orders.ts';
import { queueNameOf, type PostingJobResult } from '../../../src/queue/queue.ts';
import type { OfWorkspace } from './books.ts';
import type { Delivery } from './deliveries.ts';

export interface Fed {
  /** What came of all orders of all jobs put in here, by their workers' account. */
  results: PostingJobResult;
  /** Jobs that the sweeper added meanwhile. */
  sweptJobs: number;
  seconds: number;
}

/** A part of the orders, of one partition. */
export interface FeedJob {
  queue: string;
  orders: number;
  batches: WorkspaceOrders[];
}

interface FeedOptions {
  redisUrl: string;
  prefix: string;
  plan: readonly Delivery[];
  jobs: readonly FeedJob[];
  onProgress: (finishedJobs: number) => void;
  signal: AbortSignal;
}

/** Jobs that wait or are in hand at most: enough to keep the workers busy, and few enough that a job is over soon. */
export const unfinishedMax = 64;
const pollMs = 20;
const silenceMaxMs = 60_000;
const attemptsMax = 5;
const outcomes = ['completed', 'failed', 'skipped', 'setAside'] as const;

/** Divides orders into jobs of one partition each, in the order of their acceptance. */
export function jobsOf(orders: readonly OfWorkspace[], sizeMax: number, partitionCount: number): FeedJob[] {
  const filling = new Map<string, OfWorkspace[]>();
  const jobs: FeedJob[] = [];
  const add = (queue: string, part: OfWorkspace[]): void => {
    jobs.push({ queue, orders: part.length, batches: byWorkspace(part) });
    filling.delete(queue);
  };
  for (const order of orders) {
    const queue = queueNameOf(partitionOf(order.workspaceId, partitionCount));
    const part = filling.get(queue) ?? [];
    filling.set(queue, part);
    if (part.push(order) === sizeMax) add(queue, part);
  }
  for (const [queue, part] of filling) add(queue, part);
  return jobs;
}

/**
 * Puts the planned jobs into their queues, never many at once, until a worker has finished each.
 * @throws where a job fails for good, or no job is finished for a minute.
 */
export async function feed(options: FeedOptions): Promise<Fed> {
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: null });
  const connection = { connection: redis, prefix: options.prefix };
  const names = [...new Set(options.jobs.map(({ queue }) => queue))];
  const queues = new Map(names.map((name) => [name, new Queue(name, connection)]));
  // From the first event on: what happens before these listen is heard all the same.
  const events = names.map((name) => new QueueEvents(name, { ...connection, lastEventId: '0-0' }));
  try {
    return await run(queues, events, options);
  } finally {
    await Promise.all([...events, ...queues.values()].map((each) => each.close()));
    redis.disconnect();
  }
}

async function run(
  queues: ReadonlyMap<string, Queue>,
  events: readonly QueueEvents[],
  options: FeedOptions,
): Promise<Fed> {
  const { plan, jobs, onProgress, signal } = options;
  const heard = listen(events);
  const startedAt = performance.now();
  let added = 0;
  while (heard.finished() < plan.length) {
    signal.throwIfAborted();
    if (heard.failure() !== undefined) throw new Error(heard.failure());
    if (performance.now() - heard.lastAt() > silenceMaxMs) {
      throw new Error(`no job was finished for ${silenceMaxMs / 1000} s; ${plan.length - heard.finished()} are left`);
    }
    const next = plan.slice(added, heard.finished() + unfinishedMax);
    for (const [queue, deliveries] of Map.groupBy(next, ({ job }) => jobs[job]!.queue)) {
      await queues.get(queue)?.addBulk(deliveries.map((delivery) => jobOf(delivery, jobs[delivery.job]!)));
    }
    added += next.length;
    onProgress(heard.finished());
    await delay(pollMs);
  }
  onProgress(heard.finished());
  const seconds = (performance.now() - startedAt) / 1000;
  return { results: heard.results, sweptJobs: heard.sweptJobs(), seconds };
}

function jobOf({ job, isAgain }: Delivery, { batches }: FeedJob) {
  const opts = { jobId: isAgain ? `again-${job}` : `first-${job}`, attempts: attemptsMax, removeOnComplete: true };
  return { name: 'post', data: { batches }, opts };
}

function listen(all: readonly QueueEvents[]) {
  const results = { completed: 0, failed: 0, skipped: 0, setAside: 0 };
  let [finished, sweptJobs, lastAt] = [0, 0, performance.now()];
  let failure: string | undefined;
  for (const events of all) {
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
  }
  return {
    results,
    finished: () => finished,
    sweptJobs: () => sweptJobs,
    lastAt: () => lastAt,
    failure: () => failure,
  };
}
