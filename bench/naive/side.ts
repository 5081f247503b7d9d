import { addJobs } from '../measure/enqueue.ts';
import type { PostingSide } from '../measure/post.ts';
import { forkProcess } from '../servers/forked.ts';
import type { Stage } from '../servers/stage.ts';
import { naiveQueueName } from './settings.ts';

const warmUpOrders = 1_000;

/** The naive worker as a side to be measured. @param concurrency jobs, and so transactions, at once. */
export function naiveSide(concurrency: number): PostingSide {
  return {
    warmUpOrders,
    enqueue: (stage, orders) => addJobs(stage, naiveQueueName, orders),
    start: (stage) => startNaiveWorker(stage, concurrency),
  };
}

export async function startNaiveWorker(
  stage: Stage,
  concurrency: number,
): Promise<{ pids: Record<string, number>; stop(): Promise<void> }> {
  const worker = forkProcess('naive/worker.ts', { ...stage.env, BENCH_CONCURRENCY: String(concurrency) });
  await worker.next();
  return { pids: { worker: worker.pid }, stop: () => worker.stop() };
}
