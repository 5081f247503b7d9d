import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bucketCount, bucketOf } from '../../src/domain/bucket.ts';
import { startPostingConsumer, type RunBucket, type RunEnds } from '../../src/queue/posting-consumer.ts';
import {
  anywhereIn,
  createPostingQueue,
  openPostingQueue,
  postingQueueName,
  type PostedCounts,
  type PostingQueue,
} from '../../src/queue/posting-queue.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
const limits = { lockDurationMs: 1_000, stalledIntervalMs: 200, waitMaxMs: 200, lookEveryMs: 20 };
const posted: PostedCounts = { completed: 1, failed: 0, skipped: 0, setAside: 0 };

interface Run {
  readonly bucket: number;
  readonly ends: RunEnds;
  readonly end: () => void;
}

let redis: Redis;
let prefix: string;
let queue: PostingQueue;
let jobs: ReturnType<typeof openPostingQueue>;
let closers: (() => Promise<unknown>)[];
beforeEach(() => {
  redis = new Redis(url, { maxRetriesPerRequest: null });
  prefix = `posting-consumer-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
  jobs = openPostingQueue(redis, prefix);
  closers = [];
});
afterEach(async () => {
  for (const close of closers) await close();
  await Promise.all([queue.close(), jobs.close()]);
  redis.disconnect();
});

/** A worker process whose runs last until they are ended. */
function start(instanceId: string, connection = redis, workers = 1) {
  const runs: Run[] = [];
  const state = { mayWork: true, workers };
  const run: RunBucket = (bucket, ends) => {
    const { promise, resolve } = Promise.withResolvers<PostedCounts>();
    const end = () => {
      resolve(posted);
    };
    runs.push({ bucket, ends, end });
    // As a run does: others are to go on.
    if (ends.abandon.aborted) void queue.goOn(bucket).then(end);
    for (const signal of [ends.leave, ends.abandon]) signal.addEventListener('abort', end);
    return promise;
  };
  const source = { redis: connection, prefix, instanceId, mayWork: () => state.mayWork, workers: () => state.workers };
  const consumer = startPostingConsumer(source, run, log, limits);
  closers.push(async () => {
    for (const { end } of runs) end();
    await consumer.close();
  });
  return { runs, state, close: () => consumer.close() };
}

test('a bucket is run by one at a time, and once more if it was woken meanwhile; its job tells what became of it', async () => {
  const [a, b] = [start('a'), start('b')];
  const all = () => [...a.runs, ...b.runs];
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => all().length === 1);
  for (let times = 0; times < 3; times += 1) await queue.wake(anywhereIn(['ws', 'ws']));
  expect([await jobs.getActiveCount(), await jobs.getWaitingCount()]).toEqual([1, 0]);
  all()[0]?.end();
  await waitFor(() => all().length === 2);
  all()[0]?.end();
  for (const { end } of all()) end();
  await waitFor(async () => (await jobs.getCompletedCount()) === 2);
  expect(all().map(({ bucket }) => bucket)).toEqual([bucketOf('ws'), bucketOf('ws')]);
  const done = await jobs.getCompleted();
  expect(done.map(({ returnvalue }) => returnvalue)).toEqual([posted, posted]);
  expect(['a', 'b']).toContain(done[0]?.processedBy);
});

test('each of several workers takes its share at once, and all once it is alone', async () => {
  const first = start('a', redis, 4);
  await queue.wake(anywhereIn(Array.from({ length: 1_000 }, (_, index) => `ws_${index}`)));
  await waitFor(() => first.runs.length === bucketCount / 4);
  const second = start('b', redis, 4);
  await waitFor(() => second.runs.length === bucketCount / 4);
  expect(first.runs).toHaveLength(bucketCount / 4);
  first.state.workers = 1;
  // More are taken when a run ends, as each does soon.
  await waitFor(() => {
    first.runs.at(-1)?.end();
    return new Set([...first.runs, ...second.runs].map(({ bucket }) => bucket)).size === bucketCount;
  });
});

/** A connection with those that the library makes of it. */
function openConnections() {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const connections = [connection];
  const duplicate = connection.duplicate.bind(connection);
  connection.duplicate = (...values) => {
    const another = duplicate(...values);
    connections.push(another);
    return another;
  };
  const disconnect = (): void => {
    for (const each of connections) each.disconnect();
  };
  /** From now on the library waits for jobs without end, as on a connection that was lost at the wrong moment. */
  const wedge = (): void => {
    for (const each of connections.slice(1)) each.bzpopmin = () => new Promise(() => undefined);
  };
  return { connection, disconnect, wedge };
}

test('a job whose process is gone is run by another', async () => {
  const doomed = openConnections();
  const first = start('doomed', doomed.connection);
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => first.runs.length === 1);
  doomed.disconnect();
  const next = start('next');
  await waitFor(() => next.runs.length === 1, { timeoutMs: 10_000 });
});

test('a run whose lock is lost is told so', async () => {
  const worker = start('a');
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => worker.runs.length === 1);
  const [job] = await jobs.getActive();
  await redis.set(`${jobs.toKey(job?.id ?? '')}:lock`, 'another');
  await waitFor(() => worker.runs[0]?.ends.leave.aborted === true);
});

test('a process that stops tells its runs, and waits for them', async () => {
  const worker = start('a');
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => worker.runs.length === 1);
  await worker.close();
  expect(worker.runs[0]?.ends.leave.aborted).toBe(true);
  expect(await jobs.getCompletedCount()).toBe(1);
});

test('a process whose MongoDB does not answer abandons its runs, and takes no more until it does', async () => {
  const [cut, other] = [start('cut'), start('other')];
  cut.state.mayWork = false;
  await queue.wake(anywhereIn(['first']));
  await waitFor(() => other.runs.length + cut.runs.length > 0);
  if (cut.runs.length > 0) await waitFor(() => cut.runs[0]?.ends.abandon.aborted === true);
  for (const { end } of other.runs) end();
  await other.close();
  await queue.wake(anywhereIn(['second']));
  // What it has given back may wait too.
  await waitFor(async () => (await jobs.getWaiting()).some(({ data }) => data.bucket === bucketOf('second')));
  cut.state.mayWork = true;
  await waitFor(() => cut.runs.some(({ bucket }) => bucket === bucketOf('second')));
});

test('a job that is none of this service’s fails for good, whoever added it', async () => {
  start('a');
  const foreign = new Queue(postingQueueName, { connection: redis, prefix });
  for (const data of [{ bucket: -1 }, { bucket: 64 }, { bucket: { $gt: '' } }, 'odd', { causes: [] }]) {
    await foreign.add('post', data, { attempts: 5 });
  }
  await waitFor(async () => (await foreign.getFailedCount()) === 5);
  const [failed] = await foreign.getFailed();
  expect(failed?.failedReason).toMatch(/^not a job of this service: /);
  await foreign.close();
});

test('a connection on which waiting never ends delays a job by seconds, and no more', async () => {
  const { connection, wedge, disconnect } = openConnections();
  const worker = start('a', connection);
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => worker.runs.length === 1);
  worker.runs[0]?.end();
  await waitFor(async () => (await jobs.getCompletedCount()) === 1);
  wedge();
  await queue.wake(anywhereIn(['ws']));
  await waitFor(() => worker.runs.length === 2, { timeoutMs: 20_000 });
  worker.runs[1]?.end();
  await worker.close();
  disconnect();
});
