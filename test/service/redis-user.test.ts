import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

let redis: OwnRedis;
let service: RunningService;

beforeAll(async () => {
  redis = await startRedis();
  const administrator = new Redis(redis.url);
  await administrator.call(
    'ACL',
    'SETUSER',
    'service',
    'on',
    '>secret',
    '~transfers:*',
    '&transfers:*',
    '+@all',
    '-@dangerous',
  );
  administrator.disconnect();
  const url = new URL(redis.url);
  [url.username, url.password] = ['service', 'secret'];
  service = await startService({ redisUrl: url.href });
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
});

it('a Redis user without the dangerous commands, and without other keys, is enough', async () => {
  const workspace = await createWorkspace(service);
  const wallets = [await workspace.wallet('10', 'USD'), await workspace.wallet('0', 'USD')];
  const [sourceWalletId, targetWalletId] = wallets;
  const { envelope } = await workspace.client.request<{ bizId: string }>('POST', '/api/v1/transfer/command/create', {
    body: { bizId: 'by-a-limited-user', sourceWalletId, targetWalletId, amount: '1', currency: 'USD' },
  });
  expect(envelope?.data.bizId).toBe('by-a-limited-user');
  await waitFor(async () => {
    const path = '/api/v1/transfer/query/orders/by-a-limited-user';
    const answer = await workspace.client.request<{ status: string }>('GET', path);
    return answer.envelope?.data.status === 'COMPLETED';
  });
  expect(service.logs.filter((line) => line.includes('NOPERM'))).toEqual([]);
});
