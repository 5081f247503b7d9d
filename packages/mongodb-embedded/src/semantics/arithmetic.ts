import { Double, Long } from 'bson';
import { add, multiply, subtract, toDouble, type Exact } from './exact.ts';
import { exactOf, roundedToFifteen, toDecimal128, toInteger } from './numbers.ts';
import { isBson, type Numeric } from './values.ts';

/** The widest type among numbers: decimal before double before long before int. */
export type Width = 'int' | 'long' | 'double' | 'decimal';

/** Sum in the wider type; two ints that overflow give a long. Undefined when a long overflows. */
export function addNumbers(left: Numeric, right: Numeric): Numeric | undefined {
  return combine(left, right, { exact: add, double: (a, b) => a + b, whole: (a, b) => a + b });
}

/** Difference, see `addNumbers`. */
export function subtractNumbers(left: Numeric, right: Numeric): Numeric | undefined {
  return combine(left, right, { exact: subtract, double: (a, b) => a - b, whole: (a, b) => a - b });
}

/** Product, see `addNumbers`. */
export function multiplyNumbers(left: Numeric, right: Numeric): Numeric | undefined {
  return combine(left, right, { exact: multiply, double: (a, b) => a * b, whole: (a, b) => a * b });
}

/** The wider of the types of two numbers. */
export function widest(left: Numeric, right: Numeric): Width {
  const leftWidth = widthOf(left);
  const rightWidth = widthOf(right);
  return widths.indexOf(leftWidth) > widths.indexOf(rightWidth) ? leftWidth : rightWidth;
}

/** The type of a number. */
export function widthOf(value: Numeric): Width {
  if (isBson(value, 'Int32')) return 'int';
  if (isBson(value, 'Long')) return 'long';
  return isBson(value, 'Double') ? 'double' : 'decimal';
}

/** A number as decimal arithmetic takes it: doubles come with 15 digits, the others exact. */
export function asDecimal(value: Numeric): Exact {
  return isBson(value, 'Double') ? roundedToFifteen(value.value) : exactOf(value);
}

/** The nearest double. */
export function asDouble(value: Numeric): number {
  if (isBson(value, 'Double') || isBson(value, 'Int32')) return value.value;
  return isBson(value, 'Long') ? value.toNumber() : toDouble(exactOf(value));
}

/** An int or a long as a BigInt. */
export function asWhole(value: Numeric): bigint {
  return isBson(value, 'Long') ? value.toBigInt() : BigInt(Math.trunc(asDouble(value)));
}

/** The zero of a number's type, which a missing factor counts as. */
export function zeroLike(value: Numeric): Numeric {
  switch (widthOf(value)) {
    case 'int':
      return toInteger(0n, false) ?? Long.ZERO;
    case 'long':
      return Long.ZERO;
    case 'double':
      return new Double(0);
    case 'decimal':
      return toDecimal128({ kind: 'finite', negative: false, coefficient: 0n, exponent: exactOf(value).exponent });
  }
}

const widths: Width[] = ['int', 'long', 'double', 'decimal'];

interface Operation {
  exact: (left: Exact, right: Exact) => Exact;
  double: (left: number, right: number) => number;
  whole: (left: bigint, right: bigint) => bigint;
}

function combine(left: Numeric, right: Numeric, operation: Operation): Numeric | undefined {
  const width = widest(left, right);
  if (width === 'decimal') return toDecimal128(operation.exact(asDecimal(left), asDecimal(right)));
  if (width === 'double') return new Double(operation.double(asDouble(left), asDouble(right)));
  return toInteger(operation.whole(asWhole(left), asWhole(right)), width === 'long');
}
