import { describe, expect, it } from 'vitest';
import { catalogue, type ErrorName } from '../../src/errors.ts';
import { bizIdForm } from '../../src/orders/order.ts';
import { exchangeBytes, exchangeRaw, signedHeaders } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await serviceForTests();
const home = await createWorkspace(service);
const [sourceWalletId, targetWalletId] = [await home.wallet('10'), await home.wallet()];
const good: Record<string, string> = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };

describe('a request that is refused', () => {
  const createPath = '/api/v1/transfer/command/create';
  const ordersPath = '/api/v1/transfer/query/orders';

  type Request = Parameters<TestWorkspace['client']['request']>;

  async function refusal(...request: Request) {
    const { status, headers, envelope } = await home.client.request(...request);
    const [reason, field, value] = ['x-error-reason', 'x-error-field', 'x-error-value'].map((name) => headers[name]);
    const told = catalogue[reason as ErrorName];
    expect([status, envelope?.code, envelope?.data]).toEqual([told.status, told.code, null]);
    return { reason, field, value };
  }

  it.each<[object | string, string, string | undefined, string?]>([
    [{ 'größe\r\n%41': 'x' }, 'FIELD_UNKNOWN', 'gr%C3%B6%C3%9Fe%0D%0A%2541'],
    [{ ['x'.repeat(5_000)]: 'x' }, 'FIELD_UNKNOWN', 'x'.repeat(1_024)],
    [{ amount: 1.1 }, 'FIELD_TYPE_WRONG', 'amount', 'string'],
    [{ sourceWalletId: '' }, 'FIELD_MALFORMED', 'sourceWalletId', 'length at least 1'],
    [{ sourceWalletId: 'x'.repeat(65) }, 'FIELD_MALFORMED', 'sourceWalletId', 'length at most 64'],
    [{ bizId: 'tr_1' }, 'FIELD_MALFORMED', 'bizId', bizIdForm.source],
    [{ bizId: 'wallet' }, 'FIELD_MALFORMED', 'bizId', bizIdForm.source],
    [{ description: '' }, 'FIELD_MALFORMED', 'description', '1 to 200 characters, none of them a control character'],
    [{ metadata: { 'a b': '1' } }, 'FIELD_MALFORMED', 'metadata.a b', '^[A-Za-z0-9_.-]{1,40}$'],
    ['{"metadata":{"__proto__":"1"}}', 'FIELD_MALFORMED', 'metadata.__proto__', 'not __proto__'],
    [{ currency: 'usd' }, 'CURRENCY_UNKNOWN', 'currency', 'USD'],
    [{ amount: '1,5' }, 'AMOUNT_MALFORMED', 'amount'],
    [{ amount: '1.001' }, 'TOO_MANY_DECIMALS', 'amount', '2'],
    [{ currency: 'EUR' }, 'CURRENCY_MISMATCH', 'sourceWalletId', 'USD'],
    ['{"amount": 1.1.1}', 'BODY_NOT_JSON', undefined, '14'],
  ])('with the create %j: %s', async (change, reason, field, value) => {
    const isWhole = typeof change === 'string' && reason.startsWith('FIELD');
    const body = isWhole
      ? change.replace('{', `${JSON.stringify(good).slice(0, -1)},`)
      : typeof change === 'string'
        ? change
        : { ...good, ...change };
    expect(await refusal('POST', createPath, { body })).toEqual({ reason, field, value });
  });

  it('names the wallet that two fields share, one that is frozen, and the order that holds the bizId', async () => {
    const [frozen, same] = [await home.wallet(), good['sourceWalletId']];
    await home.post(`wallets/${frozen}/freeze`);
    const create = (change: object): Request => ['POST', createPath, { body: { ...good, ...change } }];
    expect(await refusal(...create({ targetWalletId: same }))).toEqual({
      ...{ reason: 'SAME_WALLET', field: 'targetWalletId', value: undefined },
    });
    expect(await refusal(...create({ targetWalletId: frozen }))).toEqual({
      ...{ reason: 'WALLET_NOT_ACTIVE', field: 'targetWalletId', value: 'FROZEN' },
    });
    const first = await home.client.request<{ transferId: string }>(...create({ bizId: 'held' }));
    const { transferId } = first.envelope!.data;
    expect(await refusal(...create({ bizId: 'held', amount: '2' }))).toEqual({
      ...{ reason: 'BIZ_ID_CONFLICT', field: 'bizId', value: transferId },
    });
    const differing = async (...request: Request) => {
      const { error } = (await home.client.request(...request)).envelope as { error?: { fields: { field: string }[] } };
      return error?.fields.map(({ field }) => field);
    };
    const executeAt = '2099-01-01T00:00:00Z';
    const other = create({ bizId: 'held', amount: '2', executeAt });
    expect(await differing(...other)).toEqual(['bizId', 'amount', 'executeAt']);
    const capture = { body: { transferId, bizId: 'held' } };
    expect(await differing('POST', '/api/v1/transfer/command/capture', capture)).toEqual(['bizId', 'type']);
  });

  it.each<[string, string, string, string?]>([
    [`${ordersPath}?size=101`, 'FIELD_OUT_OF_RANGE', 'size', '100'],
    [`${ordersPath}?size=x`, 'FIELD_MALFORMED', 'size', '^(0|[1-9][0-9]{0,8})$'],
    [`${ordersPath}?parentId=x`, 'FIELD_MALFORMED', 'parentId', '^tr_[0-9A-HJKMNP-TV-Z]{26}$'],
    [`${ordersPath}?currency=usd`, 'CURRENCY_UNKNOWN', 'currency', 'USD'],
    [`${ordersPath}?page=1000&size=100`, 'PAGE_TOO_DEEP', 'page'],
    [`${ordersPath}?status=completed`, 'VALUE_NOT_ALLOWED', 'status', 'SCHEDULED,PENDING,COMPLETED,FAILED,CANCELLED'],
    ...['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00Z', '2026-02-30T00:00:00Z', '1767225600000'].map(
      (from): [string, string, string, string] => [`${ordersPath}?from=${from}`, 'TIME_MALFORMED', 'from', from],
    ),
    [`${ordersPath}?to=2026-01-01T00:00:00+01:00`, 'TIME_MALFORMED', 'to', '2026-01-01T00:00:00 01:00'],
    // A space at either end would be taken off on the way.
    [`${ordersPath}?to=+1+`, 'TIME_MALFORMED', 'to', '%201%20'],
  ])('for %s: %s', async (target, reason, field, value) => {
    const [path = ''] = target.split('?');
    const headers = signedHeaders(home, { method: 'GET', path });
    const answer = await exchangeRaw(service.baseUrl, { method: 'GET', target, headers });
    expect(answer.headers).toMatchObject({ 'x-error-reason': reason, 'x-error-field': field });
    expect(answer.headers['x-error-value']).toBe(value);
  });

  it('is told why in the body, whoever refuses it', async () => {
    const nothing = { field: null, value: null, fields: [] };
    const raw = async (text: string) => (await exchangeBytes(service.baseUrl, Buffer.from(text))).envelope?.error;
    expect(await raw('GET /api HTTP/9.9\r\n\r\n')).toEqual({ ...nothing, reason: 'REQUEST_MALFORMED' });
    const large = `GET /api HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(large)).toEqual({ ...nothing, reason: 'HEADERS_TOO_LARGE' });
    const unsigned = 'GET /api/v1/wallets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await raw(unsigned)).toEqual({ ...nothing, reason: 'API_KEY_MISSING', field: 'X-Api-Key' });
    const told = async (...request: Request) => (await home.client.request(...request)).envelope;
    expect(await told('GET', `${ordersPath}/unknown`)).toMatchObject({
      data: null,
      error: { ...nothing, reason: 'TRANSFER_NOT_FOUND', field: 'bizId' },
    });
    const body = { ...good, ['ö'.repeat(2_000)]: 1 };
    expect(await told('POST', createPath, { body })).toMatchObject({
      error: { reason: 'FIELD_UNKNOWN', field: 'ö'.repeat(1_024) },
    });
  });

  it('with a signature of another path, is told the one that was received, whatever is in it', async () => {
    const target = '/api/v1/wallets/a%41%C3%A9%2525';
    const headers = signedHeaders(home, { method: 'GET', path: '/api/v1/wallets/aA' });
    const answer = await exchangeRaw(service.baseUrl, { method: 'GET', target, headers });
    expect(answer.headers['x-error-reason']).toBe('SIGNATURE_MISMATCH');
    const [method, path] = decodeURIComponent(String(answer.headers['x-error-value'])).split(' ');
    expect([method, path]).toEqual(['GET', target]);
  });
});
