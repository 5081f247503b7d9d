import { randomUUID } from 'node:crypto';
import { Cluster } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { newId } from '../../src/domain/ids.ts';
import { createNoticeSender, subscribeToNotices } from '../../src/queue/notices.ts';
import { announceChange, subscribeToChanges } from '../../src/redis/messages.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { tryToWrite } from '../../src/queue/queue-id.ts';
import { createNonces } from '../../src/redis/nonces.ts';
import { createFailureLimit, createKeyLimit } from '../../src/redis/rate-limits.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';

const log = pino({ enabled: false });
const usual = { perSecond: 1_000, burst: 2_000 };
const opened: RedisClient[] = [];
let cluster: RedisCluster;
let redis: RedisClient;

async function connect(purpose: RedisPurpose, url = cluster.url): Promise<RedisClient> {
  const client = await connectRedis({ REDIS_URL: url }, purpose, log, AbortSignal.timeout(20_000));
  opened.push(client);
  return client;
}

beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = await connect('request');
});
afterAll(async () => {
  for (const client of opened) client.disconnect();
  await cluster.stop();
});

it('a cluster that cannot be reached is tried again until the signal says to stop', async () => {
  const warn = vi.fn();
  const giveUp = new AbortController();
  const url = `redis+cluster://127.0.0.1:${await freePort()}`;
  const connecting = connectRedis(
    { REDIS_URL: url },
    'request',
    pino({ level: 'warn' }, { write: warn }),
    giveUp.signal,
  );
  const lines = () =>
    warn.mock.calls.filter(([line]) => String(line).includes('a connection to Redis failed; trying again'));
  await expect.poll(() => lines().length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(lines().at(-1)?.[0]).toContain('ECONNREFUSED');
  giveUp.abort(new Error('no longer needed'));
  await expect(connecting).rejects.toThrow('no longer needed');
});

describe('on a cluster', () => {
  it('nonces are spent by exactly one of many at once, and counted by key, whichever node has the key', async () => {
    const nonces = createNonces(redis, 'test');
    const keyIds = Array.from({ length: 50 }, (_, index) => `ak_${index}`);
    const spend = (keyId: string) => Promise.all([1, 2, 1, 3].map((nonce) => nonces.spend(keyId, `nonce-${nonce}`)));
    const answers = await Promise.all(keyIds.map(spend));
    expect(answers.map((ofKey) => ofKey.map((counted) => counted?.requestCount))).toEqual(
      keyIds.map(() => [1, 2, undefined, 3]),
    );
    expect(await nonces.isUnspent('ak_7', 'nonce-1')).toBe(false);
    expect(await nonces.isUnspent('ak_7', 'nonce-4')).toBe(true);
    const sizes = await Promise.all(cluster.masters.map((master) => master.ask('DBSIZE')));
    for (const size of sizes) expect(size).toBeGreaterThan(0);
  });

  it('a key has its rate and its burst', async () => {
    const nonces = createNonces(redis, 'test');
    const limit = createKeyLimit(redis, 'test', usual);
    const request = async () => {
      const counted = await nonces.spend('ak_limited', randomUUID());
      return limit.judge('ak_limited', { perSecond: 2, burst: 5 }, counted!);
    };
    const verdicts = await Promise.all(Array.from({ length: 100 }, request));
    // They may lie in two seconds.
    expect(verdicts.filter(({ isAllowed }) => isAllowed).length).toBeOneOf([5, 7]);
  });

  it('a key has many requests in one', async () => {
    const [nonces, limit] = [createNonces(redis, 'test'), createKeyLimit(redis, 'test', usual)];
    const rate = { perSecond: 5, burst: 20 };
    const charge = async (count: number) => {
      const counted = await nonces.spend('ak_batch', randomUUID());
      return (await limit.charge('ak_batch', rate, count, counted!)).verdict.isAllowed;
    };
    // Whichever seconds they lie in, the burst has only fifteen.
    expect([await charge(15), await charge(15)]).toEqual([true, false]);
  });

  it('an address has its failures', async () => {
    const failures = createFailureLimit(redis, 'test', 3);
    const verdicts = [];
    for (let time = 0; time < 4; time += 1) verdicts.push(await failures.consume('203.0.113.9'));
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false]);
  });

  it('changes and notices are heard by whoever subscribed, at whichever node', async () => {
    const onChange = vi.fn();
    const subscribers = await Promise.all(cluster.masters.map(() => connect('background')));
    const heard = [];
    const orderId = newId('order');
    for (const subscriber of subscribers) {
      await subscribeToChanges(subscriber, 'test', onChange);
      const notices = await subscribeToNotices(subscriber, 'test');
      heard.push(notices.listen([orderId], 20_000, new AbortController().signal).heard);
    }
    createNoticeSender(redis, 'test')([newId('order'), orderId]);
    await announceChange(redis, 'test');
    expect(await Promise.all(heard)).toEqual([true, true, true]);
    await expect.poll(() => onChange.mock.calls.length, { timeout: 20_000 }).toBe(3);
  });

  it('the user of docker-compose.yml has the rights that it takes', async () => {
    const rights = ['~*', '&*', '+@all', '-@admin', '-@dangerous', '+info', '+client|list'];
    for (const master of cluster.masters) await master.ask('ACL', 'SETUSER', 'service', 'on', '>p@ss:word', ...rights);
    const client = await connect('request', cluster.url.replace('//', '//service:p%40ss%3Aword@'));
    expect(client).toBeInstanceOf(Cluster);
    expect(await client.call('ACL', 'WHOAMI')).toBe('service');
    await expect(tryToWrite(client, 'test')).resolves.toBeUndefined();
    expect(await createNonces(client, 'test').spend('ak_of_user', 'once')).toMatchObject({ requestCount: 1 });
  });
});
