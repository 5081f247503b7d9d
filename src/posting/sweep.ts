import { systemClock, type Clock } from '../clock.ts';
import { batchLimits } from '../waiting/batcher.ts';
import { leastIdAt } from '../domain/ids.ts';
import { partitionOf } from '../domain/partition.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
import type { PostingQueues } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { createOneByOne, oneByOneMaxMs } from '../scheduling/one-by-one.ts';
import { startSingleton, type Turn } from '../waiting/singleton.ts';

interface SweepSources {
  readonly collections: Pick<Collections, 'backlog' | 'workspaces'>;
  /** Whether MongoDB is a cluster, of which one shard may be away and the others not. */
  readonly isSharded: boolean;
  readonly queues: Pick<PostingQueues, 'enqueue' | 'load'>;
  readonly partitionCount: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Only the holder of this lease sweeps. */
export const sweeperLease = 'sweeper';
const usualRoundEveryMs = 1_000;
const roundMaxMs = 10_000;
/** Younger orders are left to their own jobs. */
const ageMinMs = 5_000;
const pageSize = batchLimits.sizeMax;
const pagesPerRoundMax = 80;
/** How many of them look for workspaces. The others are for workspaces that have more than a page. */
const pagesOfPassMax = pagesPerRoundMax / 2;
/** With this many jobs waiting, a partition's owner has enough to do. */
const waitingJobsMax = 80;
/** The longest time from an order's creation to its enqueuing. */
const enqueueDelayMaxMs = 2_000;
/** The jobs' times come from other hosts' clocks, which may be wrong. So no order or partition waits longer for its jobs. */
const deferredMaxMs = 60_000;

/** When a partition's orders were last enqueued again. */
interface Swept {
  /** By this host's clock, */
  readonly at: Date;
  /** and by a monotonic one. */
  readonly atMs: number;
}

/** What a round may enqueue again in one partition. */
interface Allowance {
  /** Only orders with an id below this, '' for none, */
  readonly before: string;
  /** and that became PENDING by then, if they were SCHEDULED before. */
  readonly startedBy: Date;
  jobsLeft: number;
}

/**
 * Finds orders that stayed PENDING because their job was lost, and enqueues them again. One process sweeps at a time, by a
 * lease; when it dies, or its sweeping fails, another takes over within seconds. In bounded rounds it goes from workspace to
 * workspace, a page of each at the most and the oldest orders first; then it serves those that have more in turn, a page
 * each. So no workspace's backlog delays another's. Orders that a partition's owner has not reached yet are left to it: a
 * backlog drains at the workers' speed. Enqueuing an order twice is harmless.
 *
 * On a cluster, a shard that is away keeps it from going through all workspaces at once. Then it takes them one by one, and
 * skips those whose shard does not answer.
 */
export function startSweeper(sources: SweepSources, turn: Turn, roundEveryMs = usualRoundEveryMs) {
  const job = { lease: sweeperLease, what: 'sweeping', everyMs: roundEveryMs, workMaxMs: roundMaxMs };
  return startSingleton(job, turn, createSweep(sources), sources.log);
}

function createSweep(sources: SweepSources): () => Promise<void> {
  const { isSharded, queues, partitionCount, clock, log } = sources;
  const { backlog, workspaces } = sources.collections;
  /** The workspace behind which the next round goes on; '' to begin anew. */
  let behind = '';
  const oneByOne = createOneByOne(workspaces, isSharded);
  const swept = new Map<number, Swept>();

  async function allowanceOf(partition: number, now: number): Promise<Allowance> {
    const { waitingJobs, oldestJobAt } = await queues.load(partition);
    const last = swept.get(partition);
    // Orders that were enqueued again are still in the queue. Another sweep would only enqueue them once more.
    const isCarried = last !== undefined && oldestJobAt !== undefined && oldestJobAt <= last.at;
    if (isCarried && performance.now() - last.atMs < deferredMaxMs)
      return { before: '', startedBy: new Date(0), jobsLeft: 0 };
    // A queue is first in, first out: an order from before its oldest job has been posted by now, or its job is lost.
    const beforeJobsMs = oldestJobAt === undefined ? now : oldestJobAt.getTime() - enqueueDelayMaxMs;
    const youngest = new Date(Math.max(Math.min(now - ageMinMs, beforeJobsMs), now - deferredMaxMs));
    return {
      before: leastIdAt('order', youngest),
      startedBy: youngest,
      // At least one, however full the queue is: its jobs may be of a kind that never gets done.
      jobsLeft: Math.max(1, waitingJobsMax - waitingJobs),
    };
  }

  /** @returns how many of a partition's orders were enqueued. */
  async function sweepPartition(partition: number, found: readonly Found[], allowance: Allowance): Promise<number> {
    const old = found.filter(({ id }) => id < allowance.before);
    if (old.length === 0 || allowance.jobsLeft === 0) return 0;
    const started = await backlog.startedAfter(old, allowance.startedBy);
    const due = old.filter(({ id }) => !started.has(id));
    if (due.length === 0) return 0;
    await queues.enqueue(byWorkspace(due));
    allowance.jobsLeft -= 1;
    swept.set(partition, { at: systemClock(), atMs: performance.now() });
    return due.length;
  }

  return async () => {
    const now = clock().getTime();
    const before = leastIdAt('order', new Date(now - ageMinMs));
    const count = partitionCount();
    const allowances = new Map<number, Promise<Allowance>>();
    /** Partitions whose queues do not answer, because a node of a Redis Cluster is away. Others are swept all the same. */
    const failed = new Map<number, unknown>();
    let orders = 0;

    async function sweepFound(partition: number, found: readonly Found[]): Promise<void> {
      if (failed.has(partition)) return;
      try {
        const allowance = allowances.get(partition) ?? allowanceOf(partition, now);
        allowances.set(partition, allowance);
        orders += await sweepPartition(partition, found, await allowance);
      } catch (error) {
        failed.set(partition, error);
      }
    }

    /** @returns whether a workspace's next page may be enqueued too. */
    async function sweepPage(page: readonly Found[]): Promise<boolean> {
      const found = Map.groupBy(page, ({ workspaceId }) => partitionOf(workspaceId, count));
      await Promise.all([...found].map(([partition, ofPartition]) => sweepFound(partition, ofPartition)));
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return false;
      const partition = partitionOf(last.workspaceId, count);
      const allowance = failed.has(partition) ? undefined : await allowances.get(partition);
      return allowance !== undefined && allowance.jobsLeft > 0 && last.id < allowance.before;
    }

    async function sweepWorkspaces(): Promise<void> {
      /** The last order of each page that was full. */
      const further: Found[] = [];
      let pages = 0;
      do {
        const page = await backlog.waitingBehind(behind, before, pageSize);
        const last = page.at(-1);
        behind = last === undefined || page.length < pageSize ? '' : last.workspaceId;
        if ((await sweepPage(page)) && last !== undefined) further.push(last);
        pages += 1;
      } while (behind !== '' && pages < pagesOfPassMax);
      for (let from = further.shift(); from !== undefined && pages < pagesPerRoundMax; from = further.shift()) {
        const page = await backlog.waitingOf(from, { before, countMax: pageSize });
        const last = page.at(-1);
        if ((await sweepPage(page)) && last !== undefined) further.push(last);
        pages += 1;
      }
    }

    /** A page, while a shard is away. */
    const readOne = (workspaceId: string): Promise<Found[]> =>
      backlog.waitingOf({ workspaceId, id: '' }, { before, countMax: pageSize, maxTimeMS: oneByOneMaxMs });

    await oneByOne(sweepWorkspaces, readOne, sweepPage).finally(() => {
      if (orders > 0) log.info({ orders }, 'orders that nobody had posted are enqueued again');
    });
    const [cause] = failed.values();
    if (failed.size > 0) throw new Error(`partitions not swept: ${[...failed.keys()].join(', ')}`, { cause });
  };
}

interface Found {
  readonly id: string;
  readonly workspaceId: string;
}
