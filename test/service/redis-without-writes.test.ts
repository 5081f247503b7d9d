import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const slowly = { timeoutMs: 60_000 };

const redis = await startRedis();
afterAll(() => redis.stop());
const service = await serviceForTests({ redisUrl: redis.url });
const own = new Redis(redis.url);
const opsPorts = await Promise.all(
  [...service.webs, ...service.workers].map(async ({ ready }) => (await ready).opsPort),
);
afterAll(() => {
  own.disconnect();
});

interface Readiness {
  readonly status: string;
  readonly redis: string;
  readonly reasons: { readonly redis?: string };
}

const readinessOf = async (opsPort: number) =>
  (await (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).json()) as Readiness;

it.each([
  ['its memory is full', 'maxmemory', 'OOM'],
  ['it lacks its replicas', 'min-replicas-to-write', 'NOREPLICAS'],
])('a Redis that answers and takes no writes, because %s, is down, and why is said', async (_, setting, why) => {
  await own.config('SET', setting, '1');
  for (const opsPort of opsPorts) {
    const found = await waitFor(async () => {
      const told = await readinessOf(opsPort);
      return told.reasons.redis?.includes(why) === true && told;
    }, slowly);
    expect(found).toMatchObject({ status: 'not ready', redis: 'down' });
    await waitFor(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      return metrics.includes('transfers_server_up{server="redis"} 0');
    }, slowly);
  }
  await waitFor(async () => (await (await fetch(service.opsUrl)).text()).includes(`Redis (${why}`), slowly);
  await own.config('SET', setting, '0');
  for (const opsPort of opsPorts) {
    await waitFor(async () => (await readinessOf(opsPort)).status === 'ready', slowly);
    expect((await readinessOf(opsPort)).reasons).toEqual({});
  }
});
