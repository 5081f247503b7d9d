import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchangeBytes, exchangeRaw } from '../support/raw-http.ts';
import { createPath, json, rawService, verdict } from '../support/raw-service.ts';

const { service, walletPath, validBody, send, post } = await rawService();

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
    ['__proto__', '{"__proto__":{"amount":"1"}}'],
    ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists in lists', `{"a":"\\":","b":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('with %s is refused by its fields', async (_, body) => {
    expect(verdict(await post({ body }))).toEqual([400, 'RQ4001']);
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
    ['is named twice, alike', '1.1', ['a', 'a'], 'HOST_MALFORMED'],
    ['is named twice in HTTP/1.0', '1.0', ['a', 'b'], 'HOST_MALFORMED'],
    ['is none', '1.1', ['a b'], 'HOST_MALFORMED'],
    ['is a URL', '1.1', ['http://a/'], 'HOST_MALFORMED'],
    ['is missing', '1.1', [], 'HOST_MISSING'],
  ])('that %s is refused before the pipeline', async (_, version, hosts, reason) => {
    const answer = await exchangeBytes(service.baseUrl, request(version, ...hosts));
    expect([...verdict(answer), answer.headers['x-error-reason']]).toEqual([400, 'RQ4002', reason]);
  });

  it.each([['a:3000'], ['[::1]:3000'], ['a_b.example'], ['127.0.0.1'], ['']])('%j goes through it', async (host) => {
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
    const plain = await exchangeRaw(service.baseUrl, {
      method: 'GET',
      target: walletPath,
      headers: ['X-LOCALE: tlh'],
    });
    expect(plain.envelope).toMatchObject({ code: 'GA2001', message: 'API_KEY_MISSING' });
  });
});
