import type { Job } from 'bullmq';
import type { RedisClient } from '../redis/connection.ts';
import { batchesOf, type PostingJobData } from './job-data.ts';
import { createQueueCache, type PartitionQueue, type PostingJobResult } from './queue.ts';

export type PostingJob = Job<PostingJobData, PostingJobResult>;
export type QueueCounts = Readonly<Record<(typeof countedStates)[number], number>>;

export type QueueInspection = ReturnType<typeof openQueueInspection>;

export const countedStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;
const jobsPerStateMax = 100;

/** The posting queues, for looking at. On a connection of its own, so that looking never delays the service. */
export function openQueueInspection(redis: RedisClient, prefix: string) {
  const queues = createQueueCache(redis, prefix);

  async function endedBetween(queue: PartitionQueue, from: Date, to: Date): Promise<(PostingJob | undefined)[]> {
    const range = [from.getTime(), to.getTime(), 'LIMIT', 0, jobsPerStateMax] as const;
    const ids = await redis.zrangebyscore(queue.toKey('completed'), ...range);
    return Promise.all(ids.map((id) => queue.getJob(id)));
  }

  return {
    /** For a dashboard. */
    queueOf: (partition: number): PartitionQueue => queues.get(partition),
    counts: async (partition: number): Promise<QueueCounts> => {
      const counts = await queues.get(partition).getJobCounts(...countedStates);
      return Object.fromEntries(countedStates.map((state) => [state, counts[state] ?? 0])) as QueueCounts;
    },
    /**
     * The jobs of a partition that carry an order, oldest first: of those that wait or run now, of the latest failures, and
     * of those that ended between `from` and `to`. Bounded. A finished job is kept only until newer ones push it out.
     */
    async jobsOf(orderId: string, partition: number, from: Date, to: Date): Promise<PostingJob[]> {
      const queue = queues.get(partition);
      const found = await Promise.all([
        queue.getJobs(['active', 'waiting', 'delayed', 'failed'], 0, jobsPerStateMax - 1),
        endedBetween(queue, from, to),
      ]);
      return found
        .flat()
        .filter((job) => job !== undefined)
        .filter(({ data }) => batchesOf(data).some(({ orderIds }) => orderIds.includes(orderId)))
        .sort((a, b) => a.timestamp - b.timestamp);
    },
    close: () => queues.close(),
  };
}
