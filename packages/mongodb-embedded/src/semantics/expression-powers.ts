import { Double, Int32 } from 'bson';
import { Decimal } from 'decimal.js';
import { asDecimal, asDouble, asWhole, widest, widthOf } from './arithmetic.ts';
import { isZero } from './exact.ts';
import type { PlainOperator, PlainOperators } from './expression-types.ts';
import { fail, fixed, isNullish } from './expression-types.ts';
import { exactOf, toDecimal128, toInteger } from './numbers.ts';
import type { Numeric, Value } from './values.ts';
import { isNumeric, typeName } from './values.ts';

/**
 * Powers, roots and logarithms: doubles, or decimals of 34 digits where a decimal is given; whole powers of whole
 * numbers stay whole while they fit. Source: manual, "Arithmetic Expression Operators".
 */
export const powerOperators: PlainOperators = {
  $pow: fixed(2, power),
  $sqrt: unary('$sqrt', Math.sqrt, (value) => value.sqrt(), { code: 28714, least: 0, alsoZero: true }),
  $exp: unary('$exp', Math.exp, (value) => value.exp()),
  $ln: unary('$ln', Math.log, (value) => value.ln(), { code: 28766, least: 0 }),
  $log10: unary('$log10', Math.log10, (value) => value.log(10), { code: 28761, least: 0 }),
  $log: fixed(2, logarithm),
};

const Wide = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_EVEN, maxE: 6144, minE: -6176 });

interface Domain {
  code: number;
  least: 0;
  alsoZero?: boolean;
}

function unary(
  name: string,
  onDouble: (value: number) => number,
  onDecimal: (value: Decimal) => Decimal,
  domain?: Domain,
): PlainOperator {
  return fixed(1, (value) => {
    if (isNullish(value)) return null;
    if (!isNumeric(value)) return fail(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    const double = asDouble(value);
    if (domain !== undefined && !Number.isNaN(double) && (domain.alsoZero ? double < 0 : double <= 0)) {
      fail(domain.code, `${name}'s argument must be ${domain.alsoZero ? 'at least' : 'greater than'} ${domain.least}`);
    }
    return widthOf(value) === 'decimal' ? fromWide(onDecimal(toWide(value))) : new Double(onDouble(double));
  });
}

function power(base: Value, exponent: Value): Value {
  if (isNullish(base) || isNullish(exponent)) return null;
  if (!isNumeric(base)) return fail(28762, `$pow's base must be numeric, not ${typeName(base)}`);
  if (!isNumeric(exponent)) return fail(28763, `$pow's exponent must be numeric, not ${typeName(exponent)}`);
  if (isZero(exactOf(base)) && asDouble(exponent) < 0)
    fail(28764, '$pow cannot take a base of 0 and a negative exponent');
  const width = widest(base, exponent);
  if (width === 'decimal') return fromWide(toWide(base).pow(toWide(exponent)));
  const double = asDouble(base) ** asDouble(exponent);
  // Beyond 64 bits the whole power would only be computed to be thrown away.
  if (width === 'double' || asDouble(exponent) < 0 || Math.abs(double) >= 2 ** 64) return new Double(double);
  return toInteger(asWhole(base) ** asWhole(exponent), width === 'long') ?? new Double(double);
}

function logarithm(value: Value, base: Value): Value {
  if (isNullish(value) || isNullish(base)) return null;
  if (!isNumeric(value)) return fail(28756, `$log's argument must be numeric, not ${typeName(value)}`);
  if (!isNumeric(base)) return fail(28757, `$log's base must be numeric, not ${typeName(base)}`);
  if (asDouble(value) <= 0) fail(28758, "$log's argument must be a positive number");
  if (asDouble(base) <= 0 || asDouble(base) === 1) fail(28759, "$log's base must be a positive number not equal to 1");
  if (widest(value, base) === 'decimal') return fromWide(toWide(value).log(toWide(base)));
  return new Double(Math.log(asDouble(value)) / Math.log(asDouble(base)));
}

function toWide(value: Numeric): Decimal {
  return new Wide(toDecimal128(asDecimal(value)).toString());
}

function fromWide(value: Decimal): Numeric {
  if (!value.isFinite())
    return toDecimal128({
      ...exactOf(new Int32(0)),
      kind: value.isNaN() ? 'nan' : 'infinite',
      negative: value.isNegative(),
    });
  const [digits = '0', exponent = '0'] = value.abs().toExponential().split('e');
  const places = digits.split('.')[1]?.length ?? 0;
  const coefficient = BigInt(digits.replace('.', ''));
  return toDecimal128({
    kind: 'finite',
    negative: value.isNegative(),
    coefficient,
    exponent: Number(exponent) - places,
  });
}
