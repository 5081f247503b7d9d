import { Queue } from 'bullmq';
import { pino } from 'pino';
import { bucketOf } from '../../../src/domain/bucket.ts';
import { anywhereIn, createPostingQueue, postingQueueName } from '../../../src/queue/posting-queue.ts';
import { connectRedis, type RedisClient } from '../../../src/redis/connection.ts';

/** The product's default, which the stack runs with. */
const prefix = 'transfers';
const connectedWithinMs = 20_000;

interface Servers {
  redis: { url: string };
}

/** Wakes workspaces, as whoever makes orders does. */
export function wake(servers: Servers, workspaceIds: readonly string[]): Promise<void> {
  return withRedis(servers, async (redis) => {
    const queue = createPostingQueue(redis, prefix);
    await queue.wake(anywhereIn(workspaceIds));
    await queue.close();
  });
}

/** Wakes workspaces, and adds so many jobs for each one's bucket beside the one that is theirs: two runs of a bucket at once. */
export async function addJobs(servers: Servers, workspaceIds: readonly string[], times: number): Promise<void> {
  await wake(servers, workspaceIds);
  await withRedis(servers, async (connection) => {
    const queue = new Queue(postingQueueName, { connection, prefix });
    const jobs = workspaceIds.map((id) => ({ name: 'post', data: { bucket: bucketOf(id) } }));
    await queue.addBulk(Array.from({ length: times }, () => jobs).flat());
    await queue.close();
  });
}

async function withRedis({ redis }: Servers, work: (client: RedisClient) => Promise<void>): Promise<void> {
  const log = pino({ enabled: false });
  const signal = AbortSignal.timeout(connectedWithinMs);
  const client = await connectRedis({ REDIS_URL: redis.url }, 'background', log, signal);
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}
