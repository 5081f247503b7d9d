import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const createPath = '/api/v1/transfer/command/create';

let service: RunningService;
let workspace: TestWorkspace;
let wallets: { sourceWalletId: string; targetWalletId: string };
let redis: Redis;

beforeAll(async () => {
  service = await startService({ workers: 1 });
  workspace = await createWorkspace(service);
  wallets = { sourceWalletId: await workspace.wallet('1000'), targetWalletId: await workspace.wallet() };
  redis = new Redis(service.redisUrl);
});
afterAll(async () => {
  await redis.quit();
  await service.stop();
});

/** A signed create that may be sent any number of times, to the byte. */
function signedCreate(more: object = {}) {
  const body = JSON.stringify({ ...wallets, amount: '1', currency: 'USD', ...more });
  const headers = signedHeaders(workspace, { method: 'POST', path: createPath, body });
  const request = { method: 'POST', target: createPath, headers: [...headers, 'Content-Type: application/json'], body };
  return (): Promise<RawAnswer> => exchangeRaw(service.baseUrl, request);
}

async function orderCount(): Promise<number> {
  const answer = await workspace.client.request<{ total: number }>('GET', '/api/v1/transfer/query/orders');
  return answer.envelope!.data.total;
}

describe('a signed create after Redis has lost its nonces', () => {
  it.each([
    ['without a bizId', {}],
    ['with one', { bizId: 'paid-once' }],
  ])('is refused when it comes again, %s', async (_, more) => {
    const before = await orderCount();
    const send = signedCreate(more);
    expect((await send()).envelope?.code).toBe('2000');
    expect((await send()).envelope?.code).toBe('GA2013');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('GA2013');
    expect(await orderCount()).toBe(before + 1);
  });

  it('is recorded once, however often it comes at the same time', async () => {
    const before = await orderCount();
    const send = signedCreate();
    const answers: RawAnswer[] = [];
    for (let round = 0; round < 10; round += 1) {
      await redis.flushdb();
      answers.push(...(await Promise.all([send(), send()])));
    }
    expect(answers.filter(({ envelope }) => envelope?.code === '2000')).toHaveLength(1);
    expect(await orderCount()).toBe(before + 1);
  });
});
