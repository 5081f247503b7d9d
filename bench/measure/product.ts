import { partitionOf } from '../../src/domain/partition.ts';
import { byWorkspace } from '../../src/domain/workspace-orders.ts';
import { queueNameOf } from '../../src/queue/queue.ts';
import type { RecordedOrder } from '../../src/storage/orders/documents.ts';
import { startService, type OnLine, type ServiceProcess } from '../servers/service.ts';
import type { Stage } from '../servers/stage.ts';
import type { QueueJob } from './enqueue.ts';
import type { PostingSide } from './post.ts';

/** Orders of one job, as one accept flush under load makes them. */
const ordersPerJob = 256;
const warmUpOrders = 10_000;

/** The product's own workers. */
export function productSide(workerCount: number, profileFolder?: string): PostingSide {
  return {
    warmUpOrders,
    jobsOf: productJobs,
    start: (stage) => startWorkers(stage, workerCount, profileFolder),
  };
}

/** Jobs as the web process makes them: each with orders of one partition. */
export function productJobs(orders: readonly RecordedOrder[], partitionCount: number): QueueJob[] {
  const byPartition = Map.groupBy(orders, ({ workspaceId }) => partitionOf(workspaceId, partitionCount));
  return [...byPartition].flatMap(([partition, ofPartition]) =>
    Array.from({ length: Math.ceil(ofPartition.length / ordersPerJob) }, (_, job) => ({
      queue: queueNameOf(partition),
      data: { batches: byWorkspace(ofPartition.slice(job * ordersPerJob, (job + 1) * ordersPerJob)) },
    })),
  );
}

export interface RunningWorkers {
  readonly all: readonly ServiceProcess[];
  /** By name. */
  readonly pids: Record<string, number>;
  stop(): Promise<void>;
}

export async function startWorkers(
  stage: Pick<Stage, 'env'>,
  count: number,
  profileFolder?: string,
  onLine?: OnLine,
): Promise<RunningWorkers> {
  const started = await Promise.allSettled(
    Array.from({ length: count }, () => startService('worker', stage.env, profileFolder, onLine)),
  );
  const workers: ServiceProcess[] = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  let stopping: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    stopping ??= Promise.all(workers.map((worker) => worker.stop()));
    await stopping;
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const pids = Object.fromEntries(
    workers.map(({ pid }, index) => [count === 1 ? 'worker' : `worker ${index + 1}`, pid]),
  );
  return { all: workers, pids, stop };
}
