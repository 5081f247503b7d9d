import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { sendCommand } from '../support/orders.ts';
import { startRedis } from '../support/redis.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const slowly = { timeoutMs: 60_000 };

const [redis, elsewhere] = await Promise.all([startRedis(), startRedis()]);
afterAll(() => Promise.all([redis.stop(), elsewhere.stop()]));
const administrator = new Redis(redis.url);
afterAll(() => {
  administrator.disconnect();
});
const rights = ['on', '>secret', '~transfers:*', '&transfers:*', '+@all', '-@dangerous'];
await administrator.call('ACL', 'SETUSER', 'service', ...rights);
const url = Object.assign(new URL(redis.url), { username: 'service', password: 'secret' });
const service = await serviceForTests({ workers: 0, redisUrl: url.href });
for (const WORKER_ROLE of ['posting', 'webhooks']) await service.startWorker({ WORKER_ROLE });

it('a web process, a worker and a sender of webhooks have as many connections to Redis as docs/deployment.md counts', async () => {
  const clients = async () => String(await administrator.client('LIST'));
  await waitFor(async () => (await clients()).match(/cmd=bzpopmin/g)?.length === 2, slowly);
  // Without the one that asks.
  expect((await clients()).trim().split('\n').length - 1).toBe(4 + 3 + 3);
});

it('a Redis user without the dangerous commands, and without other keys, is enough', async () => {
  const workspace = await createWorkspace(service);
  const sides = { sourceWalletId: await workspace.wallet('10'), targetWalletId: await workspace.wallet() };
  const { envelope } = await sendCommand(workspace, 'create', { ...sides, amount: '1', currency: 'USD' });
  expect(envelope?.data.status).toBe('COMPLETED');
  expect(service.logs.filter((line) => line.includes('NOPERM'))).toEqual([]);
});

it('whoever has other queues than the others is told which setting differs, and changes nothing', async () => {
  const other = { REDIS_URL: elsewhere.url };
  await expect(service.startWorker(other)).rejects.toThrow('REDIS_URL leads to another Redis');
  const own = new Redis(elsewhere.url);
  expect(await own.exists('transfers:queues')).toBe(0);
  own.disconnect();
  const { workspaceId } = await createWorkspace(service);
  const make = ['wallet', 'create', '--workspace', workspaceId, '--currency', 'USD'];
  const { id } = await service.admin<{ id: string }>(...make);
  const fund = ['wallet', 'fund', '--wallet', id, '--amount', '1'];
  await expect(service.adminWith(other, ...fund)).rejects.toThrow('REDIS_URL leads to');
});

it('a Redis that answers and takes no writes, because its memory is full, is down, and why is said', async () => {
  await administrator.config('SET', 'maxmemory', '1');
  const members = await Promise.all([...service.webs, ...service.workers].map(({ ready }) => ready));
  const opsUrls = members.map(({ opsPort }) => `http://127.0.0.1:${opsPort}`);
  const readiness = async (opsUrl: string) =>
    (await (await fetch(`${opsUrl}/readyz`)).json()) as { status: string; redis: string; reasons: { redis?: string } };
  const text = async (page: string) => (await fetch(page)).text();
  for (const opsUrl of opsUrls) {
    const isTold = async () => (await readiness(opsUrl)).reasons.redis?.includes('OOM') === true;
    await waitFor(isTold, slowly);
    expect(await readiness(opsUrl)).toMatchObject({ status: 'not ready', redis: 'down' });
    await waitFor(
      async () => (await text(`${opsUrl}/metrics`)).includes('transfers_server_up{server="redis"} 0'),
      slowly,
    );
  }
  await waitFor(async () => (await text(service.opsUrl)).includes('Redis (OOM'), slowly);
  await administrator.config('SET', 'maxmemory', '0');
  for (const opsUrl of opsUrls) {
    await waitFor(async () => (await readiness(opsUrl)).status === 'ready', slowly);
    expect((await readiness(opsUrl)).reasons).toEqual({});
  }
});
