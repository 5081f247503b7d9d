import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseJsonObject } from '../../src/http/json.ts';

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

  it('takes as many keys and elements as it may, however deep', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `{"deep":${open.repeat(998)}1${close.repeat(998)},"strings":",[{:\\",["}`;
      expect(Object.keys(parseJsonObject(Buffer.from(text), 1_000))).toEqual(['deep', 'strings']);
      expect(() => parseJsonObject(Buffer.from(text), 999)).toThrow(tooMany);
    }
    expect(parseJsonObject(Buffer.from(objectOf(64)))).toHaveProperty('k63');
  });

  const objectOf = (keys: number): string => `{${Array.from({ length: keys }, (_, key) => `"k${key}":1`).join()}}`;
  const tooMany = expect.objectContaining({ message: 'VALIDATION_FAILED', errorName: 'TOO_MANY_VALUES' }) as Error;
  it.each([
    ['keys in one object', objectOf(65)],
    ['keys, all of them the same', `{${'"":1,'.repeat(100_000)}"":1}`],
    ['entries of an object inside', `{"transfers":[{"metadata":${objectOf(65)}}]}`],
    ['keys in many objects', `{"a":[${`${objectOf(50)},`.repeat(20)}{}]}`],
    ['numbers', `{"transfers":[${'1,'.repeat(250_000)}1]}`],
    ['objects in objects', `${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`],
    ['brackets that are never closed', '['.repeat(512 * 1024)],
  ])('refuses a body of too many %s without making anything of it', (_, text) => {
    const parsed = vi.spyOn(JSON, 'parse');
    onTestFinished(() => {
      parsed.mockRestore();
    });
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(tooMany);
    expect(parsed).not.toHaveBeenCalled();
  });

  it('tokenises no text whose objects have all its keys, however many those are', () => {
    const scanned = vi.spyOn(String.prototype, 'charCodeAt');
    onTestFinished(() => {
      scanned.mockRestore();
    });
    const lines = Array.from({ length: 500 }, () => ({ a: 'b', metadata: { c: 'd' }, e: [{ f: [] }] }));
    parseJsonObject(Buffer.from(JSON.stringify({ lines })), 20_000);
    expect(scanned).not.toHaveBeenCalled();
    parseJsonObject(Buffer.from(JSON.stringify({ lines: ['":'] })), 20_000);
    expect(scanned).toHaveBeenCalled();
  });

  it.each([
    ['nothing', '', 'BODY_MISSING', undefined],
    ['null', 'null', 'BODY_NOT_OBJECT', undefined],
    ['a byte order mark', '\ufeff{}', 'BODY_NOT_JSON', undefined],
    ['a trailing comma', '{"a":1,}', 'BODY_NOT_JSON', undefined],
    ['two values', '{}{}', 'BODY_NOT_JSON', undefined],
    ['bytes that are not UTF-8', Buffer.from('{"\xff":1}', 'latin1'), 'BODY_NOT_UTF8', undefined],
    ['a key twice', '{"a":1,"a":2}', 'KEY_REPEATED', 'a'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 'KEY_REPEATED', 'a'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'KEY_REPEATED', '__proto__'],
    ['a key twice deep inside', '{"a":[{"b":1,"b":1}]}', 'KEY_REPEATED', 'a[0].b'],
    ['a key twice, after as many colons in strings', '{"a":"\\":\\":","b":{"c":1},"b":1}', 'KEY_REPEATED', 'b'],
    ['a key twice whose first value held keys', '{"a":{"b":1,"c":2},"a":{}}', 'KEY_REPEATED', 'a'],
    ['a key twice behind arrays', '{"a":[1,[2,3],{}],"b":{"c":[4,{"d":5},{"e":6,"e":7}]}}', 'KEY_REPEATED', 'b.c[2].e'],
    ['a key twice around others', '{"a":{"b":1},"c":[{"a":"a"}],"a":2}', 'KEY_REPEATED', 'a'],
  ])('refuses %s', (_, body, errorName, field) => {
    const refusal = expect.objectContaining({ message: 'MALFORMED_BODY', errorName, field }) as Error;
    expect(() => parseJsonObject(Buffer.from(body))).toThrow(refusal);
  });

  it.each([
    ['a byte order mark', '\ufeff{}', 0],
    ['a trailing comma', '{"a":1,}', 7],
    ['a missing comma', '{"a":1\n"b":2}', 7],
    ['a key without quotes', '{a:1}', 1],
    ['an array that ends as an object', '{"a":[1}', 7],
    ['a string that does not end', '{"a":"b}', 5],
    ['a control character', '{"a":"\n"}', 5],
    ['nothing but space', ' \n', 2],
    ['arrays in arrays', `{"a":${'['.repeat(900)}`, 905],
  ])('tells where %s is: %j', (_, body, at) => {
    expect(() => parseJsonObject(Buffer.from(body))).toThrow(
      expect.objectContaining({ errorName: 'BODY_NOT_JSON', value: String(at) }) as Error,
    );
  });
});
