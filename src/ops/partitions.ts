import { partitionsOf } from '../domain/partition.ts';
import { countedStates } from '../queue/inspection.ts';
import type { QueueCounts, QueueInspection } from '../queue/inspection.ts';
import type { ProcessReport } from './reports.ts';

/** One partition at one moment. */
export type PartitionState = Awaited<ReturnType<typeof readPartitions>>[number];

/** Every partition, with its queue and its owner. @throws where Redis is away. */
export async function readPartitions(
  inspection: QueueInspection,
  count: number,
  reading: Promise<readonly ProcessReport[]>,
) {
  const partitions = partitionsOf(count);
  const [jobs, paused, reports] = await Promise.all([
    Promise.all(partitions.map(inspection.counts)),
    Promise.all(partitions.map(inspection.isPaused)),
    reading,
  ]);
  return partitions.map((partition) => ({
    partition,
    /** Instance ids of the workers that say that they consume it: one, but for a moment. */
    owners: reports.filter((report) => report.partitions.includes(partition)).map(({ id }) => id),
    jobs: jobs[partition] ?? noJobs,
    /** An operator paused the queue: no job of it is begun. */
    isPaused: paused[partition] ?? false,
  }));
}

const noJobs = Object.fromEntries(countedStates.map((state) => [state, 0])) as QueueCounts;

/** Jobs of all partitions together. */
export function totalOf(partitions: readonly PartitionState[]): QueueCounts {
  const total = (state: keyof QueueCounts): number => partitions.reduce((sum, { jobs }) => sum + jobs[state], 0);
  return Object.fromEntries(countedStates.map((state) => [state, total(state)])) as QueueCounts;
}

/** How many there are, and how many have work. */
export function usedOf(partitions: readonly PartitionState[]): { partitions: number; partitionsWithJobs: number } {
  const withJobs = partitions.filter(({ jobs }) => jobs.waiting + jobs.active > 0);
  return { partitions: partitions.length, partitionsWithJobs: withJobs.length };
}
