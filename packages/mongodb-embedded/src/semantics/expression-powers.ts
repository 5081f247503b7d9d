import { Double, Int32 } from 'bson';
import { Decimal } from 'decimal.js';
import { asDecimal, asDouble, asWhole, widest } from './arithmetic.ts';
import { isZero } from './exact.ts';
import { fail, fixed, isNullish, type PlainOperators } from './expression-types.ts';
import { exactOf, toDecimal128, toInteger } from './numbers.ts';
import { isNumeric, typeName, type Numeric, type Value } from './values.ts';

/**
 * Powers: doubles, or decimals of 34 digits where a decimal is given; whole powers of whole numbers stay whole while they
 * fit. Source: manual, "Arithmetic Expression Operators".
 */
export const powerOperators: PlainOperators = {
  $pow: fixed(2, power),
};

const Wide = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_EVEN, maxE: 6144, minE: -6176 });

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
