import { describe, expect, it } from 'vitest';
import { exchangeRaw, signedHeaders } from '../support/raw-http.ts';
import { createPath, json, rawService, verdict } from '../support/raw-service.ts';

const { service, workspace, walletPath, validBody, send, post } = await rawService();

describe('what is signed is what is routed', () => {
  it('takes the path as it was sent, and leaves the query out', async () => {
    expect(verdict(await send({}))).toEqual([200, '2000']);
    const list = '/api/v1/wallets';
    expect(verdict(await send({ path: list, target: `${list}?size=1` }))).toEqual([200, '2000']);
    expect(verdict(await send({ path: list, target: `${list}?reference=/../c` }))).toEqual([400, 'RQ4001']);
  });

  it.each([
    ['a doubled slash', () => walletPath.replace('/v1/', '/v1//')],
    ['a dot segment', () => walletPath.replace('/v1/', '/v1/../v1/')],
    ['an encoded dot segment', () => walletPath.replace('/v1/', '/v1/%2e%2e/v1/')],
    ['a trailing slash', () => `${walletPath}/`],
    ['other letters', () => walletPath.replace('wallets', 'Wallets')],
    ['an encoded letter', () => walletPath.replace('wallets', '%77allets')],
    ['/api itself', () => '/api'],
    ['nothing under /api/', () => '/api/'],
    ['no version', () => '/api/wallets'],
  ])('denies a signed path with %s, never finding it', async (_, path) => {
    expect(verdict(await send({ path: path() }))).toEqual([403, '50090201']);
    expect(verdict(await exchangeRaw(service.baseUrl, { method: 'GET', target: path(), headers: [] }))).toEqual([
      401,
      'GA2001',
    ]);
  });

  it.each(['%2e%2e', '%zz', '%00', '..', '$where', '%7B%22$gt%22:%22%22%7D', 'x'.repeat(2_000)])(
    'takes the id %s as it is: not found',
    async (id) => {
      expect(verdict(await send({ path: `/api/v1/wallets/${id}` }))).toEqual([404, 'WA4041']);
    },
  );

  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('denies %s on a known path', async (method) => {
    const answer = await send({ method });
    expect(answer.status).toBe(403);
    if (method !== 'HEAD') expect(answer.envelope?.code).toBe('50090201');
    expect((await exchangeRaw(service.baseUrl, { method, target: walletPath, headers: [] })).status).toBe(401);
  });

  it.each([
    ['the absolute form', () => `http://test${walletPath}`],
    ['a fragment', () => `${walletPath}#x`],
    ['an asterisk', () => '*'],
    ['an address that cannot be parsed', () => `http://a[b${walletPath}`],
    ['an address with a broken escape', () => `http://%zz@test${walletPath}`],
    ['another scheme without a path', () => 'x://test'],
    ['a broken escape before a fragment', () => '//%zz@test/#'],
    ['a letter beyond ASCII', () => `${walletPath}?note=\u00e9`],
    ['a space that is none in ASCII', () => '//%zz@test/\u00a0'],
  ])('refuses %s before anything else', async (_, target) => {
    const answer = await exchangeRaw(service.baseUrl, {
      method: target() === '*' ? 'OPTIONS' : 'GET',
      target: target(),
      headers: [],
    });
    expect(verdict(answer)).toEqual([400, 'RQ4002']);
    expect(answer.envelope).toMatchObject({ success: false, data: null });
  });
});

describe('nonces and headers', () => {
  it('let one of a hundred identical requests pass', async () => {
    const headers = signedHeaders(workspace, { method: 'POST', path: createPath, body: validBody });
    const request = { method: 'POST', target: createPath, headers: [...headers, json], body: validBody };
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchangeRaw(service.baseUrl, request)));
    const codes = answers.map(({ envelope }) => envelope?.code);
    expect(codes.filter((code) => code === '2000')).toHaveLength(1);
    expect(codes.filter((code) => code === 'GA2013')).toHaveLength(99);
  });

  it('refuse a nonce that was used, even with another body or a wrong signature', async () => {
    const nonce = `used-${Date.now()}`;
    expect(verdict(await send({ nonce }))).toEqual([200, '2000']);
    expect(verdict(await post({ nonce }))).toEqual([401, 'GA2013']);
    expect(verdict(await send({ nonce, signedBody: 'other' }))).toEqual([401, 'GA2013']);
  });

  it('are all seen, however many there are', async () => {
    const many = Array.from({ length: 1_100 }, () => 'a: b');
    expect(verdict(await send({ headers: many }))).toEqual([200, '2000']);
    expect(verdict(await send({ headers: [...many, 'X-Nonce: another'] }))).toEqual([401, 'GA2013']);
  });

  it('expect nothing that the service would not do anyway', async () => {
    const headers = ['Expect: something'];
    expect(verdict(await send({ headers }))).toEqual([200, '2000']);
    const unsigned = { method: 'GET', target: walletPath, headers };
    expect(verdict(await exchangeRaw(service.baseUrl, unsigned))).toEqual([401, 'GA2001']);
  });

  it('do not let a client name its own address', async () => {
    await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--ip', '203.0.113.9');
    const answer = await send({
      headers: ['X-Forwarded-For: 203.0.113.9', 'X-Real-IP: 203.0.113.9', 'Forwarded: for=203.0.113.9'],
    });
    await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--clear');
    expect(verdict(answer)).toEqual([403, 'GA2022']);
  });
});
