/**
 * A number without loss, whatever its BSON type: `coefficient * 10^exponent`. The exponent is kept as written, so
 * that 1.10 stays 1.10 (IEEE 754-2008 decimal128, the specification behind BSON's Decimal128).
 */
export interface Exact {
  kind: 'finite' | 'infinite' | 'nan';
  negative: boolean;
  coefficient: bigint;
  exponent: number;
}

const digitsMax = 34;
/** The least exponent that decimal128 can hold. */
export const exponentMin = -6176;
const exponentMax = 6111;
/** Coefficients stay below this, 34 digits. */
export const coefficientLimit = 10n ** 34n;
/** The one NaN. */
export const notANumber: Exact = { kind: 'nan', negative: false, coefficient: 0n, exponent: 0 };

/** An integer as an exact number of exponent 0. */
export function fromBigInt(value: bigint): Exact {
  return finite(value < 0n, value < 0n ? -value : value, 0);
}

/** Sum, rounded to 34 digits, with the smaller of both exponents where it fits. */
export function add(left: Exact, right: Exact): Exact {
  if (left.kind !== 'finite' || right.kind !== 'finite') return addSpecial(left, right);
  const exponent = Math.min(left.exponent, right.exponent);
  const sum = scaled(left, exponent) + scaled(right, exponent);
  const negative = sum < 0n || (sum === 0n && left.negative && right.negative);
  return round(finite(negative, sum < 0n ? -sum : sum, exponent));
}

/** Difference, see `add`. */
export function subtract(left: Exact, right: Exact): Exact {
  return add(left, right.kind === 'nan' ? right : { ...right, negative: !right.negative });
}

/** Product, rounded to 34 digits; the exponents add up, so 6.00 * 0.10 is 0.6000. */
export function multiply(left: Exact, right: Exact): Exact {
  const negative = left.negative !== right.negative;
  if (left.kind === 'nan' || right.kind === 'nan') return notANumber;
  if (left.kind === 'infinite' || right.kind === 'infinite') {
    return isZero(left) || isZero(right) ? notANumber : { kind: 'infinite', negative, coefficient: 0n, exponent: 0 };
  }
  return round(finite(negative, left.coefficient * right.coefficient, left.exponent + right.exponent));
}

/** Quotient to 34 digits; an exact one takes the exponent nearest to the difference of both exponents. */
export function divide(left: Exact, right: Exact): Exact {
  const negative = left.negative !== right.negative;
  if (left.kind === 'nan' || right.kind === 'nan') return notANumber;
  if (left.kind === 'infinite') return right.kind === 'infinite' ? notANumber : { ...left, negative };
  if (right.kind === 'infinite') return finite(negative, 0n, exponentMin);
  const preferred = left.exponent - right.exponent;
  if (isZero(right)) return isZero(left) ? notANumber : { kind: 'infinite', negative, coefficient: 0n, exponent: 0 };
  if (isZero(left)) return round(finite(negative, 0n, preferred));
  const shift = digitsMax + 2 + digitCount(right.coefficient);
  const numerator = left.coefficient * 10n ** BigInt(shift);
  let quotient = numerator / right.coefficient;
  // A remainder beyond the last digit must not look like an exact half.
  const exact = numerator % right.coefficient === 0n;
  if (!exact && quotient % 5n === 0n) quotient += 1n;
  const result = round(finite(negative, quotient, preferred - shift));
  return exact ? towardsExponent(result, preferred) : result;
}

/** Remainder with the sign of the dividend; exact. */
export function remainder(left: Exact, right: Exact): Exact {
  if (left.kind !== 'finite' || right.kind === 'nan' || isZero(right)) return notANumber;
  if (right.kind === 'infinite') return left;
  const exponent = Math.min(left.exponent, right.exponent);
  const rest = abs(scaled(left, exponent)) % abs(scaled(right, exponent));
  return round(finite(left.negative, rest, exponent));
}

/** Rounds to a power of ten: `places` digits after the point, negative ones before it. */
export function quantize(value: Exact, places: number, mode: 'even' | 'down' | 'floor' | 'ceil'): Exact {
  if (value.kind !== 'finite' || value.exponent >= -places) return value;
  const divisor = 10n ** BigInt(-places - value.exponent);
  const rest = value.coefficient % divisor;
  let quotient = value.coefficient / divisor;
  const up = {
    even: 2n * rest > divisor || (2n * rest === divisor && quotient % 2n === 1n),
    down: false,
    floor: value.negative && rest > 0n,
    ceil: !value.negative && rest > 0n,
  }[mode];
  if (up) quotient += 1n;
  return finite(value.negative, quotient, -places);
}

/** Order by value: -1, 0 or 1. NaN is below all numbers and equal to itself; -0 equals 0. */
export function compareExact(left: Exact, right: Exact): number {
  if (left.kind === 'nan' || right.kind === 'nan') return Number(right.kind === 'nan') - Number(left.kind === 'nan');
  const leftSign = signOf(left);
  const rightSign = signOf(right);
  if (leftSign !== rightSign || leftSign === 0) return Math.sign(leftSign - rightSign);
  if (left.kind !== right.kind) return left.kind === 'infinite' ? leftSign : -leftSign;
  if (left.kind === 'infinite') return 0;
  if (left.exponent === right.exponent) {
    if (left.coefficient === right.coefficient) return 0;
    return left.coefficient < right.coefficient ? -leftSign : leftSign;
  }
  const top = topDigit(left) - topDigit(right);
  if (top !== 0) return Math.sign(top) * leftSign;
  const exponent = Math.min(left.exponent, right.exponent);
  const difference = scaled(left, exponent) - scaled(right, exponent);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** The power of ten of the first digit: 2 for 123, -1 for 0.1. Meaningless for zero. */
export function topDigit(value: Exact): number {
  return digitCount(value.coefficient) - 1 + value.exponent;
}

/** The nearest double. */
export function toDouble(value: Exact): number {
  if (value.kind === 'nan') return NaN;
  const magnitude = value.kind === 'infinite' ? Infinity : Number(`${value.coefficient}e${value.exponent}`);
  return value.negative ? -magnitude : magnitude;
}

/** The whole part towards zero; undefined for NaN and infinities. */
export function toBigInt(value: Exact): bigint | undefined {
  if (value.kind !== 'finite') return undefined;
  return scaled(quantize(value, 0, 'down'), 0);
}

/** True for zeros of either sign. */
export function isZero(value: Exact): boolean {
  return value.kind === 'finite' && value.coefficient === 0n;
}

/** A finite number; the coefficient is never negative. */
export function finite(negative: boolean, coefficient: bigint, exponent: number): Exact {
  return { kind: 'finite', negative, coefficient, exponent };
}

/** Fits a number into 34 digits and the range of exponents, half to even. */
export function round(value: Exact): Exact {
  if (value.kind !== 'finite') return value;
  let result = value;
  const excess = Math.max(digitCount(value.coefficient) - digitsMax, exponentMin - value.exponent);
  if (excess > 0) result = quantize(value, -(value.exponent + excess), 'even');
  if (result.coefficient === coefficientLimit) {
    result = finite(result.negative, coefficientLimit / 10n, result.exponent + 1);
  }
  if (result.exponent <= exponentMax) return result;
  if (result.coefficient === 0n) return { ...result, exponent: exponentMax };
  const padded = towardsExponent(result, exponentMax);
  return padded.exponent > exponentMax ? { ...result, kind: 'infinite', coefficient: 0n, exponent: 0 } : padded;
}

/** Moves zeros between coefficient and exponent towards an exponent, without changing the value. */
export function towardsExponent(value: Exact, exponent: number): Exact {
  let { coefficient, exponent: current } = value;
  while (current < exponent && coefficient % 10n === 0n) {
    coefficient /= 10n;
    current++;
  }
  while (current > exponent && digitCount(coefficient) < digitsMax) {
    coefficient *= 10n;
    current--;
  }
  return finite(value.negative, coefficient, current);
}

function addSpecial(left: Exact, right: Exact): Exact {
  if (left.kind === 'nan' || right.kind === 'nan') return notANumber;
  if (left.kind === 'infinite' && right.kind === 'infinite')
    return left.negative === right.negative ? left : notANumber;
  return left.kind === 'infinite' ? left : right;
}

function digitCount(coefficient: bigint): number {
  return coefficient.toString().length;
}

function scaled(value: Exact, exponent: number): bigint {
  const magnitude = value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return value.negative ? -magnitude : magnitude;
}

function signOf(value: Exact): number {
  if (isZero(value)) return 0;
  return value.negative ? -1 : 1;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
