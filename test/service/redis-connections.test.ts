import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

it('a web process, a worker and a sender of webhooks have as many connections to Redis as docs/deployment.md counts', async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const service = await startService({ workers: 0, redisUrl: server.url });
  await service.startWorker({ WORKER_ROLE: 'posting' });
  await service.startWorker({ WORKER_ROLE: 'webhooks' });
  const connections = async () => {
    const list = String(await redis.client('LIST'));
    return list.trim().split('\n').length - 1;
  };
  const blocked = async () => (String(await redis.client('LIST')).match(/cmd=bzpopmin/g) ?? []).length;
  try {
    await waitFor(async () => (await blocked()) === 2, { timeoutMs: 20_000 });
    expect(await connections()).toBe(4 + 3 + 3);
  } finally {
    await service.stop();
    redis.disconnect();
    await server.stop();
  }
});
