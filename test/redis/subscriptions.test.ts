import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceChange, subscribeToChanges } from '../../src/redis/messages.ts';
import { connectRedis, type RedisClient } from '../../src/redis/connection.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const log = pino({ enabled: false });

let prefix: string;
let proxy: Proxy;
let subscriber: RedisClient;
let publisher: RedisClient;

const connect = (address: string): Promise<RedisClient> =>
  connectRedis({ REDIS_URL: address }, 'background', log, AbortSignal.timeout(10_000));

beforeEach(async () => {
  const address = new URL(url);
  prefix = `subscriptions-${Math.random()}`;
  proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  [subscriber, publisher] = await Promise.all([connect(address.href), connect(url)]);
});
afterEach(async () => {
  for (const client of [subscriber, publisher]) client.disconnect();
  await proxy.close();
});

test('whoever was subscribed is so again after each cut, those in the middle of it among them', async () => {
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
}, 30_000);

test('a process that disconnects while it subscribes again is not ended by that', async () => {
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
