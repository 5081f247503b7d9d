import { describe, expect, it } from 'vitest';
import { refusalOf } from '../support/api-client.ts';
import { outcomesOf, sendBatch } from '../support/batches.ts';
import { ordersPath, totalOf } from '../support/orders.ts';
import { exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const path = '/api/v1/wallets';
const burst = 8;
const failuresPerMinute = 5;
const backlogMax = 5;

const service = await serviceForTests({
  workers: 0,
  env: {
    KEY_RATE_PER_SECOND: '4',
    FAILURES_PER_MINUTE: String(failuresPerMinute),
    TRUSTED_PROXIES: '127.0.0.1',
    BACKLOG_MAX_WORKSPACE: String(backlogMax),
  },
});
const [workspace, other] = [await createWorkspace(service), await createWorkspace(service)];

const get = (headers: string[]): Promise<RawAnswer> =>
  exchangeRaw(service.baseUrl, { method: 'GET', target: path, headers });
const signed = (by: TestWorkspace): string[] => signedHeaders(by, { method: 'GET', path });
const codesOf = (answers: RawAnswer[]): unknown[] => answers.map(({ envelope }) => envelope?.code);

async function times(count: number, headers: () => string[]): Promise<RawAnswer[]> {
  return Promise.all(Array.from({ length: count }, () => get(headers())));
}

describe('the rate of a key', () => {
  it('is limited, says when to come back, and is no other key’s', async () => {
    const answers = await times(5 * burst, () => signed(workspace));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2 * burst);
    expect(codesOf(answers).filter((code) => code === '2000').length).toBeGreaterThanOrEqual(burst);
    expect(refused[0]!.envelope).toMatchObject({ code: 'RQ4291', message: 'RATE_LIMITED', data: null });
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]!.headers['ratelimit']).toMatch(/^"key";r=0;t=\d+$/);
    expect(codesOf([await get(signed(other))])).toEqual(['2000']);
  });

  it('is not used up by requests with a wrong signature', async () => {
    const forged = (): string[] => signedHeaders({ ...other, apiSecret: 'x' }, { method: 'GET', path });
    expect(new Set(codesOf(await times(3 * burst, forged)))).toEqual(new Set(['GA2012']));
    expect(codesOf([await get(signed(other))])).toEqual(['2000']);
  });
});

/** A workspace whose key has a rate of its own, and lines of batches in it. */
async function batches(perSecond: number, burst: number) {
  const of = await createWorkspace(service);
  const rate = ['--per-second', String(perSecond), '--burst', String(burst)];
  await service.admin('key', 'rate', '--key', of.apiKey, ...rate);
  const sides = { sourceWalletId: await of.wallet(), targetWalletId: await of.wallet() };
  const line = { ...sides, amount: '1', currency: 'USD' };
  const send = (count: number, more: object = {}, atomic = false) =>
    sendBatch(of, Array(count).fill({ ...line, ...more }), { atomic });
  return { send, orders: () => totalOf(of, ordersPath, {}) };
}

describe('of a batch', () => {
  it('each line counts for the rate, whether or not it makes an order', async () => {
    const { send } = await batches(5, 20);
    expect((await send(20, { targetWalletId: 'wa_unknown' })).status).toBe(200);
    const refused = await send(20);
    expect(refusalOf(refused).slice(0, 3)).toEqual([429, 'RQ4291', 'KEY_RATE_EXCEEDED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit']).toMatch(/^"key";r=\d+;t=\d+$/);
  });

  it('the backlog is passed by one at the most, and what is for later counts for nothing', async () => {
    const { send, orders } = await batches(500, 500);
    const later = { executeAt: new Date(Date.now() + 3_600_000).toISOString() };
    expect(new Set(outcomesOf(await send(2 * backlogMax, later)))).toEqual(new Set(['SCHEDULED']));
    expect(new Set(outcomesOf(await send(backlogMax + 2)))).toEqual(new Set(['PENDING']));
    for (const atomic of [false, true]) {
      const refused = await send(1, {}, atomic);
      expect(refusalOf(refused).slice(0, 3)).toEqual([503, 'SY5031', 'WORKSPACE_BACKLOG_FULL']);
      expect(refused.headers['retry-after']).toBe('5');
    }
    expect(await orders()).toBe(3 * backlogMax + 2);
    const other = await batches(500, 500);
    expect((await other.send(1)).status).toBe(200);
  });
});

describe('failed authentications', () => {
  const from = (address: string): string[] => [`X-Forwarded-For: ${address}`];

  it('are limited for their address alone, and right requests from it still pass', async () => {
    const answers = await times(3 * failuresPerMinute, () => from('203.0.113.9'));
    expect(codesOf(answers).filter((code) => code === 'GA2001')).toHaveLength(failuresPerMinute);
    expect(codesOf(answers).filter((code) => code === 'RQ4291')).toHaveLength(2 * failuresPerMinute);
    expect(codesOf([await get(from('203.0.113.10'))])).toEqual(['GA2001']);
    expect(codesOf([await get([...from('203.0.113.9'), ...signed(other)])])).toEqual(['2000']);
  });

  it('are not counted from loopback', async () => {
    const answers = await times(3 * failuresPerMinute, () => from('127.0.0.1'));
    expect(new Set(codesOf(answers))).toEqual(new Set(['GA2001']));
  });
});
