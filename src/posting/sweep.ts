import { systemClock, type Clock } from '../clock.ts';
import { batchLimits } from '../batcher.ts';
import { leastIdAt } from '../domain/ids.ts';
import { partitionOf } from '../domain/partition.ts';
import { byWorkspace } from '../domain/workspace-orders.ts';
import type { Logger } from '../log.ts';
import type { PostingQueues } from '../queue/queue.ts';
import type { Collections } from '../storage/collections.ts';
import { startSingleton } from '../storage/leases/singleton.ts';

interface SweeperTools {
  readonly collections: Collections;
  readonly queues: Pick<PostingQueues, 'enqueue' | 'load'>;
  readonly partitionCount: () => number;
  readonly log: Logger;
  readonly clock: Clock;
  readonly instanceId: string;
  /** Whether this process reaches the queues. */
  readonly mayWork: () => boolean;
  /** The pause between rounds. */
  readonly roundEveryMs?: number;
}

/** Only the holder of this lease sweeps. */
export const sweeperLease = 'sweeper';
const usualRoundEveryMs = 1_000;
const roundMaxMs = 10_000;
/** Younger orders are left to their own jobs. */
const ageMinMs = 5_000;
const pageSize = batchLimits.sizeMax;
const pagesPerRoundMax = 80;
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
  /** Only orders with an id below this; '' for none. */
  readonly before: string;
  jobsLeft: number;
}

/**
 * Finds orders that stayed PENDING because their job was lost, and enqueues them again. One process sweeps at a time, by a
 * lease; when it dies, or its sweeping fails, another takes over within seconds. Over several bounded rounds it goes from the oldest order to the
 * newest, and then begins again. Orders that a partition's owner has not reached yet are left to it. So a backlog drains at
 * the workers' speed, and one partition's backlog does not delay another's. Enqueuing an order twice is harmless.
 */
export function startSweeper(tools: SweeperTools) {
  const { collections, instanceId, mayWork, log, roundEveryMs = usualRoundEveryMs } = tools;
  return startSingleton({
    ...{ name: sweeperLease, leases: collections.leases, instanceId, mayWork },
    ...{ everyMs: roundEveryMs, workMaxMs: roundMaxMs, work: createSweep(tools) },
    logged: { log, what: 'sweeping' },
  });
}

function createSweep({ collections, queues, partitionCount, log, clock }: SweeperTools): () => Promise<void> {
  /** The last id that was looked at; '' before the first. */
  let after = '';
  const swept = new Map<number, Swept>();

  async function allowanceOf(partition: number, now: number): Promise<Allowance> {
    const { waitingJobs, oldestJobAt } = await queues.load(partition);
    const last = swept.get(partition);
    // Orders that were enqueued again are still in the queue. Another sweep would only enqueue them once more.
    const isCarried = last !== undefined && oldestJobAt !== undefined && oldestJobAt <= last.at;
    if (isCarried && performance.now() - last.atMs < deferredMaxMs) return { before: '', jobsLeft: 0 };
    // A queue is first in, first out: an order from before its oldest job has been posted by now, or its job is lost.
    const beforeJobsMs = oldestJobAt === undefined ? now : oldestJobAt.getTime() - enqueueDelayMaxMs;
    const youngestMs = Math.max(Math.min(now - ageMinMs, beforeJobsMs), now - deferredMaxMs);
    return {
      before: leastIdAt('order', new Date(youngestMs)),
      // At least one, however full the queue is: its jobs may be of a kind that never gets done.
      jobsLeft: Math.max(1, waitingJobsMax - waitingJobs),
    };
  }

  /** @returns how many of a partition's orders were enqueued. */
  async function sweepPartition(partition: number, found: readonly Found[], allowance: Allowance): Promise<number> {
    const due = found.filter(({ id }) => id < allowance.before);
    if (due.length === 0 || allowance.jobsLeft === 0) return 0;
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

    for (let pages = 0; pages < pagesPerRoundMax; pages += 1) {
      const page = await collections.orders.pendingBetween({ after, before, countMax: pageSize });
      const found = Map.groupBy(page, ({ workspaceId }) => partitionOf(workspaceId, count));
      await Promise.all([...found].map(([partition, ofPartition]) => sweepFound(partition, ofPartition)));
      after = page.length < pageSize ? '' : (page.at(-1)?.id ?? '');
      if (after === '') break;
    }
    if (orders > 0) log.info({ orders }, 'orders that nobody had posted are enqueued again');
    const [cause] = failed.values();
    if (failed.size > 0) throw new Error(`partitions not swept: ${[...failed.keys()].join(', ')}`, { cause });
  };
}

interface Found {
  readonly id: string;
  readonly workspaceId: string;
}
