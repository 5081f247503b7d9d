import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followPause } from '../../src/posting/pause.ts';
import { createPostingQueue, openPostingQueue, type PostingQueue } from '../../src/queue/posting-queue.ts';
import { openPostingPause } from '../../src/storage/posting-pause.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const { url } = await testRedis();
const log = pino({ enabled: false });
const pause = openPostingPause(db);
const documents = db.collection<{ _id: string }>('partitioning');

let redis: Redis;
let queue: PostingQueue;
let jobs: ReturnType<typeof openPostingQueue>;
let following: Awaited<ReturnType<typeof followPause>>;
beforeEach(async () => {
  await documents.deleteMany({});
  redis = new Redis(url, { maxRetriesPerRequest: null });
  const prefix = `pause-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
  jobs = openPostingQueue(redis, prefix);
});
afterEach(async () => {
  await following.close();
  await Promise.all([queue.close(), jobs.close()]);
  redis.disconnect();
});
const follow = async () => (following = await followPause(pause, queue, log, AbortSignal.timeout(10_000)));

test('what is recorded holds for the process and for the queue, also after Redis has forgotten it', async () => {
  const { isPaused } = await follow();
  expect(isPaused()).toBe(false);
  await pause.set(true);
  await waitFor(async () => isPaused() && (await jobs.isPaused()));
  await jobs.resume();
  await waitFor(() => jobs.isPaused());
  await pause.set(false);
  await waitFor(async () => !isPaused() && !(await jobs.isPaused()));
});

test('is known before anything begins', async () => {
  await pause.set(true);
  expect((await follow()).isPaused()).toBe(true);
});
