import { Double, Int32, Long } from 'bson';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addNumbers, multiplyNumbers, subtractNumbers } from '../src/semantics/arithmetic.ts';
import { identical } from '../src/semantics/compare.ts';
import { add, divide, multiply, quantize, remainder } from '../src/semantics/exact.ts';
import { exactOf, toDecimal128 } from '../src/semantics/numbers.ts';
import { NumberSum } from '../src/semantics/number-sum.ts';
import type { Numeric } from '../src/semantics/values.ts';
import { decimal, decimals, money } from './semantics.values.ts';

// An independent implementation at the same precision; it knows no trailing zeros, so values are compared.
const Oracle = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_EVEN, maxE: 6144, minE: -6176 });

const coefficients = fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n });
const ordinary = fc
  .tuple(coefficients, fc.integer({ min: -60, max: 60 }))
  .map(([coefficient, exponent]) => decimal(`${coefficient}E${exponent}`));

describe('exact decimals', () => {
  test('survive the way to an exact number and back, digit by digit', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(toDecimal128(exactOf(value)).toString()).toBe(value.toString());
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['add', add],
    ['mul', multiply],
    ['div', divide],
  ] as const)('%s rounds to 34 digits, half to even', (name, operation) => {
    fc.assert(
      fc.property(ordinary, ordinary, (left, right) => {
        fc.pre(name !== 'div' || !new Oracle(right.toString()).isZero());
        const expected = new Oracle(left.toString())[name](new Oracle(right.toString()));
        const result = toDecimal128(operation(exactOf(left), exactOf(right)));
        expect(new Oracle(result.toString()).equals(expected)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [add, '1.10', '2.20', '3.30'],
    [add, '0.10', '-0.10', '0.00'],
    [add, '9999999999999999999999999999999999', '1', '1.000000000000000000000000000000000E+34'],
    [add, '9.999999999999999999999999999999999E+6144', '9.999999999999999999999999999999999E+6144', 'Infinity'],
    [add, 'Infinity', '-Infinity', 'NaN'],
    [multiply, '6.00', '0.10', '0.6000'],
    [multiply, '1E-6176', '0.1', '0E-6176'],
    [divide, '0.10', '3', '0.03333333333333333333333333333333333'],
    [divide, '1.00', '4', '0.25'],
    [divide, '0.00', '5', '0.00'],
    [divide, '6', '2', '3'],
    [remainder, '7.5', '2', '1.5'],
    [remainder, '-7', '3', '-1'],
  ])('%# gives the digits that the server gives', (operation, left, right, expected) => {
    expect(toDecimal128(operation(exactOf(decimal(left)), exactOf(decimal(right)))).toString()).toBe(expected);
  });

  test.each([
    ['2.345', 2, 'even', '2.34'],
    ['2.355', 2, 'even', '2.36'],
    ['-2.3', 0, 'floor', '-3'],
    ['2.3', 0, 'ceil', '3'],
    ['-2.39', 1, 'down', '-2.3'],
  ] as const)('%s at %i places, %s: %s', (value, places, mode, expected) => {
    expect(toDecimal128(quantize(exactOf(decimal(value)), places, mode)).toString()).toBe(expected);
  });
});

describe('sums over all types', () => {
  test('of amounts and their opposites are exactly zero', () => {
    fc.assert(
      fc.property(fc.array(money(), { minLength: 1, maxLength: 50 }), (amounts) => {
        const sum = new NumberSum();
        for (const amount of amounts) sum.add(amount);
        for (const amount of amounts) sum.add(subtractNumbers(new Int32(0), amount)!);
        expect(new Oracle(sum.total().toString()).isZero()).toBe(true);
      }),
    );
  });

  test.each<[string, Numeric[], Numeric]>([
    ['ints overflow to a long', [new Int32(2147483647), new Int32(1)], Long.fromString('2147483648')],
    ['longs overflow to a double', [Long.MAX_VALUE, new Int32(1)], new Double(9223372036854775808)],
    [
      'a double is added to a decimal with all its digits',
      [new Double(0.1), decimal('0.2')],
      decimal('0.3000000000000000055511151231257827'),
    ],
    ['doubles are compensated', [0.1, 0.2, 0.3, 1e16, 1, -1e16].map((value) => new Double(value)), new Double(2)],
    ['nothing is the int zero', [], new Int32(0)],
  ])('%s', (_name, values, expected) => {
    const sum = new NumberSum();
    for (const value of values) sum.add(value);
    expect(identical(sum.total(), expected)).toBe(true);
  });
});

describe('arithmetic on two numbers', () => {
  test.each<[Numeric, Numeric, Numeric | undefined]>([
    [new Int32(1), new Int32(2), new Int32(3)],
    [new Int32(2147483647), new Int32(1), Long.fromString('2147483648')],
    [Long.fromNumber(1), new Int32(2), Long.fromNumber(3)],
    [Long.MAX_VALUE, new Int32(1), undefined],
    [new Int32(1), new Double(0.5), new Double(1.5)],
    [new Int32(1), decimal('0.10'), decimal('1.10')],
    [new Double(0.1), decimal('1'), decimal('1.100000000000000')],
  ])('%s + %s', (left, right, expected) => {
    expect(identical(addNumbers(left, right), expected)).toBe(true);
  });

  test('a product of longs that does not fit is refused', () => {
    expect(multiplyNumbers(Long.MAX_VALUE, new Int32(2))).toBeUndefined();
  });
});
