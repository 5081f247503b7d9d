import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

it('one web process and two workers have as many connections to Redis as docs/deployment.md counts', async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const service = await startService({ workers: 2, redisUrl: server.url });
  const connections = async () => {
    const list = String(await redis.client('LIST'));
    return list.trim().split('\n').length - 1;
  };
  const blocked = async () => (String(await redis.client('LIST')).match(/cmd=bzpopmin/g) ?? []).length;
  try {
    // Only for a webhook has a worker the connections that sending takes.
    await waitFor(async () => (await blocked()) === 2, { timeoutMs: 20_000 });
    expect(await connections()).toBe(4 + 2 * 3);
    const workspace = await createWorkspace(service);
    await workspace.webhook('https://example.com/');
    await waitFor(async () => (await blocked()) === 4, { timeoutMs: 20_000 });
    expect(await connections()).toBe(4 + 2 * 6);
  } finally {
    await service.stop();
    redis.disconnect();
    await server.stop();
  }
});
