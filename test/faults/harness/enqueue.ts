import { Redis } from 'ioredis';
import { redisUrl } from '../../../embedded/local/redis.ts';
import type { WorkspaceOrders } from '../../../src/domain/workspaceOrders.ts';
import { createPostingQueues } from '../../../src/queue/queue.ts';
import { openPartitioning } from '../../../src/storage/partitioning.ts';
import type { MongodbServer } from './mongodb-server.ts';
import type { RedisServer } from './redis-server.ts';

/** The product's default, which the stack runs with. */
const queuePrefix = 'transfers';

/** Puts so many jobs for the same orders into their partitions' queues. */
export async function enqueue(
  { mongodb, redis }: { mongodb: MongodbServer; redis: RedisServer },
  batches: readonly WorkspaceOrders[],
  times: number,
): Promise<void> {
  const client = new Redis(redisUrl(redis.address.port), { maxRetriesPerRequest: null });
  const count = await openPartitioning(mongodb.client.db()).agree(undefined);
  const queues = createPostingQueues(client, queuePrefix, () => count);
  try {
    await Promise.all(Array.from({ length: times }, () => queues.enqueue(batches)));
  } finally {
    await queues.close();
    client.disconnect();
  }
}
