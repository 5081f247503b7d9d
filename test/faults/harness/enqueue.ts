import { Redis } from 'ioredis';
import { redisUrl } from '../../../embedded/local/redis.ts';
import { createPostingQueue } from '../../../src/queue/queue.ts';
import type { Stack } from './stack.ts';

/** The product's default, which the stack runs with. */
const queuePrefix = 'transfers';

/** Puts so many jobs for the same orders into the queue. */
export async function enqueue(stack: Stack, orderIds: readonly string[], times: number): Promise<void> {
  const redis = new Redis(redisUrl(stack.redis.address.port), { maxRetriesPerRequest: null });
  const queue = createPostingQueue(redis, queuePrefix);
  try {
    await Promise.all(Array.from({ length: times }, () => queue.enqueue(orderIds)));
  } finally {
    await queue.close();
    redis.disconnect();
  }
}
