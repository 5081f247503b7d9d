import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPostingQueue } from '../../src/queue/queue.ts';
import type { PostingQueue } from '../../src/queue/queue.ts';
import { startPostingWorker } from '../../src/queue/worker.ts';
import type { PostingWorker } from '../../src/queue/worker.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
const nothingDone = { completed: 0, failed: 0, passedOver: 0, setAside: 0 };

let redis: Redis;
let queue: PostingQueue;
let worker: PostingWorker;
/** Ends a job that is in hand. */
let endings: (() => void)[];
let begun: string[];

beforeEach(() => {
  redis = new Redis(url, { maxRetriesPerRequest: null });
  const prefix = `worker-test-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
  [endings, begun] = [[], []];
  worker = startPostingWorker(redis, prefix, log, async ([id = '']) => {
    begun.push(id);
    await new Promise<void>((resolve) => endings.push(resolve));
    return nothingDone;
  });
});
afterEach(async () => {
  for (const end of endings) end();
  await worker.close();
  await queue.close();
  redis.disconnect();
});

describe('the intake of a posting worker', () => {
  test('of none leaves what is in hand, takes nothing more, and is idle only then', async () => {
    await queue.enqueue(['a'], []);
    await waitFor(() => begun.length === 1);
    worker.setIntake('none');
    expect(worker.isIdle()).toBe(false);
    endings.shift()?.();
    await waitFor(() => worker.isIdle());
    await queue.enqueue(['b'], []);
    // Nothing that could take it is left.
    expect(worker.isIdle()).toBe(true);
    expect(begun).toEqual(['a']);
  });

  test('of one takes a job at a time; of full, from the end of that one on, many', async () => {
    worker.setIntake('one');
    for (const id of ['a', 'b', 'c', 'd']) await queue.enqueue([id], []);
    await waitFor(() => begun.length === 1);
    endings.shift()?.();
    await waitFor(() => begun.length === 2);
    expect(endings).toHaveLength(1);
    worker.setIntake('full');
    endings.shift()?.();
    await waitFor(() => begun.length === 4);
    expect(endings).toHaveLength(2);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('comes back after it was none', async () => {
    worker.setIntake('none');
    await waitFor(() => worker.isIdle());
    await queue.enqueue(['a'], []);
    worker.setIntake('one');
    await waitFor(() => begun.length === 1);
  });
});
