import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeBytes, exchangeRaw, signedHeaders } from '../support/raw-http.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startService } from '../support/service.ts';
import type { RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const createPath = '/api/v1/transfer/command/create';
const json = 'Content-Type: application/json';

let service: RunningService;
let workspace: TestWorkspace;
let walletPath: string;
let validBody: string;

beforeAll(async () => {
  service = await startService({ workers: 1 });
  workspace = await createWorkspace(service);
  const [alice, bob] = [await workspace.wallet('1000'), await workspace.wallet()];
  walletPath = `/api/v1/wallets/${alice}`;
  validBody = JSON.stringify({ sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' });
});
afterAll(async () => {
  await service.admin('verify');
  await service.stop();
});

interface Sent {
  method?: string;
  /** What is sent, where it differs from the path that is signed. */
  target?: string;
  path?: string;
  body?: Uint8Array | string;
  signedBody?: Uint8Array | string;
  headers?: string[];
  nonce?: string;
}

function send({
  method = 'GET',
  path = walletPath,
  target = path,
  body = '',
  headers = [],
  ...rest
}: Sent): Promise<RawAnswer> {
  const signed = signedHeaders(workspace, {
    method,
    path,
    body: rest.signedBody ?? body,
    ...(rest.nonce === undefined ? {} : { nonce: rest.nonce }),
  });
  const length = Buffer.from(body).length;
  const lines = [...signed.filter((line) => !line.startsWith('Content-Length')), ...headers];
  const isChunked = headers.some((line) => line.startsWith('Transfer-Encoding'));
  return exchangeRaw(service.baseUrl, {
    method,
    target,
    headers: length > 0 && !isChunked ? [...lines, `Content-Length: ${length}`] : lines,
    body: isChunked
      ? Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n')])
      : body,
  });
}
const post = (sent: Sent): Promise<RawAnswer> =>
  send({ method: 'POST', path: createPath, body: validBody, headers: [json], ...sent });
const verdict = ({ status, envelope }: RawAnswer): unknown[] => [status, envelope?.code];

describe('what is signed is what is routed', () => {
  it('takes the path as it was sent, and leaves the query out', async () => {
    expect(verdict(await send({}))).toEqual([200, '2000']);
    expect(verdict(await send({ target: `${walletPath}?a=1&b=/../c` }))).toEqual([200, '2000']);
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

  it('refuses a request of HTTP/1.1 that names no host, and takes one of HTTP/1.0', async () => {
    const ask = (version: string) =>
      exchangeBytes(service.baseUrl, Buffer.from(`GET ${walletPath} HTTP/${version}\r\nConnection: close\r\n\r\n`));
    expect(verdict(await ask('1.1'))).toEqual([400, 'RQ4002']);
    expect(verdict(await ask('1.0'))).toEqual([401, 'GA2001']);
  });
});

describe('a body', () => {
  it('may come in chunks', async () => {
    expect(verdict(await post({ headers: [json, 'Transfer-Encoding: chunked'] }))).toEqual([200, '2000']);
  });

  it('may name its charset', async () => {
    expect(verdict(await post({ headers: ['Content-Type: application/json; charset="UTF-8"'] }))).toEqual([
      200,
      '2000',
    ]);
  });

  it.each([
    ['without a type', { headers: [] }],
    ['of another type', { headers: ['Content-Type: text/plain'] }],
    ['in another charset', { headers: ['Content-Type: application/json; charset=utf-16'] }],
    ['compressed', { headers: [json, 'Content-Encoding: gzip'], body: gzipSync('{}') }],
  ])('%s is of an unsupported type', async (_, sent) => {
    expect(verdict(await post(sent))).toEqual([415, 'RQ4151']);
  });

  it.each([
    ['that is empty', ''],
    ['that is no JSON', '{'],
    ['that is no object', '[]'],
    ['with a byte order mark', '\ufeff{}'],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['with a key twice', '{"amount":"1","amount":"1"}'],
  ])('%s is malformed', async (_, body) => {
    expect(verdict(await post({ body }))).toEqual([400, 'RQ4002']);
  });

  it.each([
    ['__proto__', '{"__proto__":{"amount":"1"}}'],
    ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists in lists', `{"a":"\\":","b":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['an operator for a wallet', '{"sourceWalletId":{"$gt":""},"targetWalletId":"x","amount":"1","currency":"USD"}'],
  ])('with %s is refused by its fields', async (_, body) => {
    expect(verdict(await post({ body }))).toEqual([400, 'RQ4001']);
  });

  it.each(['1e3', '+1', '-1', '.5', '1.', '01', '0', '0.00', '１', '١', ' 1', '1,0', 'NaN', '1'.repeat(40), '1.001'])(
    'with the amount %j is refused',
    async (amount) => {
      const body = JSON.stringify({ ...(JSON.parse(validBody) as object), amount });
      expect(verdict(await post({ body }))).toEqual([400, 'RQ4001']);
    },
  );

  it('that was not signed fails the signature, also on a GET', async () => {
    expect(verdict(await post({ signedBody: validBody + ' ' }))).toEqual([401, 'GA2012']);
    expect(verdict(await send({ body: '{}', signedBody: '', headers: [json] }))).toEqual([401, 'GA2012']);
  });

  it('of more than 64 KiB is refused, and leaves the nonce unused', async () => {
    const nonce = `large-${Date.now()}`;
    expect(verdict(await post({ body: 'x'.repeat(64 * 1024 + 1), nonce }))).toEqual([413, 'RQ4131']);
    expect(verdict(await post({ nonce }))).toEqual([200, '2000']);
    expect(verdict(await post({ body: 'x'.repeat(64 * 1024 + 1), nonce }))).toEqual([401, 'GA2013']);
    expect(verdict(await post({ body: ' '.repeat(64 * 1024) }))).toEqual([400, 'RQ4002']);
  });

  it('of any size is not read for an unknown key', async () => {
    const headers = ['X-Api-Key: ak_unknown', json, `Content-Length: ${1024 ** 3}`];
    const answer = await exchangeRaw(service.baseUrl, { method: 'POST', target: createPath, headers, body: 'x' });
    expect(verdict(answer)).toEqual([401, 'GA2011']);
    expect(answer.headers['connection']).toBe('close');
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

  it('leave a nonce unused by a wrong signature', async () => {
    const nonce = `forged-${Date.now()}`;
    expect(verdict(await send({ nonce, signedBody: 'other' }))).toEqual([401, 'GA2012']);
    expect(verdict(await send({ nonce }))).toEqual([200, '2000']);
  });

  it.each([
    ['X-Api-Key', 'GA2011'],
    ['X-Timestamp', 'GA2013'],
    ['X-Nonce', 'GA2013'],
    ['X-Signature', 'GA2012'],
  ])('fail at their own step where %s comes twice', async (name, code) => {
    const headers = signedHeaders(workspace, { method: 'GET', path: walletPath });
    const twice = headers.find((line) => line.startsWith(name))!;
    const answer = await exchangeRaw(service.baseUrl, {
      method: 'GET',
      target: walletPath,
      headers: [...headers, twice],
    });
    expect(verdict(answer)).toEqual([401, code]);
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

  it('tell a client to send its body only once it is to be read', async () => {
    const headers = [json, 'Expect: 100-continue'];
    const unsigned = { method: 'POST', target: createPath, headers: [...headers, 'Content-Length: 2'] };
    expect(verdict(await exchangeRaw(service.baseUrl, unsigned))).toEqual([401, 'GA2001']);
    expect((await post({ headers })).status).toBe(100);
  });

  it('are not parsed where they are longer than they can be', async () => {
    const longLocale = `en-US-x${'-longer'.repeat(5)}`;
    const wrong = await send({ headers: [`X-LOCALE: ${longLocale}`], nonce: 'n'.repeat(129) });
    expect(wrong.envelope).toMatchObject({ code: 'GA2013', message: 'TIMESTAMP_EXPIRED' });
    const patient = await post({ headers: [json, `Prefer: ${'a, '.repeat(100)}wait=1`] });
    expect(verdict(patient)).toEqual([200, '2000']);
    expect(patient.headers).not.toHaveProperty('preference-applied');
    const typed = await post({ headers: [`Content-Type: application/json; a=${'a'.repeat(300)}`] });
    expect(verdict(typed)).toEqual([415, 'RQ4151']);
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

describe('every answer', () => {
  it('forbids caching and guessing, names its request, and not what serves it', async () => {
    const { headers } = await send({});
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('is whole, also for a client that says it has a copy', async () => {
    const answer = await send({ headers: ['If-None-Match: *'] });
    expect(verdict(answer)).toEqual([200, '2000']);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', `GET ${createPath} HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n`, 400],
    ['two lengths', `POST ${createPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
    [
      'a length and chunks',
      `POST ${createPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['headers without end', `GET ${createPath} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is the envelope also for %s', async (_, text, status) => {
    const answer = await exchangeBytes(service.baseUrl, Buffer.from(text));
    expect([answer.status, answer.envelope?.code, answer.envelope?.success]).toEqual([status, 'RQ4002', false]);
  });

  it('is in the language asked for, with the same code', async () => {
    const answer = await exchangeRaw(service.baseUrl, {
      method: 'GET',
      target: walletPath,
      headers: ['X-LOCALE: EN-gb'],
    });
    expect(answer.envelope).toMatchObject({ code: 'GA2001', message: 'The header X-Api-Key is missing.', data: null });
    const plain = await exchangeRaw(service.baseUrl, { method: 'GET', target: walletPath, headers: ['X-LOCALE: tlh'] });
    expect(plain.envelope).toMatchObject({ code: 'GA2001', message: 'API_KEY_MISSING' });
  });
});
