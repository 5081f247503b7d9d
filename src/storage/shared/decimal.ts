import { Decimal128 } from 'mongodb';
import { Money } from '../../domain/money.ts';

/** A resource as MongoDB stores it: its id is `_id`, and money is Decimal128. The rest is as it is in the domain. */
export type Stored<T extends { readonly id: string }> = { readonly _id: string } & {
  readonly [K in keyof T as Exclude<K, 'id'>]: T[K] extends Money ? Decimal128 : T[K];
};

/** A stored resource that holds no money, as it is in the domain. */
export function withId<T extends { readonly _id: string }>({ _id, ...rest }: T): { id: string } & Omit<T, '_id'> {
  return { id: _id, ...rest };
}

/**
 * Converts money to Decimal128. This and {@link fromDecimal128} are exact: they use a floating-point number only for an
 * integer that it holds exactly. They build and read the 16 bytes themselves, and use text or BigInt only for larger numbers,
 * because the driver's text conversion, BigInt and DataView were the largest items in a worker's profile.
 * Source: IEEE 754-2008 decimal128, binary integer encoding; BSON specification.
 * @throws RangeError more than 34 digits, which the bytes do not hold.
 */
export function toDecimal128(money: Money): Decimal128 {
  const { coefficient, decimals } = digitsOf(money);
  const top = (money.isNegative() && !money.isZero() ? signBit : 0) + (exponentBias - decimals) * exponentUnit;
  if (coefficient <= Number.MAX_SAFE_INTEGER)
    return fromWords(coefficient % wordLimit, Math.floor(coefficient / wordLimit), 0, top);
  const text = money.abs().toFixed();
  const exact = BigInt(text.replace('.', ''));
  if (exact >= coefficientLimit) throw new RangeError(`more digits than are stored: ${text}`);
  const [low = 0, middle = 0, high = 0, highest = 0] = [0n, 32n, 64n, 96n].map((shift) =>
    Number((exact >> shift) & wordMask),
  );
  return fromWords(low, middle, high, top + highest);
}

/**
 * The digits of money as an integer, and how many of them are decimals; none of those at the end is 0. Read from decimal.js's
 * own form: an exponent, and groups of seven digits that begin and end at the point.
 * @returns a coefficient above the largest safe integer if a number does not hold it.
 */
function digitsOf({ d: groups, e: exponent }: Money): { readonly coefficient: number; readonly decimals: number } {
  const wholeGroups = Math.floor(exponent / groupDigits) + 1;
  const last = Math.max(groups.length, wholeGroups) - 1;
  let coefficient = 0;
  for (let index = 0; index < last; index += 1) coefficient = coefficient * groupLimit + (groups[index] ?? 0);
  let decimals = (last + 1 - wholeGroups) * groupDigits;
  let [lastGroup, lastLimit] = [groups[last] ?? 0, groupLimit];
  while (decimals > 0 && lastGroup % 10 === 0) {
    lastGroup /= 10;
    lastLimit /= 10;
    decimals -= 1;
  }
  return { coefficient: coefficient * lastLimit + lastGroup, decimals };
}

export function fromDecimal128(stored: Decimal128): Money {
  const { sign, coefficient, exponent } = partsOf(stored);
  return new Money(`${sign}${coefficient}e${exponent}`);
}

/** As {@link fromDecimal128}; NaN if the stored value was altered by hand and is no amount. */
export function amountIn(stored: Decimal128): Money {
  try {
    return fromDecimal128(stored);
  } catch {
    return new Money(NaN);
  }
}

/**
 * A stored value as text in plain notation. Lists only write money, and making a decimal of each amount took three quarters
 * of a page's time.
 */
export function decimalAsText(stored: Decimal128): string {
  const { sign, coefficient, exponent } = partsOf(stored);
  if (exponent > 0) return fromDecimal128(stored).toFixed();
  const decimals = -exponent;
  const digits = String(coefficient).padStart(decimals + 1, '0');
  const minus = Number(coefficient) === 0 ? '' : sign;
  return decimals === 0 ? minus + digits : `${minus}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

interface Parts {
  readonly sign: '' | '-';
  /** A number if a number holds it exactly. */
  readonly coefficient: number | bigint;
  readonly exponent: number;
}

function partsOf(stored: Decimal128): Parts {
  const { bytes } = stored;
  const [low, middle, high, top] = [wordAt(bytes, 0), wordAt(bytes, 4), wordAt(bytes, 8), wordAt(bytes, 12)];
  // Infinities, NaN and over-long coefficients have these bits set; no money has.
  if ((top & largeForm) === largeForm) throw new Error(`not a stored amount of money: ${stored.toString()}`);
  const highest = top % exponentUnit;
  const isSmall = middle <= middleMax && high === 0 && highest === 0;
  return {
    sign: top >= signBit ? '-' : '',
    coefficient: isSmall
      ? middle * wordLimit + low
      : [highest, high, middle, low].reduce((sum, word) => (sum << 32n) | BigInt(word), 0n),
    exponent: (Math.floor(top / exponentUnit) & exponentMask) - exponentBias,
  };
}

function fromWords(low: number, middle: number, high: number, top: number): Decimal128 {
  // Taken from Node's pool: bytes with a buffer of their own take twice the memory.
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(middle, 4);
  bytes.writeUInt32LE(high, 8);
  bytes.writeUInt32LE(top, 12);
  return new Decimal128(bytes);
}

function wordAt(bytes: Uint8Array, offset: number): number {
  const byteAt = (index: number): number => bytes[offset + index] ?? 0;
  return (byteAt(0) | (byteAt(1) << 8) | (byteAt(2) << 16) | (byteAt(3) << 24)) >>> 0;
}

const wordLimit = 2 ** 32;
const wordMask = 0xffff_ffffn;
/** A number holds any integer exactly whose second word is at most this (with none above it). */
const middleMax = 2 ** 21 - 1;
const coefficientLimit = 10n ** 34n;

/** Of decimal.js's groups of digits. */
const groupDigits = 7;
const groupLimit = 10 ** groupDigits;

/** The highest word: a sign, 14 bits of the exponent, and 17 of the coefficient. */
const signBit = 2 ** 31;
const exponentUnit = 2 ** 17;
const exponentMask = 0x3fff;
const exponentBias = 6176;
const largeForm = 3 * 2 ** 29;
