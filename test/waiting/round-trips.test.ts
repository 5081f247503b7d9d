import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectRedis, mastersOf, type RedisClient } from '../../src/redis/connection.ts';
import { unansweredMaxMs, watchRoundTrips } from '../../src/waiting/round-trips.ts';
import { redisUrl } from '../../local/redis.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { hang } from '../faults/harness/traps.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const log = pino({ level: 'silent' });
const shared = await testRedis();

let proxy: Proxy;
let redis: RedisClient;
let now: number;
let roundTrips: ReturnType<typeof watchRoundTrips>;

beforeEach(async () => {
  const { port, pathname } = new URL(shared.url);
  proxy = await startProxy({ host: '127.0.0.1', port: Number(port) });
  const url = redisUrl(proxy.port, Number(pathname.slice(1)));
  redis = await connectRedis({ REDIS_URL: url }, 'background', log, AbortSignal.timeout(10_000));
  now = 0;
  roundTrips = watchRoundTrips(
    () => mastersOf(redis),
    20,
    () => now,
  );
});
afterEach(async () => {
  await roundTrips.close();
  redis.disconnect();
  await proxy.close();
});

test('round trips work for as long as answers come, however much time passes', async () => {
  for (let time = 0; time < 3; time += 1) {
    now += unansweredMaxMs;
    expect(roundTrips.work()).toBe(false);
    await waitFor(roundTrips.work);
  }
});

test('without an answer for five seconds they do not, and they do again with the next one', async () => {
  const hanging = hang([proxy]);
  now = unansweredMaxMs - 1;
  expect(roundTrips.work()).toBe(true);
  now = unansweredMaxMs;
  expect(roundTrips.work()).toBe(false);
  hanging.release();
  await waitFor(roundTrips.work);
});
