import { hash } from 'node:crypto';

/**
 * Which of `count` partitions a workspace's orders are posted in, from 0 on: the same in every process and release, and
 * evenly spread. Of another count it is another one for most workspaces.
 */
export function partitionOf(workspaceId: string, count: number): number {
  return hash('sha256', workspaceId, 'buffer').readUInt32BE(0) % count;
}

/**
 * Divides partitions among workers by rendezvous hashing with bounded loads: whoever computes it from the same names gets
 * the same answer, nobody has more than its share rounded up, and few partitions move where a worker comes or goes.
 * Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates"; Mirrokni, Thorup and Zadimoghaddam,
 * "Consistent Hashing with Bounded Loads".
 * @returns the partitions of each worker, ascending; every worker is in it.
 */
export function assignPartitions(workers: readonly string[], count: number): Map<string, number[]> {
  const assigned = new Map(workers.map((worker): [string, number[]] => [worker, []]));
  const share = Math.floor(count / assigned.size);
  let largerShares = count % assigned.size;
  const isAssigned = new Set<number>();
  for (const { worker, partition } of byAffinity([...assigned.keys()], count)) {
    const own = assigned.get(worker);
    if (own === undefined || isAssigned.has(partition) || own.length > share) continue;
    if (own.length === share) {
      if (largerShares === 0) continue;
      largerShares -= 1;
    }
    own.push(partition);
    isAssigned.add(partition);
  }
  for (const own of assigned.values()) own.sort((a, b) => a - b);
  return assigned;
}

interface Affinity {
  readonly worker: string;
  readonly partition: number;
  readonly rank: string;
}

/** Every pair, those that belong together most first. */
function byAffinity(workers: readonly string[], count: number): Affinity[] {
  const partitions = Array.from({ length: count }, (_, partition) => partition);
  const pairs = workers.flatMap((worker) =>
    partitions.map((partition) => ({ worker, partition, rank: hash('sha256', `${partition} ${worker}`) })),
  );
  return pairs.sort((a, b) => (a.rank < b.rank ? 1 : -1));
}
