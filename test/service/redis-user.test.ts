import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const redis = await startRedis();
afterAll(() => redis.stop());
const administrator = new Redis(redis.url);
const rights = ['on', '>secret', '~transfers:*', '&transfers:*', '+@all', '-@dangerous'];
await administrator.call('ACL', 'SETUSER', 'service', ...rights);
administrator.disconnect();
const url = new URL(redis.url);
[url.username, url.password] = ['service', 'secret'];
const service = await serviceForTests({ redisUrl: url.href });

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
