import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bucketOf } from '../../src/domain/bucket.ts';
import { leastIdAt } from '../../src/domain/ids.ts';
import {
  anywhereIn,
  createPostingQueue,
  openPostingQueue,
  postingQueueName,
  type PostingQueue,
  type Turnover,
} from '../../src/queue/posting-queue.ts';
import { testRedis } from '../support/redis.ts';

const { url } = await testRedis();
const redis = new Redis(url, { maxRetriesPerRequest: null });

/** Workspaces of one bucket, in the order in which those of one millisecond are taken, and one of another. */
const [first = '', second = '', third = ''] = sameBucket();
const elsewhere = 'elsewhere';
const bucket = bucketOf(first);

let prefix: string;
let queue: PostingQueue;
beforeEach(() => {
  prefix = `posting-queue-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
});
afterEach(() => queue.close());
afterAll(() => {
  redis.disconnect();
});

function sameBucket(): string[] {
  const ids = Array.from({ length: 1_000 }, (_, index) => `ws_${index}`).filter(
    (id) => bucketOf(id) !== bucketOf('elsewhere'),
  );
  return (
    Object.values(Object.groupBy(ids, bucketOf))
      .find((ofOne) => (ofOne?.length ?? 0) >= 3)
      ?.sort() ?? []
  );
}

const holder = (run: string, instanceId = 'a') => ({ instanceId, run, sessions: ['c2Vzc2lvbg=='] });
const turnover = (more: Partial<Turnover> = {}): Turnover => ({
  ...{ isFirst: false, done: [], back: [], takeMax: 10 },
  ...more,
});
const take = (run: string, more: Partial<Turnover> = {}, instanceId?: string) =>
  queue.take(bucket, holder(run, instanceId), turnover(more));

async function countJobs() {
  const jobs = openPostingQueue(redis, prefix);
  const waiting = await jobs.getWaiting();
  await jobs.close();
  return waiting.map(({ data }) => data.bucket);
}

describe('waking', () => {
  test('adds one job a bucket, however often, and stands each workspace in line once', async () => {
    await queue.wake(anywhereIn([first, second, elsewhere]));
    for (let times = 0; times < 3; times += 1) await queue.wake(anywhereIn([first, third]));
    expect((await countJobs()).toSorted()).toEqual([bucket, bucketOf(elsewhere)].toSorted());
    expect(await take('1', { isFirst: true })).toMatchObject({ waiting: 0, before: undefined, isLeft: false });
  });

  test('of nothing does nothing', async () => {
    await queue.wake(anywhereIn([]));
    expect(await countJobs()).toEqual([]);
  });
});

describe('taking', () => {
  test('gives those that have waited longest, as many as are asked for', async () => {
    // The line is kept to the millisecond.
    for (const id of [first, second, third]) {
      await queue.wake(anywhereIn([id]));
      await delay(2);
    }
    expect(await take('1', { isFirst: true, takeMax: 2 })).toMatchObject({
      ...{ workspaces: anywhereIn([first, second]), waiting: 1 },
    });
    expect(await take('1', { done: [first], back: anywhereIn([second]), takeMax: 1 })).toMatchObject({
      ...{ workspaces: anywhereIn([third]), waiting: 1 },
    });
    expect(await take('1', { done: [third], takeMax: 0 })).toMatchObject({ workspaces: anywhereIn([]), waiting: 1 });
    expect(await take('1')).toMatchObject({ workspaces: anywhereIn([second]), waiting: 0 });
  });

  test('gives one again that is woken while it is taken', async () => {
    await queue.wake(anywhereIn([first]));
    await take('1', { isFirst: true });
    await queue.wake(anywhereIn([first]));
    expect(await take('1')).toMatchObject({ workspaces: anywhereIn([first]), waiting: 0 });
    expect(await take('1', { done: [first] })).toMatchObject({ workspaces: anywhereIn([]), waiting: 0 });
  });

  test('tells since when orders of each wait: since the oldest of which anybody told, and if some told of none, at any time', async () => {
    const idAt = (time: number): string => leastIdAt('order', new Date(time));
    await queue.wake([
      { workspaceId: first, id: idAt(7_000) },
      { workspaceId: first, id: idAt(9_000) },
      { workspaceId: second, id: idAt(9_000) },
    ]);
    await queue.wake([{ workspaceId: first, id: idAt(8_000) }, ...anywhereIn([second])]);
    expect((await take('1', { isFirst: true }))?.workspaces).toEqual([
      { workspaceId: first, id: idAt(7_000) },
      { workspaceId: second, id: '' },
    ]);
    // What is told later is a question of its own.
    await queue.wake([{ workspaceId: first, id: idAt(9_000) }]);
    const back = [{ workspaceId: second, id: idAt(8_000) }];
    expect((await take('1', { done: [first], back }))?.workspaces).toEqual([
      { workspaceId: first, id: idAt(9_000) },
      { workspaceId: second, id: idAt(8_000) },
    ]);
    // Who died may have left any of it.
    await queue.wake([{ workspaceId: first, id: idAt(9_000) }]);
    expect((await take('2', { isFirst: true }))?.workspaces).toEqual(anywhereIn([first, second]));
  });

  test('puts back what a run that died had taken, and tells who it was', async () => {
    await queue.wake(anywhereIn([first, second]));
    await take('1', { isFirst: true });
    await take('1', { done: [second], takeMax: 0 });
    expect(await take('2', { isFirst: true }, 'b')).toEqual({
      ...{ workspaces: anywhereIn([first]), waiting: 0, isLeft: true, before: holder('1') },
    });
    // The run that has lost the bucket gets nothing more, and takes nothing away.
    expect(await take('1', { done: [first], back: anywhereIn([second]) })).toBeUndefined();
    expect(await take('2', { back: anywhereIn([first]), takeMax: 0 }, 'b')).toMatchObject({ waiting: 1 });
    expect(await take('3', { isFirst: true }, 'b')).toMatchObject({ isLeft: false, before: holder('2', 'b') });
    expect(await queue.holderOf(bucket)).toEqual(holder('3', 'b'));
  });

  test('takes a holder that nobody of this service wrote for none', async () => {
    await redis.set(`${prefix}:${postingQueueName}-holder:${bucket}`, '{"sessions":{"$gt":""}}');
    expect(await take('1', { isFirst: true })).toMatchObject({ before: undefined });
  });
});

test('a pause is that of the queue, and repeated or taken back changes nothing', async () => {
  const jobs = openPostingQueue(redis, prefix);
  for (const isPaused of [true, true, false, false]) {
    await queue.setPaused(isPaused);
    expect(await jobs.isPaused()).toBe(isPaused);
  }
  await jobs.close();
});
