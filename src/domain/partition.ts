import { hash } from 'node:crypto';

/**
 * The partition of a workspace's orders, from 0 to `count` - 1: the same in every process and release, and evenly spread.
 * With another count most workspaces have another partition.
 */
export function partitionOf(workspaceId: string, count: number): number {
  return hash('sha256', workspaceId, 'buffer').readUInt32BE(0) % count;
}

/**
 * Divides partitions among workers. The same names and owners give the same answer in every process. No worker has more
 * than its share rounded up, and no partition leaves a worker that has room for it. The others are assigned by rendezvous
 * hashing with bounded loads. Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates"; Mirrokni,
 * Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads".
 * @param owners who has which partition now; an owner that is not among `workers` counts as none.
 * @returns the partitions of every worker, ascending.
 */
export function assignPartitions(
  workers: readonly string[],
  count: number,
  owners: ReadonlyMap<number, string | undefined>,
): Map<string, number[]> {
  const held = Map.groupBy(partitionsOf(count), (partition) => owners.get(partition));
  const rooms = roomsOf(workers, count, held);
  const assigned = new Map(
    [...rooms].map(([worker, room]): [string, number[]] => {
      const kept = byAffinity([worker], held.get(worker) ?? []).slice(0, room);
      return [worker, kept.map(({ partition }) => partition)];
    }),
  );
  const isAssigned = new Set([...assigned.values()].flat());
  // Only the free partitions need a comparison of all workers; usually there are none.
  const free = partitionsOf(count).filter((partition) => !isAssigned.has(partition));
  for (const { worker, partition } of byAffinity(workers, free)) {
    const own = assigned.get(worker);
    if (own === undefined || own.length === rooms.get(worker) || isAssigned.has(partition)) continue;
    own.push(partition);
    isAssigned.add(partition);
  }
  for (const own of assigned.values()) own.sort((a, b) => a - b);
  return assigned;
}

/** The numbers of `count` partitions. */
export function partitionsOf(count: number): number[] {
  return Array.from({ length: count }, (_, partition) => partition);
}

/** How many partitions each worker may have. If shares are uneven, the workers that have most get the larger. */
function roomsOf(
  workers: readonly string[],
  count: number,
  held: ReadonlyMap<string | undefined, readonly number[]>,
): Map<string, number> {
  const holds = (worker: string): number => held.get(worker)?.length ?? 0;
  const byHeld = workers.toSorted((a, b) => holds(b) - holds(a) || (a < b ? -1 : 1));
  const share = Math.floor(count / workers.length);
  return new Map(byHeld.map((worker, place) => [worker, place < count % workers.length ? share + 1 : share]));
}

interface Affinity {
  readonly worker: string;
  readonly partition: number;
  readonly rank: string;
}

/** Every pair of worker and partition, the one with the highest hash first. */
function byAffinity(workers: readonly string[], partitions: readonly number[]): Affinity[] {
  const pairs = workers.flatMap((worker) =>
    partitions.map((partition) => ({ worker, partition, rank: hash('sha256', `${partition} ${worker}`) })),
  );
  return pairs.sort((a, b) => (a.rank < b.rank ? 1 : -1));
}
