import { partitionsOf } from '../domain/partition.ts';
import type { Logger } from '../log.ts';
import type { PartitionConsumer } from '../queue/partition-consumer.ts';
import type { Leases } from '../storage/leases.ts';

export type OwnPartitions = ReturnType<typeof createOwnPartitions>;

interface OwnPartitionsOptions {
  readonly leases: Pick<Leases, 'take' | 'prolong' | 'holders' | 'release'>;
  /** Holds the leases. */
  readonly instanceId: string;
  readonly startConsumer: (partition: number) => PartitionConsumer;
  readonly log: Logger;
}

/** After this long a dead owner has a successor. It is ten rounds of the owner, so that a few may fail. */
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

/** The partitions whose leases this process holds, each with its consumer. */
export function createOwnPartitions({ leases, instanceId, startConsumer, log }: OwnPartitionsOptions) {
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
    instanceId,
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
