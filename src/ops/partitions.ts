import { partitionsOf } from '../domain/partition.ts';
import { countedStates, type QueueCounts, type QueueInspection } from '../queue/inspection.ts';
import type { PartitionCount } from '../posting/partition-count.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';

/** One partition at one moment. */
export type PartitionState = Awaited<ReturnType<ReadPartitions>>[number];
export type ReadPartitions = ReturnType<typeof createPartitionReader>;

/** Reads every partition, with its queue and its owner. The reading rejects if MongoDB or Redis is away. */
export function createPartitionReader(
  inspection: QueueInspection,
  { now: count, isPaused }: Pick<PartitionCount, 'now' | 'isPaused'>,
) {
  return (reading: Promise<readonly ProcessReport[]>) => {
    const read = async (partition: number) => {
      const [jobs, reports] = await Promise.all([inspection.counts(partition), reading]);
      /** Instance ids of the workers that say that they consume it: one, except for moments. */
      const owners = reports.filter(({ partitions }) => partitions.includes(partition)).map(({ id }) => id);
      return { partition, owners, jobs, isPaused: isPaused(partition) };
    };
    return Promise.all(partitionsOf(count()).map(read));
  };
}

export const isUnowned = ({ owners }: PartitionState): boolean => owners.length === 0;

/** Jobs of all partitions together. */
export function totalOf(partitions: readonly PartitionState[]): QueueCounts {
  const total = (state: keyof QueueCounts): number => partitions.reduce((sum, { jobs }) => sum + jobs[state], 0);
  return Object.fromEntries(countedStates.map((state) => [state, total(state)])) as QueueCounts;
}

/** How many there are, and how many have work that may be done. */
export function usedOf(partitions: readonly PartitionState[]): { partitions: number; partitionsWithJobs: number } {
  const withJobs = partitions.filter(({ jobs, isPaused }) => (isPaused ? jobs.active : jobs.waiting + jobs.active) > 0);
  return { partitions: partitions.length, partitionsWithJobs: withJobs.length };
}
