import { describe, expect, it } from 'vitest';
import { exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const path = '/api/v1/wallets';
let answersSoFar = 0;
const burst = 8;
const failuresPerMinute = 5;

const service = await serviceForTests({
  workers: 0,
  env: {
    KEY_RATE_PER_SECOND: '4',
    FAILURES_PER_MINUTE: String(failuresPerMinute),
    TRUSTED_PROXIES: '127.0.0.1',
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

describe('failed authentications', () => {
  const from = (address: string): string[] => [`X-Forwarded-For: ${address}`];

  it('are limited for their address alone, and right requests from it still pass', async () => {
    const answers = await times(3 * failuresPerMinute, () => from('203.0.113.9'));
    expect(codesOf(answers).filter((code) => code === 'GA2001')).toHaveLength(failuresPerMinute);
    expect(codesOf(answers).filter((code) => code === 'RQ4291')).toHaveLength(2 * failuresPerMinute);
    expect(codesOf([await get(from('203.0.113.10'))])).toEqual(['GA2001']);
    expect(codesOf([await get([...from('203.0.113.9'), ...signed(other)])])).toEqual(['2000']);
  });

  it.each(['203.0.113.11:1024', '[2001:db8:5::1]:443'])('are limited where a proxy appends %s', async (address) => {
    const answers = await times(2 * failuresPerMinute, () => from(address));
    expect(codesOf(answers).filter((code) => code === 'GA2001')).toHaveLength(failuresPerMinute);
  });

  it('are limited under the socket’s address where theirs is not known', async () => {
    const names = ['unknown', '_hidden', '1.2.3', ''];
    const answers = await times(3 * failuresPerMinute, () => from(names[answersSoFar++ % names.length]!));
    expect(codesOf(answers).filter((code) => code === 'GA2001')).toHaveLength(failuresPerMinute);
    expect(codesOf([await get([...from('unknown'), ...signed(other)])])).toEqual(['2000']);
  });

  it('are not counted from loopback', async () => {
    const answers = await times(3 * failuresPerMinute, () => from('127.0.0.1'));
    expect(new Set(codesOf(answers))).toEqual(new Set(['GA2001']));
  });
});
