import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { watchQueues } from '../../src/queue/queue-watch.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const redis = new Redis((await testRedis()).url);
const log = pino({ level: 'silent' });
const posters = db.collection<{ _id: string; lastSeenAt: Date }>('posters');
const key = (prefix: string): string => `${prefix}:queues`;
const longAgo = new Date(0);
const lookEveryMs = 50;

interface Watched {
  readonly watch: ReturnType<typeof watchQueues>;
  compared: number;
  /** What was found wrong. */
  found: string[];
  now: number;
}

const opened: Watched[] = [];
beforeEach(async () => {
  await redis.flushdb();
  for (const name of ['posters', 'partitioning', 'leases']) await db.collection(name).deleteMany({});
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ watch }) => watch.close()));
});
afterAll(() => {
  redis.disconnect();
});

function start(instanceId: string, prefix = 'one', ownRedis = redis): Watched {
  const watched: Watched = {
    watch: watchQueues(
      { redis: ownRedis, prefix },
      { instanceId, kind: 'web' },
      collections,
      (_, wrong) => {
        watched.compared += 1;
        if (wrong?.setting !== undefined) watched.found.push(wrong.message);
      },
      log,
      { now: () => watched.now, lookEveryMs },
    ),
    ...{ compared: 0, found: [], now: 0 },
  };
  opened.push(watched);
  return watched;
}

const untilRight = ({ watch }: Watched) => waitFor(watch.areRight);
async function untilCompared(watched: Watched, times = 3): Promise<void> {
  const until = watched.compared + times;
  await waitFor(() => watched.compared >= until);
}

describe('queues', () => {
  test('get an id from the first process, which all others see', async () => {
    const first = start('first');
    await untilRight(first);
    const id = await redis.get(key('one'));
    const second = start('second');
    await untilRight(second);
    expect(await redis.get(key('one'))).toBe(id);
    expect((await collections.queueRecord.read()).queues).toEqual({ prefix: 'one', id });
  });

  test('that get their id while another process looks for it are not taken for other ones', async () => {
    let first: Watched | undefined;
    const slow = new Proxy(redis, {
      get: (target, name) => {
        if (name !== 'get') return Reflect.get(target, name, target) as unknown;
        return async (asked: string) => {
          const answer = await target.get(asked);
          if (first === undefined) {
            first = start('first');
            await untilRight(first);
          }
          return answer;
        };
      },
    });
    const second = start('second', 'one', slow);
    await untilRight(second);
    expect(second.found).toEqual([]);
  });

  test('are those of one of two processes that start at once with different ones', async () => {
    const both = [start('first', 'one'), start('second', 'two')];
    await waitFor(() => both.some(({ watch }) => watch.areRight()));
    for (const each of both) await untilCompared(each);
    expect(both.filter(({ watch }) => watch.areRight())).toHaveLength(1);
    expect(await redis.exists(key('one'), key('two'))).toBe(1);
  });

  test('that are another database’s are not taken, whoever sees what', async () => {
    await redis.set(key('one'), 'another:id');
    const first = start('first');
    await untilCompared(first);
    expect(first.watch.wrongSetting()).toMatchObject({
      ...{ setting: 'REDIS_URL', message: expect.stringContaining('the queues of another database') as string },
    });
    expect(await redis.get(key('one'))).toBe('another:id');
  });

  test('that were restored with an older id get a new one, once nobody sees the recorded one', async () => {
    const first = start('first');
    await untilRight(first);
    const { databaseId, queues } = await collections.queueRecord.read();
    await redis.set(key('one'), `${databaseId}:older`);
    await waitFor(async () => (await collections.queueRecord.read()).queues?.id !== queues?.id);
    await untilRight(first);
    expect(await redis.get(key('one'))).not.toBe(`${databaseId}:older`);
  });

  test('without an id are not those of a new process while one that sees it is silent, for half a minute', async () => {
    const { databaseId } = await collections.queueRecord.read();
    const seen = { prefix: 'one', id: `${databaseId}:id` };
    await collections.queueRecord.replace(undefined, seen);
    await collections.queueSights.record('silent', 'worker', seen);
    const first = start('first', 'two');
    await untilCompared(first);
    const message = expect.stringContaining(
      'QUEUE_PREFIX is "two", but process silent of this database uses',
    ) as string;
    expect(first.watch.wrongSetting()).toMatchObject({ setting: 'QUEUE_PREFIX', message });
    await posters.updateOne({ _id: 'silent' }, { $set: { lastSeenAt: longAgo } });
    await untilRight(first);
    expect(await redis.exists(key('two'))).toBe(1);
  });

  test('that are emptied stay right for who saw them, though another cannot look; after a grace they get a new id', async () => {
    const first = start('first');
    await untilRight(first);
    const { queues } = await collections.queueRecord.read();
    const beat = setInterval(() => void collections.queueSights.record('cut off', 'web', undefined), 200);
    try {
      await collections.queueSights.record('cut off', 'web', queues);
      await redis.flushdb();
      await untilCompared(first);
      expect(first.watch.areRight()).toBe(true);
      expect(await redis.exists(key('one'))).toBe(0);
      first.now = 5_000;
      await waitFor(() => redis.exists(key('one')).then((count) => count === 1));
      expect(first.watch.areRight()).toBe(true);
    } finally {
      clearInterval(beat);
    }
  });

  test('that have none are wrong after the grace where another process still sees the recorded ones', async () => {
    const first = start('first');
    await untilRight(first);
    const { queues } = await collections.queueRecord.read();
    await redis.flushdb();
    const look = () => collections.queueSights.record('elsewhere', 'web', queues);
    const beat = setInterval(() => void look(), 100);
    try {
      await look();
      await untilCompared(first, 2);
      expect(first.watch.areRight()).toBe(true);
      // The second of two looks has begun since.
      await look();
      await look();
      first.now = 5_000;
      await waitFor(() => !first.watch.areRight());
      const message = expect.stringContaining('leads to another Redis than that of process elsewhere') as string;
      expect(first.watch.wrongSetting()).toMatchObject({ setting: 'REDIS_URL', message });
      expect(await redis.exists(key('one'))).toBe(0);
    } finally {
      clearInterval(beat);
    }
  });
});

test('a web process is listed while it runs, and no worker ends its sessions', async () => {
  const first = start('first');
  await untilRight(first);
  expect(await collections.workers.takingPartitions(60_000)).toEqual([]);
  expect(await collections.workers.reapSilent('worker', -60_000)).toEqual([]);
  await first.watch.close();
  expect(await posters.countDocuments()).toBe(0);
  await posters.insertOne({ _id: 'killed', lastSeenAt: longAgo, kind: 'web', sessionIds: [] } as never);
  expect(await collections.workers.reapSilent('worker', 4_000)).toEqual([]);
  expect(await posters.countDocuments()).toBe(0);
});
