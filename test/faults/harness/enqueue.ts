import type { MongoClient } from 'mongodb';
import { pino } from 'pino';
import type { WorkspaceOrders } from '../../../src/domain/workspace-orders.ts';
import { createPostingQueues } from '../../../src/queue/queue.ts';
import { connectRedis } from '../../../src/redis/connection.ts';
import { openPartitioning } from '../../../src/storage/partitioning/partitioning.ts';

/** The product's default, which the stack runs with. */
const queuePrefix = 'transfers';
const connectedWithinMs = 20_000;

interface Servers {
  mongodb: { client: MongoClient };
  redis: { url: string };
}

/** Puts so many jobs for the same orders into their partitions' queues. */
export async function enqueue(
  { mongodb, redis }: Servers,
  batches: readonly WorkspaceOrders[],
  times: number,
): Promise<void> {
  const log = pino({ enabled: false });
  const client = await connectRedis(
    { REDIS_URL: redis.url },
    'background',
    log,
    AbortSignal.timeout(connectedWithinMs),
  );
  const count = await openPartitioning(mongodb.client.db()).agree(undefined);
  const queues = createPostingQueues(client, queuePrefix, () => count);
  try {
    await Promise.all(Array.from({ length: times }, () => queues.enqueue(batches)));
  } finally {
    await queues.close();
    client.disconnect();
  }
}
