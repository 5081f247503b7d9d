import { Decimal128 } from 'mongodb';
import { Money } from '../domain/money.ts';
import type { WrittenMoney } from '../domain/money.ts';

/**
 * Money to Decimal128 and back, exact both ways: it never passes through a floating-point number. Throws RangeError for
 * more than 34 digits, which the bytes do not hold. The 16 bytes are built
 * and read here, not by the driver's text conversion, because that leads a worker's profile (three times the time).
 * Source: IEEE 754-2008 decimal128, binary integer encoding; BSON specification.
 */
export function toDecimal128(money: Money): Decimal128 {
  const text = money.abs().toFixed();
  const point = text.indexOf('.');
  const decimals = point === -1 ? 0 : text.length - point - 1;
  const coefficient = BigInt(point === -1 ? text : text.slice(0, point) + text.slice(point + 1));
  if (coefficient >= coefficientLimit) throw new RangeError(`more digits than are stored: ${text}`);
  const sign = money.isNegative() && coefficient !== 0n ? signBit : 0n;

  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, coefficient & lowMask, true);
  view.setBigUint64(8, sign | (BigInt(exponentBias - decimals) << exponentShift) | (coefficient >> 64n), true);
  return new Decimal128(bytes);
}

/** As {@link toDecimal128}, for values that are written several times, as an amount in an order's two flows: once each. */
export function createDecimal128Converter(): (money: Money) => Decimal128 {
  const converted = new Map<Money, Decimal128>();
  return (money) => {
    const known = converted.get(money);
    if (known !== undefined) return known;
    const stored = toDecimal128(money);
    converted.set(money, stored);
    return stored;
  };
}

export function fromDecimal128(stored: Decimal128): Money {
  const view = new DataView(stored.bytes.buffer, stored.bytes.byteOffset, 16);
  const high = view.getBigUint64(8, true);
  // Infinities, NaN and over-long coefficients have these bits set; no money has.
  if ((high & largeForm) === largeForm) throw new Error(`not a stored amount of money: ${stored.toString()}`);
  const coefficient = ((high & coefficientHighMask) << 64n) | view.getBigUint64(0, true);
  const exponent = Number((high >> exponentShift) & exponentMask) - exponentBias;
  return new Money(`${(high & signBit) === 0n ? '' : '-'}${coefficient}e${exponent}`);
}

/**
 * What is stored, as text only: a page of a list is twenty amounts or more, and a number of each took three quarters of the
 * time that the page took to be made. What is longer than JavaScript's own numbers, or to be rounded, goes by way of
 * {@link fromDecimal128}.
 */
export function writtenDecimal128(stored: Decimal128): WrittenMoney {
  return new StoredMoney(stored);
}

class StoredMoney implements WrittenMoney {
  readonly #stored: Decimal128;

  constructor(stored: Decimal128) {
    this.#stored = stored;
  }

  toFixed(decimals: number): string {
    const { bytes } = this.#stored;
    const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
    const [low, middle, high] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)];
    const top = view.getUint32(12, true);
    const missing = decimals + ((top >>> exponentShiftOfTop) & exponentMaskOfTop) - exponentBias;
    // More than a number holds exactly; or a coefficient of another form; or decimals that are not wanted.
    if (middle > middleMax || high !== 0 || (top & coefficientMaskOfTop) !== 0 || missing < 0) {
      return fromDecimal128(this.#stored).toFixed(decimals);
    }
    const coefficient = middle * twoTo32 + low;
    const sign = top >>> signShiftOfTop === 1 && coefficient !== 0 ? '-' : '';
    if (coefficient === 0) return sign + (0).toFixed(decimals);
    const digits = (String(coefficient) + '0'.repeat(missing)).padStart(decimals + 1, '0');
    if (decimals === 0) return sign + digits;
    return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  }

  decimalPlaces(): number {
    return fromDecimal128(this.#stored).decimalPlaces();
  }
}

const twoTo32 = 2 ** 32;
/** Of a number that is exact: 53 bits, 21 of them beyond the low 32. */
const middleMax = 2 ** 21 - 1;
/** The highest of the four 32-bit words: a sign, 14 bits of the exponent, and 17 of the coefficient. */
const signShiftOfTop = 31;
const exponentShiftOfTop = 17;
const exponentMaskOfTop = 0x3fff;
const coefficientMaskOfTop = 0x1_ffff;

const coefficientLimit = 10n ** 34n;
const lowMask = 0xffff_ffff_ffff_ffffn;
const coefficientHighMask = 0x1_ffff_ffff_ffffn;
const exponentBias = 6176;
const exponentShift = 49n;
const exponentMask = 0x3fffn;
const signBit = 1n << 63n;
const largeForm = 3n << 61n;
