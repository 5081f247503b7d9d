import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientAddress, parseNetwork } from '../../src/auth/address.ts';
import { malformed } from '../../src/auth/signing-headers.ts';
import { parseJsonObject } from '../../src/http/body.ts';
import { forwardedFor, headerCharsMax, parsedHeader, signingHeader } from '../../src/http/headers.ts';
import { timeOf } from '../../src/http/list-queries.ts';
import { createRouteTable } from '../../src/http/routes.ts';
import type { Route } from '../../src/http/routes.ts';
import { parseWait } from '../../src/http/transfer-commands.ts';

describe('parseJsonObject', () => {
  it('takes one JSON object in UTF-8', () => {
    expect(parseJsonObject(Buffer.from(' {"a":"ü","b":{"a":1}} '))).toEqual({ a: 'ü', b: { a: 1 } });
  });

  it('takes one key in several objects, and keys that are values as well', () => {
    const text = '{"a":"b","b":["a",{"a":"a","b":{}}],"c":{"a":"c","c":"\\"a\\":"}}';
    expect(parseJsonObject(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('keeps __proto__ a key like any other, to be refused as unknown', () => {
    expect(Object.keys(parseJsonObject(Buffer.from('{"__proto__":{"x":1}}')))).toEqual(['__proto__']);
  });

  it.each([
    ['nothing', '', 'BODY_MISSING', undefined],
    ['an array', '[]', 'BODY_NOT_OBJECT', undefined],
    ['null', 'null', 'BODY_NOT_OBJECT', undefined],
    ['a string', '"a"', 'BODY_NOT_OBJECT', undefined],
    ['a byte order mark', '\ufeff{}', 'BODY_NOT_JSON', undefined],
    ['a trailing comma', '{"a":1,}', 'BODY_NOT_JSON', undefined],
    ['a comment', '{"a":1/**/}', 'BODY_NOT_JSON', undefined],
    ['two values', '{}{}', 'BODY_NOT_JSON', undefined],
    ['bytes that are not UTF-8', Buffer.from('{"\xff":1}', 'latin1'), 'BODY_NOT_UTF8', undefined],
    ['a key twice', '{"a":1,"a":2}', 'KEY_REPEATED', 'a'],
    ['a key twice with the same value', '{"a":"1","a":"1"}', 'KEY_REPEATED', 'a'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 'KEY_REPEATED', 'a'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'KEY_REPEATED', '__proto__'],
    ['a key twice deep inside', '{"a":[{"b":1,"b":1}]}', 'KEY_REPEATED', 'b'],
    ['a key twice around others', '{"a":{"b":1},"c":[{"a":"a"}],"a":2}', 'KEY_REPEATED', 'a'],
  ])('refuses %s', (_, body, errorName, field) => {
    const refusal = expect.objectContaining({ message: 'MALFORMED_BODY', errorName, field }) as Error;
    expect(() => parseJsonObject(Buffer.from(body))).toThrow(refusal);
  });
});

describe('headers', () => {
  it('that sign are found in any case; one that came twice is malformed', () => {
    const raw = ['X-Nonce', 'a', 'x-api-key', 'other', 'X-NONCE', 'b, c', 'x-nonces', 'd', 'X-TIMESTAMP', ''];
    expect(signingHeader(raw, 'x-nonce')).toBe(malformed);
    expect(signingHeader(raw, 'x-api-key')).toBe('other');
    expect(signingHeader(raw, 'x-timestamp')).toBe('');
    expect(signingHeader(raw, 'x-signature')).toBeUndefined();
  });

  it.each([['x-api-key'], ['x-timestamp'], ['x-nonce'], ['x-signature']] as const)(
    'that sign are malformed where they are too long: %s',
    (name) => {
      const longest = 'a'.repeat(headerCharsMax[name]);
      expect(signingHeader([name, longest], name)).toBe(longest);
      expect(signingHeader([name, `${longest}a`], name)).toBe(malformed);
    },
  );

  it.each([['x-locale'], ['prefer'], ['content-type']] as const)('that are too long are not read: %s', (name) => {
    const longest = 'a'.repeat(headerCharsMax[name]);
    expect(parsedHeader({ [name]: longest }, name)).toBe(longest);
    expect(parsedHeader({ [name]: `${longest}a` }, name)).toBeUndefined();
    expect(parsedHeader({}, name)).toBeUndefined();
  });
});

describe('forwardedFor', () => {
  const raw = (...lines: string[]) => lines.flatMap((line) => ['X-Forwarded-For', line]);
  const charsMax = headerCharsMax['x-forwarded-for'];

  it('is every line', () => {
    expect(forwardedFor([])).toEqual([]);
    expect(forwardedFor(raw('203.0.113.7, 10.0.0.1', '10.0.0.2'))).toEqual(['203.0.113.7, 10.0.0.1', '10.0.0.2']);
    expect(forwardedFor(raw('x'.repeat(charsMax)))).toEqual(['x'.repeat(charsMax)]);
  });

  it('keeps of what is too long the entries on the right, whole', () => {
    const padding = Array.from({ length: 1_000 }, () => '203.0.113.8').join(',');
    const kept = forwardedFor(raw(padding, '203.0.113.7, 10.0.0.1'));
    expect(kept.slice(-2)).toEqual(['203.0.113.7', ' 10.0.0.1']);
    expect(new Set(kept.slice(1, -2))).toEqual(new Set(['203.0.113.8']));
    expect(kept.join(',').length).toBeLessThan(charsMax + 10);
  });

  it('gives no address where that would stand in what was cut off', () => {
    const proxies = Array.from({ length: 200 }, () => '10.0.0.1').join(',');
    const trusted = [parseNetwork('10.0.0.0/8')!];
    const addressOf = (...lines: string[]) => clientAddress('10.0.0.9', forwardedFor(raw(...lines)), trusted);
    expect(addressOf('203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
    expect(addressOf(proxies)).toBeUndefined();
    expect(addressOf('203.0.113.7', proxies)).toBeUndefined();
    expect(addressOf(proxies, '203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
  });
});

describe('createRouteTable', () => {
  const route = (method: Route['method'], path: string): Route => ({
    scope: 'wallet:read',
    method,
    path,
    operation: { id: path, summary: path, answer: z.unknown(), tag: { name: 'Tests', description: 'Tests.' } },
    handle: () => Promise.resolve({ data: path }),
  });
  const match = createRouteTable([
    route('GET', '/api/v1/wallets'),
    route('GET', '/api/v1/wallets/{id}'),
    route('GET', '/api/v1/orders/wallet/{walletId}'),
    route('GET', '/api/v1/orders/{bizId}/completed'),
  ]);

  it('finds a route and its raw parameters', () => {
    expect(match('GET', '/api/v1/wallets/%2e%2E')?.params).toEqual({ id: '%2e%2E' });
  });

  it('lets the first that matches win', () => {
    expect(match('GET', '/api/v1/orders/wallet/completed')?.route.path).toBe('/api/v1/orders/wallet/{walletId}');
  });

  it.each([
    ['HEAD', '/api/v1/wallets'],
    ['OPTIONS', '/api/v1/wallets'],
    ['POST', '/api/v1/wallets'],
    ['get', '/api/v1/wallets'],
    ['GET', '/api/v1/wallets/'],
    ['GET', '/api/v1/Wallets'],
    ['GET', '/api//v1/wallets'],
    ['GET', '/api/v1/../v1/wallets'],
    ['GET', '/api/v1/wallets/a/b'],
    ['GET', '/api/v1/wallets\n'],
    ['GET', 'x/api/v1/wallets'],
  ])('does not match %s %j', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });
});

describe('parseWait', () => {
  it.each([
    [undefined, 0],
    ['', 0],
    ['wait=5', 5],
    ['wait = 5', 5],
    ['Wait="5"', 5],
    ['respond-async, wait=3;foo=bar', 3],
    ['wait=0', 0],
    ['wait=11', 10],
    ['wait=999999999', 10],
    ['wait=99999999999999999999', 0],
    ['wait=-1', 0],
    ['wait=1.5', 0],
    ['wait', 0],
    ['await=5', 0],
  ])('reads %j as %i seconds', (prefer, seconds) => {
    expect(parseWait(prefer)).toBe(seconds);
  });
});

describe('a time that a list is asked for', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:00:00.1+02:00', '2026-01-01T00:00:00.100Z'],
    ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000900Z', '2026-01-01T00:00:00.001Z'],
    ['2026-01-01T00:00:00.999000001Z', '2026-01-01T00:00:01.000Z'],
  ])('%s, is the first whole millisecond that is not before it', (text, whole) => {
    expect(timeOf(text)?.toISOString()).toBe(whole);
  });
});
