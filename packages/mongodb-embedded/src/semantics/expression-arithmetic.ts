import { Double, Int32, Long } from 'bson';
import { accumulate } from './accumulators.ts';
import { asDecimal, asDouble, asWhole, multiplyNumbers, subtractNumbers, widest, widthOf } from './arithmetic.ts';
import { divide, isZero, quantize, remainder, toBigInt, toDouble, towardsExponent } from './exact.ts';
import { fail, fixed, isNullish, variadic, type PlainOperator, type PlainOperators } from './expression-types.ts';
import { NumberSum } from './number-sum.ts';
import { exactOf, fromDouble, integerOf, toDecimal128, toInteger } from './numbers.ts';
import { isNumeric, typeName, type Numeric, type Value } from './values.ts';

/**
 * Arithmetic: null with null or missing, else the widest type of the arguments; ints overflow to longs, longs to
 * doubles.  Source: manual, "Arithmetic Expression Operators".
 */
export const arithmeticOperators: PlainOperators = {
  $add: variadic(addAll),
  $subtract: fixed(2, subtract),
  $multiply: variadic(multiplyAll),
  $divide: fixed(2, quotient),
  $mod: fixed(2, modulo),
  $abs: unary(28765, '$abs', (value) => {
    if (widthOf(value) === 'double') return new Double(Math.abs(asDouble(value)));
    if (widthOf(value) === 'decimal') return toDecimal128({ ...exactOf(value), negative: false });
    const whole = asWhole(value);
    const result = toInteger(whole < 0n ? -whole : whole, widthOf(value) === 'long');
    return result ?? fail(28680, "can't take $abs of long long min");
  }),
  $ceil: unary(28765, '$ceil', (value) => rounded(value, 0, 'ceil')),
  $floor: unary(28765, '$floor', (value) => rounded(value, 0, 'floor')),
  $round: rounding('$round', 'even'),
  $trunc: rounding('$trunc', 'down'),
  $sum: variadic((values) => accumulate('$sum', values)),
  $avg: variadic((values) => accumulate('$avg', values)),
  $min: variadic((values) => accumulate('$min', values)),
  $max: variadic((values) => accumulate('$max', values)),
};

function addAll(values: Value[]): Value {
  const sum = new NumberSum();
  let date: Date | undefined;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date !== undefined) fail(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumeric(value)) sum.add(value);
    else fail(16554, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return date === undefined ? sum.total() : shifted(date, sum.total(), 1);
}

function subtract(left: Value, right: Value): Value {
  if (isNullish(left) || isNullish(right)) return null;
  if (left instanceof Date && right instanceof Date) return Long.fromNumber(left.getTime() - right.getTime());
  if (left instanceof Date && isNumeric(right)) return shifted(left, right, -1);
  if (!isNumeric(left) || !isNumeric(right)) {
    return fail(16556, `cant $subtract a${typeName(right)} from a ${typeName(left)}`);
  }
  return subtractNumbers(left, right) ?? new Double(asDouble(left) - asDouble(right));
}

/** A date moved by milliseconds; fractions of one are rounded. */
function shifted(date: Date, milliseconds: Numeric, sign: 1 | -1): Date {
  const whole = toBigInt(quantize(exactOf(milliseconds), 0, 'even'));
  return new Date(date.getTime() + sign * Number(whole ?? 0n));
}

function multiplyAll(values: Value[]): Value {
  let product: Numeric = new Int32(1);
  for (const value of values) {
    if (isNullish(value)) return null;
    if (!isNumeric(value)) return fail(16555, `$multiply only supports numeric types, not ${typeName(value)}`);
    product = multiplyNumbers(product, value) ?? new Double(asDouble(product) * asDouble(value));
  }
  return product;
}

function quotient(left: Value, right: Value): Value {
  if (isNullish(left) || isNullish(right)) return null;
  if (!isNumeric(left) || !isNumeric(right)) {
    return fail(16609, `$divide only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
  }
  if (isZero(exactOf(right))) fail(16608, "can't $divide by zero");
  if (widest(left, right) === 'decimal') return toDecimal128(divide(asDecimal(left), asDecimal(right)));
  return new Double(asDouble(left) / asDouble(right));
}

function modulo(left: Value, right: Value): Value {
  if (isNullish(left) || isNullish(right)) return null;
  if (!isNumeric(left) || !isNumeric(right)) {
    return fail(16611, `$mod only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
  }
  if (isZero(exactOf(right))) fail(16610, "can't $mod by zero");
  const width = widest(left, right);
  if (width === 'decimal') return toDecimal128(remainder(asDecimal(left), asDecimal(right)));
  if (width === 'double') return new Double(asDouble(left) % asDouble(right));
  return toInteger(asWhole(left) % asWhole(right), width === 'long');
}

type Mode = 'even' | 'down' | 'floor' | 'ceil';

/** A number at so many places, in its own type; an int may become a long. */
function rounded(value: Numeric, places: number, mode: Mode): Numeric {
  switch (widthOf(value)) {
    case 'decimal': {
      const exact = quantize(exactOf(value), places, mode);
      return toDecimal128(exact.kind === 'finite' ? towardsExponent(exact, -places) : exact);
    }
    case 'double': {
      const number = asDouble(value);
      return Number.isFinite(number) ? new Double(toDouble(quantize(fromDouble(number), places, mode))) : value;
    }
    default: {
      const whole = toBigInt(quantize(exactOf(value), Math.min(places, 0), mode)) ?? 0n;
      return toInteger(whole, widthOf(value) === 'long') ?? fail(51080, 'invalid conversion to long');
    }
  }
}

function rounding(name: string, mode: 'even' | 'down'): PlainOperator {
  const apply = ([value, places = new Int32(0)]: Value[]): Value => {
    if (isNullish(value) || isNullish(places)) return null;
    if (!isNumeric(value)) return fail(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    const count = isNumeric(places) ? integerOf(places) : undefined;
    if (count === undefined) return fail(51082, `precision argument to ${name} must be a integral value`);
    if (count < -20 || count > 100) return fail(51083, `cannot apply ${name} with precision value ${count}`);
    return rounded(value, count, mode);
  };
  return { least: 1, most: 2, apply };
}

function unary(code: number, name: string, apply: (value: Numeric) => Numeric): PlainOperator {
  return fixed(1, (value) => {
    if (isNullish(value)) return null;
    return isNumeric(value) ? apply(value) : fail(code, `${name} only supports numeric types, not ${typeName(value)}`);
  });
}
