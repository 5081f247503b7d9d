/** What one transfer costs at each stage, in microseconds of one core, and what one worker reaches by itself. */
export interface StageCosts {
  readonly webMicros: number;
  readonly workerMicros: number;
  readonly redisMicros: number;
  /** Of MongoDB, for accepting and posting together. */
  readonly mongodbMicros: number;
  /** Transfers a second of one worker with a MongoDB to itself: it waits for commits too. */
  readonly oneWorkerPerSecond: number;
}

export interface Deployment {
  readonly workers: number;
  /** Cores that the primary of each shard can use. */
  readonly mongodbCores: number;
  readonly shards: number;
}

export interface Capacity {
  readonly perSecond: number;
  readonly limitedBy: 'workers' | 'MongoDB' | 'Redis';
  /** Web processes, a core each, that accept as much. */
  readonly webProcesses: number;
}

const microsPerSecond = 1_000_000;
/** A transaction over shards is prepared on each of them and then committed: two rounds and two writes for one. */
const shardedCostFactor = 2;

/**
 * The least of what the stages can do, each by itself: workers add up, MongoDB is bounded by its primaries' cores, and
 * Redis by its one thread. It supposes that groups in flight touch different wallets, and that every process has a core.
 */
export function capacityOf(costs: StageCosts, { workers, mongodbCores, shards }: Deployment): Capacity {
  const costFactor = shards > 1 ? shardedCostFactor : 1;
  const stages = [
    { limitedBy: 'workers', perSecond: workers * costs.oneWorkerPerSecond },
    {
      limitedBy: 'MongoDB',
      perSecond: (shards * mongodbCores * microsPerSecond) / (costs.mongodbMicros * costFactor),
    },
    { limitedBy: 'Redis', perSecond: microsPerSecond / costs.redisMicros },
  ] as const;
  const least = stages.reduce((a, b) => (b.perSecond < a.perSecond ? b : a));
  return { ...least, webProcesses: Math.ceil((least.perSecond * costs.webMicros) / microsPerSecond) };
}
