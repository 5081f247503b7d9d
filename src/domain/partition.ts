import { hash } from 'node:crypto';

/**
 * Which of `count` partitions a workspace's orders are posted in, from 0 on: the same in every process and release, and
 * evenly spread. Of another count it is another one for most workspaces.
 */
export function partitionOf(workspaceId: string, count: number): number {
  return hash('sha256', workspaceId, 'buffer').readUInt32BE(0) % count;
}

/**
 * Divides partitions among workers: whoever computes it from the same names and owners gets the same answer, nobody has
 * more than its share rounded up, and no partition leaves a worker that has room for it. The others go by rendezvous
 * hashing with bounded loads. Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates"; Mirrokni,
 * Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads".
 * @param owners who has which partition now; workers that are not named among `workers` count as none.
 * @returns the partitions of each worker, ascending; every worker is in it.
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
  // Where nothing is to move, there is nothing to compare.
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

/** Those that there are, where there are so many. */
export function partitionsOf(count: number): number[] {
  return Array.from({ length: count }, (_, partition) => partition);
}

/** How many each may have. Where the shares are not whole, those have the larger ones that hold most. */
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

/** Every pair, those that belong together most first. */
function byAffinity(workers: readonly string[], partitions: readonly number[]): Affinity[] {
  const pairs = workers.flatMap((worker) =>
    partitions.map((partition) => ({ worker, partition, rank: hash('sha256', `${partition} ${worker}`) })),
  );
  return pairs.sort((a, b) => (a.rank < b.rank ? 1 : -1));
}
