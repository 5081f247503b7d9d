import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { commandsPath } from '../support/orders.ts';
import { exchangeBytes, exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const createPath = `${commandsPath}/create`;
const json = 'Content-Type: application/json';

const service = await serviceForTests({ workers: 1 });
const workspace = await createWorkspace(service);
afterAll(() => service.admin('verify'));
const [alice, bob] = [await workspace.wallet('1000'), await workspace.wallet()];
/** Of a create that is accepted. */
const validBody = JSON.stringify({ sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' });
/** Of a wallet that is funded. */
const walletPath = `/api/v1/wallets/${alice}`;

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

/** Sends a request of which every byte is the test's. */
const send = ({ method = 'GET', path = walletPath, target = path, body = '', headers = [], ...rest }: Sent = {}) => {
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
};
const post = (sent: Sent = {}): Promise<RawAnswer> =>
  send({ method: 'POST', path: createPath, body: validBody, headers: [json], ...sent });

const verdict = ({ status, envelope }: RawAnswer): unknown[] => [status, envelope?.code];
const unsigned = (target: string, { method = 'GET', headers = [] as string[] } = {}) =>
  exchangeRaw(service.baseUrl, { method, target, headers });

describe('what is signed is what is routed', () => {
  it('takes the path as it was sent, and leaves the query out', async () => {
    expect(verdict(await send({}))).toEqual([200, '2000']);
    const list = '/api/v1/wallets';
    expect(verdict(await send({ path: list, target: `${list}?size=1` }))).toEqual([200, '2000']);
    expect(verdict(await send({ path: list, target: `${list}?reference=/../c` }))).toEqual([400, 'RQ4001']);
  });

  it.each([
    ['a doubled slash', () => walletPath.replace('/v1/', '/v1//')],
    ['an encoded dot segment', () => walletPath.replace('/v1/', '/v1/%2e%2e/v1/')],
    ['an encoded letter', () => walletPath.replace('wallets', '%77allets')],
    ['/api itself', () => '/api'],
  ])('denies a signed path with %s, never finding it', async (_, path) => {
    expect(verdict(await send({ path: path() }))).toEqual([403, '50090201']);
    expect(verdict(await unsigned(path()))).toEqual([401, 'GA2001']);
  });

  it.each(['%zz', '%00', '..', '%7B%22$gt%22:%22%22%7D', 'x'.repeat(2_000)])(
    'takes the id %s as it is: not found',
    async (id) => {
      expect(verdict(await send({ path: `/api/v1/wallets/${id}` }))).toEqual([404, 'WA4041']);
    },
  );

  it.each(['HEAD', 'OPTIONS', 'DELETE'])('denies %s on a known path', async (method) => {
    const answer = await send({ method });
    expect(answer.status).toBe(403);
    if (method !== 'HEAD') expect(answer.envelope?.code).toBe('50090201');
    expect((await unsigned(walletPath, { method })).status).toBe(401);
  });

  it.each([
    ['the absolute form', () => `http://test${walletPath}`],
    ['a fragment', () => `${walletPath}#x`],
    ['an asterisk', () => '*'],
    ['an address that cannot be parsed', () => `http://a[b${walletPath}`],
    ['a broken escape before a fragment', () => '//%zz@test/#'],
    ['a letter beyond ASCII', () => `${walletPath}?note=\u00e9`],
  ])('refuses %s before anything else', async (_, target) => {
    const answer = await unsigned(target(), { method: target() === '*' ? 'OPTIONS' : 'GET' });
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
    expect(verdict(await unsigned(walletPath, { headers }))).toEqual([401, 'GA2001']);
  });
});

describe('a body', () => {
  it('may come in chunks', async () => {
    expect(verdict(await post({ headers: [json, 'Transfer-Encoding: chunked'] }))).toEqual([200, '2000']);
  });

  it('may name its charset', async () => {
    const headers = ['Content-Type: application/json; charset="UTF-8"'];
    expect(verdict(await post({ headers }))).toEqual([200, '2000']);
  });

  it.each([
    ['without a type', { headers: [] }],
    ['of another type', { headers: ['Content-Type: text/plain'] }],
    ['in another charset', { headers: ['Content-Type: application/json; charset=utf-16'] }],
    ['compressed', { headers: [json, 'Content-Encoding: gzip'], body: gzipSync('{}') }],
  ])('%s is of an unsupported type', async (_, sent) => {
    expect(verdict(await post(sent))).toEqual([415, 'RQ4151']);
  });

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

describe('the host', () => {
  const request = (version: string, ...hosts: string[]): Buffer =>
    Buffer.from(
      [
        `GET /api/v1/wallets HTTP/${version}`,
        'Connection: close',
        ...hosts.map((host) => `Host: ${host}`),
        '\r\n',
      ].join('\r\n'),
    );

  it.each([
    ['is named twice', '1.1', ['a', 'b'], 'HOST_MALFORMED'],
    ['is named twice in HTTP/1.0', '1.0', ['a', 'b'], 'HOST_MALFORMED'],
    ['is none', '1.1', ['a b'], 'HOST_MALFORMED'],
    ['is missing', '1.1', [], 'HOST_MISSING'],
  ])('that %s is refused before the pipeline', async (_, version, hosts, reason) => {
    const answer = await exchangeBytes(service.baseUrl, request(version, ...hosts));
    expect([...verdict(answer), answer.headers['x-error-reason']]).toEqual([400, 'RQ4002', reason]);
  });

  it.each(['a:3000', '[::1]:3000', 'a_b.example', ''])('%j goes through it', async (host) => {
    expect(verdict(await exchangeBytes(service.baseUrl, request('1.1', host)))).toEqual([401, 'GA2001']);
  });

  it('may be missing in HTTP/1.0', async () => {
    expect(verdict(await exchangeBytes(service.baseUrl, request('1.0')))).toEqual([401, 'GA2001']);
  });

  it('that is named twice is refused at the operations port', async () => {
    const bytes = Buffer.from('GET /livez HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n');
    expect((await exchangeBytes(service.opsUrl, bytes)).status).toBe(400);
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
    [
      'a length and chunks',
      `POST ${createPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
  ])('is the envelope also for %s', async (_, text, status) => {
    const answer = await exchangeBytes(service.baseUrl, Buffer.from(text));
    expect([answer.status, answer.envelope?.code, answer.envelope?.success]).toEqual([status, 'RQ4002', false]);
  });

  it('is in the language asked for, with the same code', async () => {
    const told = async (locale: string) => (await unsigned(walletPath, { headers: [`X-LOCALE: ${locale}`] })).envelope;
    expect(await told('EN-gb')).toMatchObject({
      code: 'GA2001',
      message: 'The header X-Api-Key is missing.',
      data: null,
    });
    expect(await told('tlh')).toMatchObject({ code: 'GA2001', message: 'API_KEY_MISSING' });
  });
});

it('a client does not name its own address', async () => {
  await service.admin('key', 'whitelist', '--key', workspace.apiKey, '--ip', '203.0.113.9');
  const answer = await send({
    headers: ['X-Forwarded-For: 203.0.113.9', 'X-Real-IP: 203.0.113.9', 'Forwarded: for=203.0.113.9'],
  });
  expect(verdict(answer)).toEqual([403, 'GA2022']);
});
