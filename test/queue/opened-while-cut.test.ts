import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPostingConsumer } from '../../src/queue/posting-consumer.ts';
import { anywhereIn, createPostingQueue, postingQueueName } from '../../src/queue/posting-queue.ts';
import { createWebhookQueue, startWebhookConsumer } from '../../src/queue/webhook-queue.ts';
import { connectRedis, type RedisClient, type RedisPurpose } from '../../src/redis/connection.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });
/** Of the connections that are opened anew, these many are cut before Redis has answered. */
const cutsOfOpening = 3;
const posted = { completed: 1, failed: 0, skipped: 0, setAside: 0 };

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
  const queue = createPostingQueue(await connect('background'), prefix);
  const cut = cutWhatOpens();
  let taken = 0;
  const run = () => {
    taken += 1;
    return Promise.resolve(posted);
  };
  const source = { redis, prefix, instanceId: 'test', mayWork: () => true, workers: () => 1 };
  const consumer = startPostingConsumer(source, run, log);
  await waitFor(() => cut.links.size === cutsOfOpening);
  // The second comes to a consumer that has found its queue empty.
  for (const jobs of [1, 2]) {
    await queue.wake(anywhereIn(['ws_01']));
    await waitFor(() => taken === jobs);
  }
  await consumer.close();
  await queue.close();
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
  const consumer = startWebhookConsumer({ redis, prefix, mayWork: () => true }, deliver, log);
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
  const queue = createPostingQueue(redis, prefix);
  const ready = new Promise((resolve) => redis.once('ready', resolve));
  proxy.cutAll();
  await expect(queue.wake(anywhereIn(['ws_01']))).rejects.toThrow();
  await ready;
  await queue.wake(anywhereIn(['ws_01']));
  expect(await redis.llen(`${prefix}:${postingQueueName}:wait`)).toBe(1);
  await queue.close();
});
