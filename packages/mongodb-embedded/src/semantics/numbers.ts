import { Decimal128, Int32, Long } from 'bson';
import {
  coefficientLimit,
  exponentMin,
  finite,
  fromBigInt,
  isZero,
  notANumber,
  quantize,
  round,
  toDouble,
  topDigit,
  towardsExponent,
  type Exact,
} from './exact.ts';
import { isBson, type Numeric } from './values.ts';

/** Any BSON number as an exact one; a double gives all digits of its binary value. */
export function exactOf(value: Numeric): Exact {
  if (isBson(value, 'Decimal128')) return fromDecimal128(value);
  if (isBson(value, 'Long')) return fromBigInt(value.toBigInt());
  return isBson(value, 'Int32') ? fromBigInt(BigInt(value.value)) : fromDouble(value.value);
}

/** All decimal digits of a double: 0.1 gives 0.1000000000000000055511151231257827021181583404541015625. */
export function fromDouble(value: number): Exact {
  if (Number.isNaN(value)) return notANumber;
  const negative = value < 0 || Object.is(value, -0);
  if (!Number.isFinite(value)) return { kind: 'infinite', negative, coefficient: 0n, exponent: 0 };
  if (Number.isInteger(value)) return finite(negative, BigInt(Math.abs(value)), 0);
  let fraction = Math.abs(value);
  let twos = 0;
  while (!Number.isInteger(fraction)) {
    // Scaling by a power of two is exact, also for subnormal numbers.
    fraction *= 2;
    twos++;
  }
  return finite(negative, BigInt(fraction) * 5n ** BigInt(twos), -twos);
}

/** The BSON decimal nearest to an exact number. */
export function toDecimal128(value: Exact): Decimal128 {
  const sign = value.negative ? 1n << 63n : 0n;
  if (value.kind === 'nan') return decimalOf(0x7c00n << 48n, 0n);
  const { kind, coefficient, exponent } = round(value);
  if (kind === 'infinite') return decimalOf(sign | (0x7800n << 48n), 0n);
  return decimalOf(sign | (BigInt(exponent - exponentMin) << 49n) | (coefficient >> 64n), coefficient);
}

/** A double as a decimal of 15 significant digits, MongoDB's rule wherever it converts one on its own accord. */
export function roundedToFifteen(value: number): Exact {
  const exact = fromDouble(value);
  if (exact.kind !== 'finite' || isZero(exact)) return exact;
  const places = 14 - topDigit(exact);
  const rounded = quantize(exact, places, 'even');
  return topDigit(rounded) > topDigit(exact)
    ? quantize(rounded, places - 1, 'even')
    : towardsExponent(rounded, -places);
}

/** An int when it fits and `wide` is off, else a long; undefined when 64 bits are too few. */
export function toInteger(value: bigint, wide: boolean): Int32 | Long | undefined {
  if (!wide && value >= -2147483648n && value <= 2147483647n) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** The value as a JavaScript number where that loses nothing (ints, small longs, doubles but NaN), else undefined. */
export function plainNumber(value: Numeric): number | undefined {
  if (isBson(value, 'Int32')) return value.value;
  if (isBson(value, 'Double')) return Number.isNaN(value.value) ? undefined : value.value;
  return isBson(value, 'Long') && Math.abs(value.high) < 2 ** 20 ? value.toNumber() : undefined;
}

/** A whole number written in a command or an operator's argument (int, long, whole double or decimal). */
export function integerOf(value: Numeric): number | undefined {
  const number = plainNumber(value) ?? toDouble(exactOf(value));
  return Number.isInteger(number) ? number : undefined;
}

function fromDecimal128(value: Decimal128): Exact {
  const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = view.getBigUint64(8, true);
  const negative = high >> 63n === 1n;
  const tag = Number((high >> 58n) & 31n);
  if (tag === 31) return notANumber;
  if (tag === 30) return { kind: 'infinite', negative, coefficient: 0n, exponent: 0 };
  // The form for coefficients beyond 34 digits counts as zero (IEEE 754-2008, 3.5.2).
  if (tag >= 24) return finite(negative, 0n, Number((high >> 47n) & 0x3fffn) + exponentMin);
  const coefficient = ((high & ((1n << 49n) - 1n)) << 64n) | view.getBigUint64(0, true);
  const exponent = Number((high >> 49n) & 0x3fffn) + exponentMin;
  return finite(negative, coefficient < coefficientLimit ? coefficient : 0n, exponent);
}

function decimalOf(high: bigint, low: bigint): Decimal128 {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt.asUintN(64, low), true);
  view.setBigUint64(8, high, true);
  return new Decimal128(bytes);
}
