import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partitionOf } from '../../src/domain/partition.ts';
import { startPartitionConsumer } from '../../src/queue/partition-consumer.ts';
import { createPostingQueues } from '../../src/queue/queue.ts';
import { createWebhookQueue, startWebhookConsumer } from '../../src/queue/webhook-queue.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
/** Of the connections that are opened anew, these many are cut before Redis has answered. */
const cutsOfOpening = 3;
/** A partition whose queue is opened when it is first used. */
const opened = 1;
const workspaceId = ['ws_01', 'ws_02', 'ws_03', 'ws_04'].find((id) => partitionOf(id, 1 + opened) === opened) ?? '';

let prefix: string;
let proxy: Proxy;
let clients: RedisClient[];

beforeEach(async () => {
  const { hostname, port } = new URL(url);
  prefix = `opened-while-cut-${Math.random()}`;
  proxy = await startProxy({ host: hostname, port: Number(port) });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.disconnect();
  await proxy.close();
});

/** By way of the proxy. */
async function connect(purpose: RedisPurpose): Promise<RedisClient> {
  const address = new URL(url);
  address.port = String(proxy.port);
  const client = await connectRedis({ REDIS_URL: address.href }, purpose, log, AbortSignal.timeout(10_000));
  clients.push(client);
  return client;
}

/** From now on, until that many were cut. */
function cutWhatOpens(): { readonly links: Set<number> } {
  const links = new Set<number>();
  proxy.intercept(({ link, bytes }) => {
    if (links.size < cutsOfOpening && bytes.includes('info')) links.add(link);
    return links.has(link) ? 'cut' : 'pass';
  });
  return { links };
}

test('a consumer whose connections are cut while they open takes jobs once they are there', async () => {
  const redis = await connect('background');
  const queues = createPostingQueues(await connect('background'), prefix, () => 1);
  const cut = cutWhatOpens();
  const taken: string[] = [];
  const post = (batches: readonly { orderIds: readonly string[] }[]) => {
    taken.push(...batches.flatMap(({ orderIds }) => orderIds));
    return Promise.resolve({ completed: 1, failed: 0, skipped: 0, setAside: 0 });
  };
  const consumer = startPartitionConsumer(
    0,
    { redis, prefix, queues, isRedisThere: () => true },
    { post, requeue: () => undefined },
    log,
  );
  await waitFor(() => cut.links.size === cutsOfOpening);
  // The second comes to a consumer that has found its queue empty.
  for (const [index, id] of ['first', 'second'].entries()) {
    await queues.enqueue([{ workspaceId: 'ws_01', orderIds: [id] }]);
    await waitFor(() => taken.length > index);
  }
  expect(taken).toEqual(['first', 'second']);
  await consumer.close();
  await queues.close();
}, 30_000);

test('so does the webhooks’ consumer', async () => {
  const redis = await connect('background');
  const queue = createWebhookQueue(await connect('background'), prefix);
  const cut = cutWhatOpens();
  const taken: string[] = [];
  const deliver = ({ endpointId }: { endpointId: string }) => {
    taken.push(endpointId);
    return Promise.resolve();
  };
  const consumer = startWebhookConsumer({ redis, prefix }, queue, deliver, log);
  await waitFor(() => cut.links.size === cutsOfOpening);
  for (const [index, endpointId] of ['we_01', 'we_02'].entries()) {
    queue.wake([{ workspaceId: 'ws_01', endpointId }]);
    await waitFor(() => taken.length > index);
  }
  expect(taken).toEqual(['we_01', 'we_02']);
  await consumer.close();
  await queue.close();
}, 30_000);

test('a queue that is first used while Redis is away takes jobs once Redis is back', async () => {
  const redis = await connect('request');
  const queues = createPostingQueues(redis, prefix, () => 1 + opened);
  const ready = new Promise((resolve) => redis.once('ready', resolve));
  proxy.cutAll();
  const enqueue = () => queues.enqueue([{ workspaceId, orderIds: ['first'] }]);
  await expect(enqueue()).rejects.toThrow();
  await ready;
  await enqueue();
  expect((await queues.load(opened)).waitingJobs).toBe(1);
  await queues.close();
});
