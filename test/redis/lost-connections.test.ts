import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test, vi, type TestContext } from 'vitest';
import { startPostingConsumer } from '../../src/queue/posting-consumer.ts';
import { anywhereIn, createPostingQueue } from '../../src/queue/posting-queue.ts';
import { announceChange, subscribeToChanges } from '../../src/redis/messages.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { createNonces } from '../../src/redis/nonces.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import { startRedis, testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const posted = { completed: 1, failed: 0, skipped: 0, setAside: 0 };
const ofTest = { instanceId: 'test', mayWork: () => true, workers: () => 1 };
const { url } = await testRedis();
const log = pino({ enabled: false });
/** Longer than a request waits for an answer, and than a consumer waits for a job. */
const silenceMaxMs = 1_500;
const askEveryMs = 200;
const limits = { waitMaxMs: 200, partingMaxMs: 200 };
const mendsWithin = { timeoutMs: 30_000 };

/** Redis behind a proxy, and keys, that no other of these tests has. */
async function openRedis({ onTestFinished }: TestContext) {
  const address = new URL(url);
  const proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
  const clients: RedisClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.disconnect();
    await proxy.close();
  });
  async function connect(purpose: RedisPurpose, to: string): Promise<RedisClient> {
    const client = await connectRedis({ REDIS_URL: to }, purpose, log, AbortSignal.timeout(10_000), silenceMaxMs);
    clients.push(client);
    return client;
  }
  const throughProxy = new URL(url);
  throughProxy.port = String(proxy.port);
  return {
    proxy,
    prefix: `lost-${Math.random()}`,
    connect: (purpose: RedisPurpose) => connect(purpose, throughProxy.href),
    connectDirectly: () => connect('background', url),
  };
}

// Each waits for a limit of time, and for nothing else.
test.concurrent('a request’s connection that answers nothing any more is opened anew', async (context) => {
  const { proxy, prefix, connect } = await openRedis(context);
  const nonces = createNonces(await connect('request'), prefix);
  const spend = () => nonces.spend('ak_01', randomUUID());
  await spend();
  proxy.silenceAll();
  await expect(spend()).rejects.toThrow();
  expect(await waitFor(spend, mendsWithin)).toMatchObject({ requestCount: 1 });
});

test.concurrent(
  'so are a consumer’s, and what was asked on them is asked again',
  { timeout: 60_000 },
  async (context) => {
    const { proxy, prefix, connect, connectDirectly } = await openRedis(context);
    const queue = createPostingQueue(await connectDirectly(), prefix);
    let taken = 0;
    const run = () => {
      taken += 1;
      return Promise.resolve(posted);
    };
    const source = { redis: await connect('background'), prefix, ...ofTest };
    const consumer = startPostingConsumer(source, run, log, limits);
    await queue.wake(anywhereIn(['ws_01']));
    await waitFor(() => taken === 1);
    proxy.silenceAll();
    await queue.wake(anywhereIn(['ws_01']));
    await waitFor(() => taken === 2, mendsWithin);
    await consumer.close();
    await queue.close();
  },
);

test.concurrent('a subscriber’s connection that falls silent is opened anew', { timeout: 60_000 }, async (context) => {
  const { proxy, prefix, connect, connectDirectly } = await openRedis(context);
  const [subscriber, publisher] = await Promise.all([connect('background'), connectDirectly()]);
  let heard = 0;
  await subscribeToChanges(subscriber, prefix, () => (heard += 1), askEveryMs);
  proxy.intercept(({ link }) => (link === 1 ? Promise.withResolvers<never>().promise : 'pass'));
  await waitFor(async () => {
    await announceChange(publisher, prefix);
    return heard > 0;
  }, mendsWithin);
});

test.concurrent(
  'a consumer that closes while Redis is away waits for the orders in hand, and not for Redis',
  { timeout: 30_000 },
  async () => {
    const prefix = 'without-redis';
    const server = await startRedis();
    const redis = await connectRedis({ REDIS_URL: server.url }, 'background', log, AbortSignal.timeout(20_000));
    const queue = createPostingQueue(redis, prefix);
    const posting = Promise.withResolvers<undefined>();
    let [isBegun, isClosed] = [false, false];
    const run = async () => {
      isBegun = true;
      await posting.promise;
      return posted;
    };
    const consumer = startPostingConsumer({ redis, prefix, ...ofTest }, run, log, limits);
    await queue.wake(anywhereIn(['ws_01']));
    await waitFor(() => isBegun);
    await server.kill();
    const closing = consumer.close().then(() => (isClosed = true));
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    posting.resolve(undefined);
    await closing;
    redis.disconnect();
    await server.stop();
  },
);

test('whoever was subscribed is so again after each cut, those in the middle of it among them', async (context) => {
  const { proxy, prefix, connect, connectDirectly } = await openRedis(context);
  const [subscriber, publisher] = await Promise.all([connect('background'), connectDirectly()]);
  const onChange = vi.fn();
  await subscribeToChanges(subscriber, prefix, onChange);
  for (let cut = 0; cut < 3; cut += 1) {
    const links = new Set<number>();
    proxy.intercept(({ link, bytes }) => {
      if (links.size < cut && bytes.includes('subscribe')) links.add(link);
      return links.has(link) ? 'cut' : 'pass';
    });
    proxy.cutAll();
    const heard = onChange.mock.calls.length;
    await waitFor(async () => {
      await announceChange(publisher, prefix);
      return onChange.mock.calls.length > heard;
    });
  }
});

test('a process that disconnects while it subscribes again is not ended by that', async (context) => {
  const { proxy, prefix, connect } = await openRedis(context);
  const subscriber = await connect('background');
  const onUnhandled = vi.fn();
  process.on('unhandledRejection', onUnhandled);
  await subscribeToChanges(subscriber, prefix, () => undefined);
  let isAsked = false;
  proxy.intercept(({ bytes }) => {
    if (!bytes.includes('subscribe')) return 'pass';
    isAsked = true;
    return Promise.withResolvers<never>().promise;
  });
  proxy.cutAll();
  await waitFor(() => isAsked);
  const ended = Promise.withResolvers<undefined>();
  subscriber.once('end', () => {
    ended.resolve(undefined);
  });
  subscriber.disconnect();
  await ended.promise;
  await delay(0);
  process.off('unhandledRejection', onUnhandled);
  expect(onUnhandled).not.toHaveBeenCalled();
});
