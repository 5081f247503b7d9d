import { assignPartitions } from '../domain/partition.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { OwnPartitions } from './own-partitions.ts';

interface TakingPart {
  /** The workers that share the partitions; undefined while they are not known. */
  readonly workers: () => readonly string[] | undefined;
  /** Whether this worker can consume. While it cannot, it has no partition. */
  readonly mayWork: () => boolean;
}

const usualRoundEveryMs = 400;
const roundMaxMs = 2_000;

/**
 * Has this worker consume its share of the partitions, each under a lease. There is no coordinator: every worker
 * computes the shares from the heartbeats and the leases. It hands over a partition that leaves its share, or every one while
 * it may not work: it ends the groups first, and then releases the lease. If another worker took the lease because this one
 * was silent, the partition is given up at once. If a partition has two owners for a moment, MongoDB's guards still let each
 * order be posted only once.
 * Source: docs/posting.md, "Partitions".
 */
export function startPartitionOwner(
  own: OwnPartitions,
  part: TakingPart,
  partitionCount: () => number,
  log: Logger,
  roundEveryMs = usualRoundEveryMs,
) {
  let isClosed = false;
  let logged = '';
  let isIdle = false;

  async function round(): Promise<void> {
    const owners = await own.prolong(partitionCount());
    const workers = part.workers();
    if (workers === undefined || isClosed) return;
    const share = part.mayWork() ? shareOf(workers, owners) : new Set<number>();
    for (const partition of own.held()) if (!share.has(partition)) void own.giveUp(partition);
    await Promise.all([...share].map((partition) => own.take(partition, () => !isClosed && part.mayWork())));
    const partitions = own.consumed();
    if (partitions.join() !== logged) log.info({ partitions }, 'partitions of this worker');
    logged = partitions.join();
  }

  function shareOf(workers: readonly string[], owners: ReadonlyMap<number, string | undefined>): ReadonlySet<number> {
    const share = new Set(assignPartitions(workers, partitionCount(), owners).get(own.instanceId));
    const wasIdle = isIdle;
    isIdle = share.size === 0 && workers.includes(own.instanceId);
    if (isIdle && !wasIdle) log.info({ workers: workers.length }, 'more workers than partitions: this one waits');
    return share;
  }

  const rounds = startRounds({
    everyMs: roundEveryMs,
    roundMaxMs,
    round,
    logged: { log, what: 'looking after the leases of partitions' },
  });
  return {
    /** The partitions that this process consumes now, ascending. */
    owned: own.consumed,
    /** Ends what is begun and gives the leases back; resolves once that is done. */
    async close(): Promise<void> {
      isClosed = true;
      // The rounds go on meanwhile, because a group may take longer than a lease lasts.
      await Promise.all(own.held().map(own.giveUp));
      await rounds.close();
    },
  };
}
