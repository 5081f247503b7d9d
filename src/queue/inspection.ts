import type { RedisClient } from '../redis/connection.ts';
import { openPostingQueue } from './posting-queue.ts';

export type QueueCounts = Readonly<Record<(typeof countedStates)[number], number>>;

export type QueueInspection = ReturnType<typeof openQueueInspection>;

const countedStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;

/** The queue of posting, for looking at. On a connection of its own, so that looking never delays the service. */
export function openQueueInspection(redis: RedisClient, prefix: string) {
  const queue = openPostingQueue(redis, prefix);
  return {
    /** For a dashboard. */
    queue,
    /** Jobs by state: a job that waits or is active is a bucket of which workspaces wait. Throws if Redis is away. */
    counts: async (): Promise<QueueCounts> => {
      const counts = await queue.getJobCounts(...countedStates);
      return Object.fromEntries(countedStates.map((state) => [state, counts[state] ?? 0])) as QueueCounts;
    },
    close: () => queue.close(),
  };
}
