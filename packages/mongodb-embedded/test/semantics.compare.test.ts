import { Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareValues, encodeKey } from '../src/semantics/compare.ts';
import { indexKeys, keyValues } from '../src/semantics/path.ts';
import { decimal, numbers, values } from './semantics.values.ts';

describe('encodeKey', () => {
  test('orders bytes as compareValues orders values of all types', () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        expect(byteOrder([left], [right], [1])).toBe(compareValues(left, right));
        expect(byteOrder([left], [right], [-1])).toBe(0 - compareValues(left, right));
      }),
      { numRuns: 3000 },
    );
  });

  test('orders numbers of all types by exact value', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        expect(byteOrder([left], [right], [1])).toBe(compareValues(left, right));
      }),
      { numRuns: 3000 },
    );
  });

  test('is decided by the first values that differ, each in its direction', () => {
    const direction = fc.constantFrom<1 | -1>(1, -1);
    fc.assert(
      fc.property(fc.array(fc.tuple(values, values, direction), { minLength: 1, maxLength: 3 }), (columns) => {
        const left = columns.map((column) => column[0]);
        const right = columns.map((column) => column[1]);
        const directions = columns.map((column) => column[2]);
        const first = columns.map(([a, b, d]) => compareValues(a, b) * d).find((order) => order !== 0);
        expect(byteOrder(left, right, directions)).toBe(first ?? 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('of the first values is a prefix of the whole', () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        const whole = encodeKey([first, second], [1, -1]);
        const prefix = encodeKey([first], [1]);
        expect(whole.subarray(0, prefix.length)).toEqual(prefix);
      }),
    );
  });
});

describe('compareValues', () => {
  test('is an order: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(compareValues(a, b)).toBe(0 - compareValues(b, a));
        const [low, middle, high] = [{ a }, { a: b }, { a: c }].sort((x, y) => compareValues(x, y));
        expect(compareValues(low, middle)).toBeLessThanOrEqual(0);
        expect(compareValues(low, high)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test.each([
    [decimal('0.1'), new Double(0.1), -1],
    [decimal('1.5'), new Double(1.5), 0],
    [decimal('1.50'), decimal('1.5'), 0],
    [Long.fromString('9007199254740993'), new Double(9007199254740992), 1],
    [new Double(-0), new Int32(0), 0],
    [new Double(NaN), decimal('NaN'), 0],
    [new Double(NaN), new Double(-Infinity), -1],
    [decimal('1E+6144'), new Double(Infinity), -1],
    [new Int32(5), '5', -1],
    [undefined, null, -1],
    ['\uffff', '\ud83d\ude00', -1],
  ])('%s against %s', (left, right, order) => {
    expect(compareValues(left, right)).toBe(order);
  });
});

describe('index keys', () => {
  test('expand arrays, once for each different element', () => {
    expect(keyValues({ a: [new Int32(1), new Int32(2), new Double(1)] }, 'a')).toHaveLength(2);
    expect(keyValues({ a: [{ b: 'x' }, { b: 'y' }, {}] }, 'a.b')).toEqual(['x', 'y', null]);
    expect(keyValues({ a: [] }, 'a')).toEqual([undefined]);
    expect(keyValues({}, 'a.b')).toEqual([null]);
    expect(keyValues({ a: [{ b: ['x', 'y'] }] }, 'a.b')).toEqual(['x', 'y']);
    expect(keyValues({ a: ['x', ['y']] }, 'a')).toEqual(['x', ['y']]);
    expect(keyValues({ a: [{ b: 'x' }, { b: 'y' }] }, 'a.1.b')).toEqual(['y']);
  });

  test('expand one array for all paths together and refuse two', () => {
    const document = { a: [{ b: 'x', c: 'y' }, { b: 'z' }], d: 'd', e: ['f'] };
    expect(indexKeys(document, ['a.b', 'd', 'a.c'])).toEqual([
      ['x', 'd', 'y'],
      ['z', 'd', null],
    ]);
    expect(() => indexKeys(document, ['a.b', 'e'])).toThrow(expect.objectContaining({ code: 171 }));
  });
});

function byteOrder(left: Parameters<typeof encodeKey>[0], right: typeof left, directions: (1 | -1)[]): number {
  return Buffer.compare(encodeKey(left, directions), encodeKey(right, directions));
}
