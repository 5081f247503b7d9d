import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test, type TestContext } from 'vitest';
import { startPartitionConsumer, type PartitionConsumer } from '../../src/queue/partition-consumer.ts';
import { createPostingQueues } from '../../src/queue/queue.ts';
import { announceChange, subscribeToChanges } from '../../src/redis/messages.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { createNonces } from '../../src/redis/nonces.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import { startRedis, testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const isRedisThere = (): boolean => true;
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
    prefix: `silent-${Math.random()}`,
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
    const queues = createPostingQueues(await connectDirectly(), prefix, () => 1);
    const taken: string[] = [];
    const post = (batches: readonly { orderIds: readonly string[] }[]) => {
      taken.push(...batches.flatMap(({ orderIds }) => orderIds));
      return Promise.resolve({ completed: 1, failed: 0, skipped: 0, setAside: 0 });
    };
    const handler = { post, requeue: () => undefined };
    const consumer = startPartitionConsumer(
      0,
      { redis: await connect('background'), prefix, queues, isRedisThere },
      handler,
      log,
      limits,
    );
    await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['first'] }]);
    await waitFor(() => taken.length === 1);
    proxy.silenceAll();
    await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['second'] }]);
    await waitFor(() => taken.length === 2, mendsWithin);
    await consumer.close();
    await queues.close();
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
    const queues = createPostingQueues(redis, prefix, () => 2);
    const posting = Promise.withResolvers<undefined>();
    let [isBegun, isClosed] = [false, false];
    const post = async () => {
      isBegun = true;
      await posting.promise;
      return { completed: 1, failed: 0, skipped: 0, setAside: 0 };
    };
    const handler = { post, requeue: () => undefined };
    // The workspace's partition is the first.
    const [busy, idle] = [0, 1].map((partition) =>
      startPartitionConsumer(partition, { redis, prefix, queues, isRedisThere }, handler, log, limits),
    ) as [PartitionConsumer, PartitionConsumer];
    await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['a'] }]);
    await waitFor(() => isBegun);
    await server.kill();
    const closing = busy.close().then(() => (isClosed = true));
    // It too waits for Redis.
    await idle.close();
    expect(isClosed).toBe(false);
    posting.resolve(undefined);
    await closing;
    redis.disconnect();
    await server.stop();
  },
);
