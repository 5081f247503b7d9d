import { randomUUID } from 'node:crypto';
import { Cluster } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { newId } from '../../src/domain/ids.ts';
import { createLogger } from '../../src/log.ts';
import { readId, tryToWrite, writeId } from '../../src/queue/queue-id.ts';
import { createNoticeSender, subscribeToNotices } from '../../src/queue/notices.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { announceChange, subscribeToChanges } from '../../src/redis/messages.ts';
import { createNonces } from '../../src/redis/nonces.ts';
import { createFailureLimit, createKeyLimit } from '../../src/redis/rate-limits.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import { waitFor } from '../support/wait-for.ts';

const warn = vi.fn();
const { log } = createLogger('test', 'warn', { write: warn });
const masterSlots = 16_384 / 3;
/** A request's second, and what a busy machine takes on top. */
const failsWithinMs = 5_000;
const mendsWithin = { timeoutMs: 60_000 };

const opened: RedisClient[] = [];
let cluster: RedisCluster;
let redis: RedisClient;
let background: RedisClient;

async function connect(purpose: RedisPurpose, url = cluster.url): Promise<RedisClient> {
  const client = await connectRedis({ REDIS_URL: url }, purpose, log, AbortSignal.timeout(20_000));
  opened.push(client);
  return client;
}

beforeAll(async () => {
  cluster = await startRedisCluster({ replicated: true });
  [redis, background] = await Promise.all([connect('request'), connect('background')]);
});
afterAll(async () => {
  for (const client of opened) client.disconnect();
  await cluster.stop();
});

it('a cluster that cannot be reached is tried again until the signal says to stop', async () => {
  const giveUp = new AbortController();
  const lines: string[] = [];
  const every = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const nowhere = { REDIS_URL: `redis+cluster://127.0.0.1:${await freePort()}` };
  const connecting = connectRedis(nowhere, 'request', every, giveUp.signal);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(lines.at(-1)).toContain('a connection to Redis failed; trying again');
  expect(lines.at(-1)).toContain('ECONNREFUSED');
  giveUp.abort(new Error('no longer needed'));
  await expect(connecting).rejects.toThrow('no longer needed');
});

describe('on a cluster', () => {
  afterAll(() => {
    for (const client of opened.filter((each) => each !== redis && each !== background)) client.disconnect();
  });

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

  it('a key has its rate and burst, also for many requests in one, and an address its failures', async () => {
    const [nonces, limit] = [createNonces(redis, 'test'), createKeyLimit(redis, 'test', { perSecond: 1, burst: 1 })];
    const counted = async (keyId: string) => (await nonces.spend(keyId, randomUUID()))!;
    const isAllowed = async () =>
      (await limit.judge('ak_limited', { perSecond: 2, burst: 5 }, await counted('ak_limited'))).isAllowed;
    const allowed = await Promise.all(Array.from({ length: 100 }, isAllowed));
    // They may lie in two seconds.
    expect(allowed.filter(Boolean).length).toBeOneOf([5, 7]);
    const charge = async () =>
      (await limit.charge('ak_batch', { perSecond: 5, burst: 20 }, 15, await counted('ak_batch'))).verdict.isAllowed;
    // Whichever seconds they lie in, the burst has only fifteen.
    expect([await charge(), await charge()]).toEqual([true, false]);
    const failures = createFailureLimit(redis, 'test', 3);
    const verdicts = [];
    for (let time = 0; time < 4; time += 1) verdicts.push((await failures.consume('203.0.113.9')).isAllowed);
    expect(verdicts).toEqual([true, true, true, false]);
  });

  it('changes and notices are heard by whoever subscribed, at whichever node', async () => {
    const onChange = vi.fn();
    const subscribers = await Promise.all(cluster.masters.map(() => connect('background')));
    const heard = [];
    const orderId = newId('order');
    for (const subscriber of subscribers) {
      await subscribeToChanges(subscriber, 'test', onChange);
      const notices = await subscribeToNotices(subscriber, 'test');
      heard.push(notices.hear([orderId], 20_000, new AbortController().signal));
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

/** The id of a key whose nonces the master of this place has. */
async function keyIdOf(place: number): Promise<string> {
  for (let index = 0; ; index += 1) {
    const slot = await background.cluster('KEYSLOT', `ak_${index}`);
    if (Math.floor(slot / masterSlots) === place) return `ak_${index}`;
  }
}

/** Each call spends a nonce of its own. */
async function spenderOf(place: number): Promise<() => Promise<unknown>> {
  const nonces = createNonces(redis, 'test');
  const keyId = await keyIdOf(place);
  return () => nonces.spend(keyId, randomUUID());
}

const isUp = (): Promise<boolean> =>
  tryToWrite(redis, 'test').then(
    () => true,
    () => false,
  );

/** A node that has not heard of it yet may still name the one that is gone. */
async function inARow(spend: () => Promise<unknown>): Promise<true> {
  for (let time = 0; time < 50; time += 1) expect(await spend()).toBeDefined();
  return true;
}

describe('a master of a cluster that is away', () => {
  it('fails the commands of its own keys alone, at once, until it is back', async () => {
    const [spendThere, spendElsewhere] = [await spenderOf(1), await spenderOf(2)];
    await spendThere();
    await cluster.masters[1]!.kill();
    let waiting: Promise<unknown> | undefined;
    for (let time = 0; time < 50; time += 1) {
      const startedAt = performance.now();
      await expect(spendThere()).rejects.toThrow();
      expect(performance.now() - startedAt).toBeLessThan(failsWithinMs);
      expect(await spendElsewhere()).toBeDefined();
      expect(await isUp()).toBe(true);
      waiting ??= background.set(`{${await keyIdOf(1)}}`, 'kept');
    }
    const warnings = warn.mock.calls.filter(([line]) => String(line).includes('a node of Redis is away'));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(5);
    await cluster.masters[1]!.start();
    expect(await waiting).toBe('OK');
    await waitFor(() => inARow(spendThere), mendsWithin);
  });

  it('fails them also where it keeps its connections and answers nothing', async () => {
    const [spendThere, spendElsewhere] = [await spenderOf(1), await spenderOf(2)];
    cluster.masters[1]!.pause();
    try {
      for (let time = 0; time < 3; time += 1) {
        const there = expect(spendThere()).rejects.toThrow();
        for (let other = 0; other < 50; other += 1) expect(await spendElsewhere()).toBeDefined();
        expect(await isUp()).toBe(true);
        await there;
      }
    } finally {
      cluster.masters[1]!.resume();
    }
    await waitFor(spendThere, mendsWithin);
  });

  it('is replaced by its replica, and whoever was subscribed hears again', async () => {
    const spend = await spenderOf(0);
    const onChange = vi.fn();
    const subscribers = await Promise.all([1, 2, 3, 4].map(() => connect('background')));
    for (const [index, subscriber] of subscribers.entries()) {
      await subscribeToChanges(subscriber, 'test', () => {
        onChange(index);
      });
    }
    await cluster.masters[0]!.kill();
    await waitFor(() => inARow(spend), mendsWithin);
    await waitFor(async () => {
      await announceChange(redis, 'test');
      return new Set(onChange.mock.calls.flat()).size === subscribers.length;
    }, mendsWithin);
  });

  it('leaves nothing up where it is all of them, and is used again when they are back', async () => {
    const spend = await spenderOf(2);
    for (const place of [1, 2]) await cluster.masters[place]!.kill();
    await waitFor(async () => !(await isUp()), mendsWithin);
    await expect(spend()).rejects.toThrow();
    await Promise.all(cluster.masters.map((master) => master.start()));
    await waitFor(isUp, mendsWithin);
    for (const place of [0, 1, 2]) await waitFor(await spenderOf(place), mendsWithin);
  });
});

it('the id of the queues is read whichever master is away', async () => {
  const placed = { prefix: 'test', id: 'one' };
  const isRead = async () => (await readId({ redis, prefix: 'test' })) === placed.id;
  for (const place of [1, 2]) {
    await waitFor(async () => {
      await writeId(redis, placed);
      return isRead();
    }, mendsWithin);
    await cluster.masters[place]!.kill();
    await waitFor(isRead, mendsWithin);
    await cluster.masters[place]!.start({ isEmpty: true });
    await waitFor(isRead, mendsWithin);
    for (const each of [0, 1, 2]) await waitFor(await spenderOf(each), mendsWithin);
  }
});

describe('a slot that moves to another master', () => {
  it('fails no command for longer than it takes, and is then found there', async () => {
    const [, source, target] = cluster.masters as [
      unknown,
      RedisCluster['masters'][number],
      RedisCluster['masters'][number],
    ];
    const [sourceId, targetId] = await Promise.all(
      [source, target].map(async (node) => String(await node.ask('CLUSTER', 'MYID'))),
    );
    const keyId = await keyIdOf(1);
    const spend = await spenderOf(1);
    await waitFor(spend, mendsWithin);
    const nonces = createNonces(redis, 'moved');
    await nonces.spend(keyId, 'before');
    const slot = Number(await source.ask('CLUSTER', 'KEYSLOT', keyId));
    await target.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId!);
    await source.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId!);
    const meanwhile = spend().catch((error: unknown) => error);
    const names = (await source.ask('CLUSTER', 'GETKEYSINSLOT', slot, 1_000)) as string[];
    await source.ask('MIGRATE', target.host, target.port, '', 0, 5_000, 'KEYS', ...names);
    for (const node of [target, source]) await node.ask('CLUSTER', 'SETSLOT', slot, 'NODE', targetId!);
    await meanwhile;
    for (let time = 0; time < 50; time += 1) expect(await spend()).toBeDefined();
    expect(await nonces.spend(keyId, 'before')).toBeUndefined();
  });
});
