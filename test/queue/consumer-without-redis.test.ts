import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startPartitionConsumer } from '../../src/queue/partition-consumer.ts';
import { createPostingQueues } from '../../src/queue/queue.ts';
import { connectRedis } from '../../src/redis/connection.ts';
import { startRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const log = pino({ enabled: false });
const prefix = 'without-redis';

test('a consumer that closes while Redis is away waits for the orders in hand, and not for Redis', async () => {
  const server = await startRedis();
  const redis = await connectRedis({ REDIS_URL: server.url }, 'background', log, AbortSignal.timeout(20_000));
  const queues = createPostingQueues(redis, prefix, () => 1);
  const posting = Promise.withResolvers<undefined>();
  let [isBegun, isClosed] = [false, false];
  const post = async () => {
    isBegun = true;
    await posting.promise;
    return { completed: 1, failed: 0, skipped: 0, setAside: 0 };
  };
  const consumer = startPartitionConsumer({ redis, prefix, log, handler: { post, requeue: () => undefined } }, 0);
  await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['a'] }]);
  await waitFor(() => isBegun);
  await server.kill();
  const closing = consumer.close().then(() => (isClosed = true));
  // Longer than it waits for Redis.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(isClosed).toBe(false);
  posting.resolve(undefined);
  await closing;
  redis.disconnect();
  await server.stop();
}, 30_000);
