import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../../src/http/body.ts';
import { headerValues } from '../../src/http/headers.ts';
import { timeOf } from '../../src/http/listQueries.ts';
import { createRouteTable } from '../../src/http/routes.ts';
import type { Route } from '../../src/http/routes.ts';
import { parseWait } from '../../src/http/transferCommands.ts';

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
    ['nothing', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['a byte order mark', '\ufeff{}'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1/**/}'],
    ['two values', '{}{}'],
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice with the same value', '{"a":"1","a":"1"}'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
    ['a key twice deep inside', '{"a":[{"b":1,"b":1}]}'],
    ['a key twice around others', '{"a":{"b":1},"c":[{"a":"a"}],"a":2}'],
  ])('refuses %s', (_, text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow('MALFORMED_BODY');
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('MALFORMED_BODY');
  });
});

describe('headerValues', () => {
  const raw = ['X-Nonce', 'a', 'x-none', 'other', 'X-NONCE', 'b, c', 'x-nonces', 'd'];
  it('are those of every header of that name, in any case, each by itself', () => {
    expect(headerValues(raw, 'x-nonce')).toEqual(['a', 'b, c']);
    expect(headerValues(raw, 'x-none')).toEqual(['other']);
    expect(headerValues(raw, 'x-absent')).toEqual([]);
  });
});

describe('createRouteTable', () => {
  const route = (method: Route['method'], path: string): Route => ({
    scope: 'wallet:read',
    method,
    path,
    operation: { id: path, summary: path, answer: 'Wallet' },
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
