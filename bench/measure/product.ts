import { startService, type OnLine, type ServiceProcess } from '../servers/service.ts';
import type { Stage } from '../servers/stage.ts';
import { wake } from './enqueue.ts';
import type { PostingSide } from './post.ts';

const warmUpOrders = 10_000;

/** The product's own workers. */
export function productSide(workerCount: number, profileFolder?: string): PostingSide {
  return {
    warmUpOrders,
    enqueue: wake,
    start: (stage) => startWorkers(stage, workerCount, profileFolder),
  };
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
