import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPartitionConsumer } from '../../src/queue/partition-consumer.ts';
import { createPostingQueues } from '../../src/queue/queue.ts';
import { connectRedis } from '../../src/redis/connection.ts';
import type { RedisClient, RedisPurpose } from '../../src/redis/connection.ts';
import { createNonces } from '../../src/redis/nonces.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import type { Proxy } from '../faults/harness/proxy.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
const mendsWithin = { timeoutMs: 30_000 };

let prefix: string;
let proxy: Proxy;
let clients: RedisClient[];

beforeEach(async () => {
  const { hostname, port } = new URL(url);
  prefix = `silent-${Math.random()}`;
  proxy = await startProxy({ host: hostname, port: Number(port) });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.disconnect();
  await proxy.close();
});

async function connect(purpose: RedisPurpose, port = proxy.port): Promise<RedisClient> {
  const address = new URL(url);
  address.port = String(port);
  const client = await connectRedis({ REDIS_URL: address.href }, purpose, log, AbortSignal.timeout(10_000));
  clients.push(client);
  return client;
}

test('a request’s connection that answers nothing any more is opened anew', async () => {
  const nonces = createNonces(await connect('request'), prefix);
  const spend = () => nonces.spend('ak_01', randomUUID());
  await spend();
  proxy.silenceAll();
  await expect(spend()).rejects.toThrow();
  expect(await waitFor(spend, mendsWithin)).toMatchObject({ requestCount: 1 });
});

test('so are a consumer’s, and what was asked on them is asked again', async () => {
  const queues = createPostingQueues(await connect('background', Number(new URL(url).port)), prefix, () => 1);
  const taken: string[] = [];
  const post = (batches: readonly { orderIds: readonly string[] }[]) => {
    taken.push(...batches.flatMap(({ orderIds }) => orderIds));
    return Promise.resolve({ completed: 1, failed: 0, skipped: 0, setAside: 0 });
  };
  const handler = { post, requeue: () => undefined };
  const consumer = startPartitionConsumer({ redis: await connect('background'), prefix, log, handler }, 0);
  await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['first'] }]);
  await waitFor(() => taken.length === 1);
  proxy.silenceAll();
  await queues.enqueue([{ workspaceId: 'ws_01', orderIds: ['second'] }]);
  await waitFor(() => taken.length === 2, mendsWithin);
  await consumer.close();
  await queues.close();
}, 60_000);
