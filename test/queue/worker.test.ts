import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPostingQueue, queueName } from '../../src/queue/queue.ts';
import type { PostingQueue } from '../../src/queue/queue.ts';
import { startPostingWorker } from '../../src/queue/worker.ts';
import type { PostingWorker } from '../../src/queue/worker.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
const nothingDone = { completed: 0, failed: 0, passedOver: 0, setAside: 0 };
type Ending = typeof nothingDone | 'handedBack';

let redis: Redis;
let queue: PostingQueue;
/** The same queue, as a dashboard sees it. */
let jobs: Queue;
let worker: PostingWorker;
/** Ends a job that is in hand. */
let endings: ((ending?: Ending) => void)[];
let begun: string[];

beforeEach(() => {
  redis = new Redis(url, { maxRetriesPerRequest: null });
  const prefix = `worker-test-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
  jobs = new Queue(queueName, { connection: redis, prefix });
  [endings, begun] = [[], []];
  worker = startPostingWorker(redis, prefix, log, {
    post: async ([id = '']) => {
      begun.push(id);
      return new Promise((resolve) => {
        endings.push((ending = nothingDone) => {
          resolve(ending);
        });
      });
    },
    handBack: () => undefined,
  });
});
afterEach(async () => {
  for (const end of endings) end();
  await worker.close();
  await Promise.all([queue.close(), jobs.close()]);
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

  test('of none leaves a job that is handed back to others, with all its attempts', async () => {
    await queue.enqueue(['a'], []);
    await waitFor(() => begun.length === 1);
    worker.setIntake('none');
    // A look for jobs that was under way may bring it once more.
    await waitFor(() => {
      for (const end of endings.splice(0)) end('handedBack');
      return worker.isIdle();
    });
    expect(await queue.waitingCount()).toBe(1);
    const starts = begun.length;
    worker.setIntake('full');
    await waitFor(() => begun.length > starts);
    endings.shift()?.();
    const [job] = await waitFor(async () => {
      const completed = await jobs.getCompleted();
      return completed.length > 0 && completed;
    });
    expect(job).toMatchObject({ attemptsStarted: starts + 1, attemptsMade: 1, returnvalue: nothingDone });
  });

  test('comes back after it was none', async () => {
    worker.setIntake('none');
    await waitFor(() => worker.isIdle());
    await queue.enqueue(['a'], []);
    worker.setIntake('one');
    await waitFor(() => begun.length === 1);
  });
});
