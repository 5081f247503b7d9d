import { describe, expect, it } from 'vitest';
import type { Json } from '../src/case.ts';
import { difference } from '../src/compare.ts';
import { rowsOf } from '../src/values.ts';
import { writeOut } from '../src/write-out.ts';

const isSame = (expected: Json, got: unknown, isSubset = true, names = new Map<string, string>()): boolean =>
  difference('it', expected, got, names, { isSubset }) === undefined;

describe('what is expected', () => {
  it.each<[Json, unknown]>([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { $absent: true } }, { a: null }],
    [{ $any: 'text' }, ''],
    [{ $any: 'number' }, 0],
    [{ $any: 'value' }, null],
    [{ $matches: '^a' }, 'ab'],
    ['2026-01-01T00:00:00+01:00', '2025-12-31T23:00:00.000Z'],
    [null, null],
  ])('%j holds for %j', (expected, got) => {
    expect(isSame(expected, got)).toBe(true);
  });

  it.each<[Json, unknown]>([
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, [1]],
    [[1], [1, 2]],
    ['1.10', '1.1'],
    ['1', 1],
    [null, undefined],
    [{ $any: 'text' }, 1],
    [{ $any: 'value' }, undefined],
    [{ $absent: true }, ''],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z'],
  ])('%j does not hold for %j', (expected, got) => {
    expect(isSame(expected, got)).toBe(false);
  });

  it('has no further members in a body, unless it says so', () => {
    expect(isSame({ a: 1 }, { a: 1, b: 2 }, false)).toBe(false);
    expect(isSame({ a: 1, $more: true }, { a: 1, b: 2 }, false)).toBe(true);
  });

  it('has the same text for a name wherever it stands, and another for each other', () => {
    expect(isSame([{ $same: 'a' }, { $same: 'b' }, { $same: 'a' }], ['x', 'y', 'x'])).toBe(true);
    expect(isSame([{ $same: 'a' }, { $same: 'a' }], ['x', 'y'])).toBe(false);
    expect(isSame([{ $same: 'a' }, { $same: 'b' }], ['x', 'x'])).toBe(false);
  });

  it('is an error where a matcher is misspelt', () => {
    expect(() => isSame({ $anything: 'text' }, '')).toThrow('There is no $anything to expect.');
  });
});

it('what is written short is written out', () => {
  const short: Json = [
    { $repeat: { count: 2, from: 5, value: { line: { $n: true }, id: 'b{n}' } } },
    { $text: { of: 'ab', count: 2 } },
    { $text: ['x', { of: 'a', count: 2 }, 'y'] },
  ];
  expect(writeOut(short, 0)).toEqual([{ line: 5, id: 'b5' }, { line: 6, id: 'b6' }, 'abab', 'xaay']);
  expect(writeOut({ at: { $soon: 1500 } }, 0)).toEqual({ at: '1970-01-01T00:00:01.500Z' });
});

it('a case is one for each row of its table, with values of its group', () => {
  const values: Json = {
    order: { id: 'o', state: 'NEW' },
    rows: [
      { what: 'a', data: null },
      { what: 'b', data: { x: 1 } },
    ],
  };
  const written: Json = {
    each: 'rows',
    name: '{what} {other}',
    order: { $of: 'order', state: 'OLD' },
    data: { $of: 'data' },
  };
  const order = { id: 'o', state: 'OLD' };
  expect(rowsOf(written, values)).toEqual([
    { name: 'a {other}', order, data: null },
    { name: 'b {other}', order, data: { x: 1 } },
  ]);
  expect(() => rowsOf({ name: { $of: 'none' } }, values)).toThrow('There is no value "none".');
});
