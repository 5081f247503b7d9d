import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followPosting } from '../../src/posting/follow.ts';
import { createPostingQueue, openPostingQueue, type PostingQueue } from '../../src/queue/posting-queue.ts';
import { openPostingPause } from '../../src/storage/posting-pause.ts';
import { openProcessReports } from '../../src/storage/processes/reports.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const { url } = await testRedis();
const log = pino({ enabled: false });
const pause = openPostingPause(db);
const reports = openProcessReports(db);
const documents = db.collection<{ _id: string }>('partitioning');

let redis: Redis;
let queue: PostingQueue;
let jobs: ReturnType<typeof openPostingQueue>;
let following: Awaited<ReturnType<typeof followPosting>>;
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
const sources = { postingPause: pause, processReports: reports };
const follow = async () => (following = await followPosting(sources, queue, log, AbortSignal.timeout(10_000)));

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

test('how many workers post is known a moment after they come', async () => {
  const { workers } = await follow();
  expect(workers()).toBe(1);
  const posters = db.collection<{ _id: string }>('posters');
  const row = { kind: 'worker', report: {}, reportedAt: new Date() };
  await posters.insertMany(['a', 'b'].map((_id) => ({ _id, ...row })));
  await waitFor(() => workers() === 2);
});
