import { Queue } from 'bullmq';
import { z } from 'zod';
import { systemClock } from '../clock.ts';
import { bucketOf } from '../domain/bucket.ts';
import { leastIdAt, timeOfId } from '../domain/ids.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { PostingJobData } from './job-data.ts';

/** Where an installation's queues are. */
export interface QueueLocation {
  readonly redis: RedisClient;
  readonly prefix: string;
}

/** What became of the orders of a job, to be seen in a dashboard. */
export interface PostedCounts {
  readonly completed: number;
  readonly failed: number;
  /** Orders that others had posted already, or that wait for another release or another order. */
  readonly skipped: number;
  /** Orders that too often could not be posted for a reason of their own, and now wait for the operator. */
  readonly setAside: number;
}

/** Who posts a bucket, or did so last. */
export interface BucketHolder {
  readonly instanceId: string;
  /** Of one run of a job. A run that finds another's here has lost the bucket. */
  readonly run: string;
  /** The sessions in which the process posts, in base64, for the next holder to end if this one dies. */
  readonly sessions: readonly string[];
}

/** From where on orders of a workspace wait: from the millisecond of an order's id, or, if the id is empty, anywhere. */
export interface WaitingFrom {
  readonly workspaceId: string;
  readonly id: string;
}

/** Whatever waits in some workspaces. */
export function anywhereIn(workspaceIds: readonly string[]): WaitingFrom[] {
  return workspaceIds.map((workspaceId) => ({ workspaceId, id: '' }));
}

/** What a run hands back of the workspaces that it took, and how many more it takes. */
export interface Turnover {
  readonly isFirst: boolean;
  /** Those of which nothing is to be posted now. */
  readonly done: readonly string[];
  /** Those that go back to the end of the line. */
  readonly back: readonly WaitingFrom[];
  readonly takeMax: number;
}

export interface Taken {
  readonly workspaces: readonly WaitingFrom[];
  /** How many still wait in line. */
  readonly waiting: number;
  /** Who held the bucket before this run; undefined if nobody is known. */
  readonly before: BucketHolder | undefined;
  /** Whether that one ended without saying what became of all that it had taken. */
  readonly isLeft: boolean;
}

/** The braces are a hash tag, so that all keys of the queue are in one slot of a Redis Cluster. */
export const postingQueueName = '{posting}';
const jobName = 'post' as const;
/** Finished jobs are kept for the dashboard only, because the books are in MongoDB. */
const completedJobsKept = 200;
const failedJobsKept = 1_000;

/** Without these a queue opened while Redis is away fails for good, because BullMQ asks for Redis's version only once. */
export const openedWhileAway = { skipWaitingForReady: true, skipVersionCheck: true } as const;

/**
 * A bucket's workspaces that wait stand in line in `woken`, in the order in which they were woken, and `since` has the time of
 * the oldest order for which each was. Those that a run has taken are in `taken`: if the run dies, the next one puts them back, and
 * knows no such time. Who is not the holder any more gets nothing.
 */
const standInLine = `
local woken, since = KEYS[1], KEYS[2]
local function standInLine(now, id, time)
  redis.call('ZADD', woken, 'NX', now, id)
  local known = redis.call('ZSCORE', since, id)
  if not known or tonumber(time) < tonumber(known) then redis.call('ZADD', since, time, id) end
end
`;

const wakeScript = `${standInLine}
for index = 2, #ARGV, 2 do standInLine(ARGV[1], ARGV[index], ARGV[index + 1]) end
`;

const takeScript = `${standInLine}
local taken, holder = KEYS[3], KEYS[4]
local now, takeMax, isFirst, doneCount = ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1', tonumber(ARGV[5])
local before = redis.call('GET', holder)
local left = {}
if isFirst then
  left = redis.call('ZRANGE', taken, 0, -1, 'WITHSCORES')
  for index = 1, #left, 2 do
    redis.call('ZADD', woken, left[index + 1], left[index])
    redis.call('ZADD', since, 0, left[index])
  end
  redis.call('DEL', taken)
  redis.call('SET', holder, ARGV[1])
elseif before ~= ARGV[1] then
  return false
end
for index = 6, 5 + doneCount do redis.call('ZREM', taken, ARGV[index]) end
for index = 6 + doneCount, #ARGV, 2 do
  redis.call('ZREM', taken, ARGV[index])
  standInLine(now, ARGV[index], ARGV[index + 1])
end
local popped = takeMax > 0 and redis.call('ZPOPMIN', woken, takeMax) or {}
local ids = {}
for index = 1, #popped, 2 do
  local id = popped[index]
  ids[#ids + 1] = id
  ids[#ids + 1] = redis.call('ZSCORE', since, id) or '0'
  redis.call('ZREM', since, id)
  redis.call('ZADD', taken, popped[index + 1], id)
end
return { ids, redis.call('ZCARD', woken), before or '', #left }
`;

interface RedisOfLine {
  wakeWorkspaces(...keysAndArguments: readonly (string | number)[]): Promise<unknown>;
  takeWoken(
    ...keysAndArguments: readonly (string | number)[]
  ): Promise<readonly [readonly string[], number, string, number] | null>;
}

export type PostingQueue = ReturnType<typeof createPostingQueue>;

/**
 * The queue of posting, with a job for each bucket of which workspaces wait. However often a bucket is woken, at most one job of
 * it runs and one waits, so a workspace is posted by one worker at a time. Which orders wait, MongoDB says. Source: BullMQ
 * documentation, "Deduplication".
 */
export function createPostingQueue(redis: RedisClient, prefix: string) {
  redis.defineCommand('wakeWorkspaces', { lua: wakeScript, numberOfKeys: 2 });
  redis.defineCommand('takeWoken', { lua: takeScript, numberOfKeys: 4 });
  const commands = redis as RedisClient & RedisOfLine;
  const queue = openPostingQueue(redis, prefix);
  const keyOf = (what: 'woken' | 'taken' | 'holder' | 'since', bucket: number): string =>
    `${prefix}:${postingQueueName}-${what}:${bucket}`;

  async function addJobs(buckets: readonly number[], causes: readonly string[]): Promise<void> {
    const jobs = buckets.map((bucket) => ({
      name: jobName,
      data: { bucket, ...(causes.length === 0 ? {} : { causes }) },
      opts: { deduplication: { id: String(bucket), keepLastIfActive: true } },
    }));
    const [first, ...more] = jobs;
    // One by itself costs Redis and this process less.
    if (first !== undefined && more.length === 0) await queue.add(first.name, first.data, first.opts);
    else await queue.addBulk(jobs);
  }

  return {
    /**
     * Has a worker look for what waits: these orders, or whatever waits in a workspace, and what came after. It does not look
     * further back, because to find the first of the index that waits MongoDB passes over the keys of all that were posted in the last
     * minutes. Repetition is harmless. A wake may be lost or late without harm to money: an order that nobody was woken for is swept.
     * Throws if Redis is away; some may have been woken all the same.
     * @param causes the traced requests that made the orders. Of a job that waits already they are not kept.
     */
    async wake(waiting: readonly WaitingFrom[], causes: readonly string[] = []): Promise<void> {
      if (waiting.length === 0) return;
      const now = systemClock().getTime();
      const since = new Map<string, number>();
      for (const { workspaceId, id } of waiting)
        since.set(workspaceId, Math.min(since.get(workspaceId) ?? Infinity, timeIn(id)));
      const byBucket = Map.groupBy(since, ([workspaceId]) => bucketOf(workspaceId));
      const lines = [...byBucket].map(([bucket, ofBucket]) =>
        commands.wakeWorkspaces(keyOf('woken', bucket), keyOf('since', bucket), now, ...ofBucket.flat()),
      );
      await Promise.all([...lines, addJobs([...byBucket.keys()], causes)]);
    },
    /** Has a worker go on with a bucket, behind those that wait now. Throws if Redis is away. */
    goOn: (bucket: number): Promise<void> => addJobs([bucket], []),
    /**
     * Takes workspaces of a bucket, those that have waited longest.
     * @returns undefined if another run has the bucket by now: it takes what this one had. Throws if Redis is away.
     */
    async take(
      bucket: number,
      holder: BucketHolder,
      { isFirst, done, back, takeMax }: Turnover,
    ): Promise<Taken | undefined> {
      const keys = (['woken', 'since', 'taken', 'holder'] as const).map((what) => keyOf(what, bucket));
      const scriptArguments = [
        JSON.stringify(holder),
        systemClock().getTime(),
        takeMax,
        isFirst ? 1 : 0,
        done.length,
        ...done,
        ...back.flatMap(({ workspaceId, id }) => [workspaceId, timeIn(id)]),
      ];
      const answer = await commands.takeWoken(...keys, ...scriptArguments);
      if (answer === null) return undefined;
      const [taken, waiting, before, left] = answer;
      const workspaces = taken.flatMap((workspaceId, index) =>
        index % 2 === 0 ? { workspaceId, id: idFrom(Number(taken[index + 1])) } : [],
      );
      return { workspaces, waiting, before: readHolder(before), isLeft: left > 0 };
    },
    /** Who posts a bucket, or did so last; undefined if nobody is known. Throws if Redis is away. */
    holderOf: async (bucket: number): Promise<BucketHolder | undefined> =>
      readHolder((await redis.get(keyOf('holder', bucket))) ?? ''),
    /** Begins no more jobs, or goes on. Redis may forget it. Throws if Redis is away. */
    async setPaused(isPaused: boolean): Promise<void> {
      if ((await queue.isPaused()) !== isPaused) await (isPaused ? queue.pause() : queue.resume());
    },
    close: () => queue.close(),
  };
}

/** For adding jobs, and for looking at them. */
export function openPostingQueue(redis: RedisClient, prefix: string) {
  const queue = new Queue<PostingJobData, PostedCounts, typeof jobName>(postingQueueName, {
    connection: redis,
    prefix,
    ...openedWhileAway,
    defaultJobOptions: { removeOnComplete: { count: completedJobsKept }, removeOnFail: { count: failedJobsKept } },
  });
  // Without a listener BullMQ prints each lost connection in many lines. The connection's own log line says it already,
  // and a caller that adds jobs gets the error.
  queue.on('error', () => undefined);
  return queue;
}

function timeIn(id: string): number {
  return id === '' ? 0 : timeOfId('order', id).getTime();
}

function idFrom(time: number): string {
  return time > 0 ? leastIdAt('order', new Date(time)) : '';
}

const countedStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;

export type QueueCounts = Readonly<Record<(typeof countedStates)[number], number>>;

/** Jobs by state: a job that waits or is active is a bucket of which workspaces wait. Throws if Redis is away. */
export async function countJobs(queue: ReturnType<typeof openPostingQueue>): Promise<QueueCounts> {
  const counts = await queue.getJobCounts(...countedStates);
  return Object.fromEntries(countedStates.map((state) => [state, counts[state] ?? 0])) as QueueCounts;
}

const idCharsMax = 256;
const sessionsMax = 64;
const holderForm = z.object({
  instanceId: z.string().max(idCharsMax),
  run: z.string().max(idCharsMax),
  sessions: z.array(z.base64().max(idCharsMax)).max(sessionsMax),
});

/** Whoever may use Redis can have written it. */
function readHolder(text: string): BucketHolder | undefined {
  try {
    return holderForm.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
