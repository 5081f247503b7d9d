import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { agreeOnQueues, checkQueues, writeId } from '../../src/queue/queue-id.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const { queueRecord } = collections;
const redis = new Redis((await testRedis()).url);
const elsewhere = new Redis((await testRedis()).url);
const posters = db.collection<{ _id: string }>('posters');
const limits = { restoredWithinMs: 100, lookEveryMs: 10 };
const patient = { restoredWithinMs: 30_000, lookEveryMs: 10 };

beforeEach(async () => {
  await Promise.all([redis.flushdb(), elsewhere.flushdb()]);
  for (const name of ['posters', 'partitioning']) await db.collection(name).deleteMany({});
});
afterAll(() => {
  redis.disconnect();
  elsewhere.disconnect();
});

const agree = (instanceId: string, { prefix = 'one', at = redis, within = limits } = {}) =>
  agreeOnQueues({ redis: at, prefix }, instanceId, collections, within);

/** As a process that has just reported has it. */
async function reports(_id: string, down: object = {}): Promise<void> {
  const update = [{ $set: { report: { $literal: { id: _id, down } }, reportedAt: '$$NOW' } }];
  await posters.updateOne({ _id }, update, { upsert: true });
}

/** The process that recorded the queues did so long ago. */
const recordedLongAgo = () => db.collection('partitioning').updateOne({}, { $set: { at: new Date(0) } });

describe('queues', () => {
  test('get an id from the first process, which all others find', async () => {
    const queues = await agree('first');
    expect(await redis.get('one:queues')).toBe(queues.id);
    expect(await agree('second')).toEqual(queues);
    expect(await queueRecord.read()).toMatchObject({ queues, by: 'first' });
  });

  test('are the same for processes that start at once, however many', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => agree(`process-${index}`, { within: patient })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test('are those of one of two processes that start at once with different ones', async () => {
    for (const other of [{ prefix: 'two' }, { at: elsewhere }]) {
      await db.collection('partitioning').deleteMany({});
      const settled = await Promise.allSettled([agree('first'), agree('second', other)]);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('are refused under another prefix, or in another Redis, than those of a process that is alive', async () => {
    await agree('first');
    await recordedLongAgo();
    await reports('first');
    const named = 'QUEUE_PREFIX is "two", but process first of this database uses under "one"';
    await expect(agree('second', { prefix: 'two' })).rejects.toThrow(named);
    const moved = agree('second', { at: elsewhere });
    await expect(moved).rejects.toThrow('REDIS_URL leads to another Redis than that of process first of this database');
    expect(await elsewhere.dbsize()).toBe(0);
    await expect(checkQueues({ redis: elsewhere, prefix: 'one' }, collections)).rejects.toThrow('REDIS_URL leads to');
    await expect(checkQueues({ redis, prefix: 'one' }, collections)).resolves.toBeUndefined();
  });

  test('get a new id elsewhere once no process is alive; the Redis that was left is refused from then on', async () => {
    const before = await agree('first');
    await recordedLongAgo();
    const after = await agree('second', { at: elsewhere });
    expect(after.id).not.toBe(before.id);
    await reports('second');
    await expect(agree('third')).rejects.toThrow('REDIS_URL leads to another Redis than that of process second');
  });

  test('that were emptied, or restored as they were long ago, are right once a process that is alive gave the id back', async () => {
    const queues = await agree('first');
    await recordedLongAgo();
    await reports('first');
    for (const found of [undefined, `${queues.id}-older`]) {
      await (found === undefined ? redis.flushdb() : redis.set('one:queues', found));
      const starting = agree('second', { within: patient });
      await writeId(redis, queues);
      expect(await starting).toEqual(queues);
    }
  });

  test('that were emptied are given a new id where the others are cut off from Redis', async () => {
    const queues = await agree('first');
    await recordedLongAgo();
    await redis.flushdb();
    await reports('first', { redis: new Date() });
    expect((await agree('second')).id).not.toBe(queues.id);
  });

  test('of another database are refused, whoever is alive', async () => {
    await redis.set('one:queues', 'another:id');
    await expect(agree('first')).rejects.toThrow('a Redis that has the queues of another database');
    await expect(checkQueues({ redis, prefix: 'one' }, collections)).rejects.toThrow('of another database');
    expect(await redis.get('one:queues')).toBe('another:id');
  });
});

test('a process that fails to write the id after it recorded it writes another the next time', async () => {
  const failing = new Proxy(redis, {
    get: (target, name) => {
      if (name === 'set') return () => Promise.reject(new Error('OOM command not allowed'));
      return Reflect.get(target, name, target) as unknown;
    },
  });
  await expect(agree('first', { at: failing })).rejects.toThrow('OOM');
  const queues = await agree('first');
  expect(await redis.get('one:queues')).toBe(queues.id);
  await waitFor(async () => (await queueRecord.read()).queues?.id === queues.id);
});
