import { assignPartitions, partitionsOf } from '../domain/partition.ts';
import type { Logger } from '../log.ts';
import type { PartitionConsumer } from '../queue/partition-consumer.ts';
import { startRounds } from '../rounds.ts';
import type { Leases } from '../storage/leases/leases.ts';
import type { Heartbeat } from './heartbeat.ts';

interface PartitionOwnerTools {
  readonly leases: Leases;
  readonly heartbeat: Pick<Heartbeat, 'workers'>;
  /** Whether this worker can consume. While it cannot, it has no partition. */
  readonly mayWork: () => boolean;
  readonly partitionCount: () => number;
  readonly startConsumer: (partition: number) => PartitionConsumer;
  readonly instanceId: string;
  readonly log: Logger;
  /** The pause between rounds. */
  readonly roundEveryMs?: number;
}

const usualRoundEveryMs = 400;
const roundMaxMs = 2_000;
/** After this long a dead owner has a successor. It is ten rounds, so that a few may fail. */
const leaseMs = 4_000;

/** The name of a partition's lease. Its holder is the partition's owner. */
export function partitionLease(partition: number): string {
  return `partition-${partition}`;
}

interface Held {
  readonly consumer: PartitionConsumer;
  /** Settles once the consumer has ended. */
  closing?: Promise<void>;
}

/**
 * Has this worker consume its share of the partitions, each under a lease. There is no coordinator: every worker
 * computes the shares from the heartbeats and the leases. A partition that is no longer its own it hands over in good
 * order: it ends its groups first, and then releases the lease. It does so with all of them while it may not work. If
 * another worker took the lease because this one was silent, the partition is given up at once. If a partition has two
 * owners for a moment, MongoDB's guards still let each order be posted only once.
 * Source: docs/posting.md, "Partitions".
 */
export function startPartitionOwner(tools: PartitionOwnerTools) {
  const { instanceId, mayWork, log, roundEveryMs = usualRoundEveryMs } = tools;
  const own = createOwnPartitions(tools);
  let isClosed = false;
  let told = '';
  let isIdle = false;

  async function round(): Promise<void> {
    const owners = await own.prolong(tools.partitionCount());
    const workers = tools.heartbeat.workers();
    if (workers === undefined || isClosed) return;
    const share = mayWork() ? shareOf(workers, owners) : new Set<number>();
    for (const partition of own.held()) if (!share.has(partition)) void own.giveUp(partition);
    await Promise.all([...share].map((partition) => own.take(partition, () => !isClosed && mayWork())));
    const partitions = own.consumed();
    if (partitions.join() !== told) log.info({ partitions }, 'partitions of this worker');
    told = partitions.join();
  }

  function shareOf(workers: readonly string[], owners: ReadonlyMap<number, string | undefined>): ReadonlySet<number> {
    const share = new Set(assignPartitions(workers, tools.partitionCount(), owners).get(instanceId));
    const wasIdle = isIdle;
    isIdle = share.size === 0 && workers.includes(instanceId);
    if (isIdle && !wasIdle) log.info({ workers: workers.length }, 'more workers than partitions: this one waits');
    return share;
  }

  const rounds = startRounds({
    ...{ everyMs: roundEveryMs, roundMaxMs, round },
    told: { log, what: 'looking after the leases of partitions' },
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

/** The partitions whose leases this process holds, each with its consumer. */
function createOwnPartitions({ leases, instanceId, log, startConsumer }: PartitionOwnerTools) {
  const held = new Map<number, Held>();

  async function giveUp(partition: number): Promise<void> {
    const own = held.get(partition);
    if (own === undefined) return;
    own.closing ??= own.consumer
      .close()
      .catch((error: unknown) => {
        log.warn({ err: error, partition }, 'a consumer did not end well');
      })
      // If this fails, the lease expires. One that another worker took stays as it is.
      .then(() => leases.release(partitionLease(partition), instanceId).catch(() => undefined))
      .finally(() => held.delete(partition));
    await own.closing;
  }

  return {
    giveUp,
    held: () => [...held.keys()],
    /** The partitions that are not being given up, ascending. */
    consumed: () => {
      const open = [...held].filter(([, { closing }]) => closing === undefined);
      return open.map(([partition]) => partition).sort((a, b) => a - b);
    },
    /** Renews the leases of own partitions, and gives up those that others took. @returns the holder of each partition. */
    async prolong(count: number): Promise<ReadonlyMap<number, string | undefined>> {
      const asked = [...held];
      const own = asked.map(([partition]) => partition);
      if (own.length > 0) await leases.prolong(own.map(partitionLease), instanceId, leaseMs);
      const partitions = [...new Set([...own, ...partitionsOf(count)])];
      const holderOf = await leases.holders(partitions.map(partitionLease));
      for (const [partition, { closing }] of asked) {
        if (holderOf.get(partitionLease(partition)) === instanceId || closing !== undefined) continue;
        log.warn({ partition }, 'another worker took over this partition while this one was silent');
        void giveUp(partition);
      }
      return new Map(partitions.map((partition) => [partition, holderOf.get(partitionLease(partition))]));
    },
    /** Takes a partition and consumes it, if its lease is free and it still may. */
    async take(partition: number, mayConsume: () => boolean) {
      if (held.has(partition)) return;
      if (!(await leases.take(partitionLease(partition), instanceId, leaseMs)) || held.has(partition)) return;
      if (!mayConsume()) await leases.release(partitionLease(partition), instanceId);
      else held.set(partition, { consumer: startConsumer(partition) });
    },
  };
}
