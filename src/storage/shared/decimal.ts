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
 * Converts money to Decimal128. This and {@link fromDecimal128} are exact. They build and read the 16 bytes themselves, and
 * BigInt writes only long numbers, because the driver's conversion by text, and then BigInt, were the largest items in a
 * worker's profile. Source: IEEE 754-2008 decimal128, binary integer encoding; BSON specification.
 * @throws RangeError more than 34 digits, which the bytes do not hold.
 */
export function toDecimal128(money: Money): Decimal128 {
  const text = money.toFixed();
  const point = text.indexOf('.');
  const decimals = point === -1 ? 0 : text.length - point - 1;
  const digits = text.replace('.', '');
  // Taken from Node's pool: bytes with a buffer of their own take twice the memory.
  const bytes = Buffer.allocUnsafe(16);
  if (digits.length <= safeLength) {
    const signed = Number(digits);
    const coefficient = Math.abs(signed);
    bytes.writeUInt32LE(coefficient % wordLimit, 0);
    bytes.writeUInt32LE(Math.floor(coefficient / wordLimit), 4);
    bytes.writeUInt32LE(0, 8);
    bytes.writeUInt32LE((signed < 0 ? topSignBit : 0) + (exponentBias - decimals) * topExponentUnit, 12);
    return new Decimal128(bytes);
  }
  const signed = BigInt(digits);
  const [sign, coefficient] = signed < 0n ? [signBit, -signed] : [0n, signed];
  if (coefficient >= coefficientLimit) throw new RangeError(`more digits than are stored: ${text}`);
  bytes.writeBigUInt64LE(coefficient & lowMask, 0);
  bytes.writeBigUInt64LE(
    sign | (BigInt(exponentBias - decimals) << exponentShift) | (coefficient >> lowBits),
    lowBytes,
  );
  return new Decimal128(bytes);
}

export function fromDecimal128(stored: Decimal128): Money {
  const { sign, coefficient, exponent } = partsOf(stored);
  return new Money(`${sign}${coefficient}e${exponent}`);
}

/** As {@link fromDecimal128}; NaN if the stored value was altered by hand and is no amount. */
export function amountIn(stored: Decimal128 | undefined): Money {
  try {
    return stored === undefined ? new Money(NaN) : fromDecimal128(stored);
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
  const minus = coefficient === 0n ? '' : sign;
  return decimals === 0 ? minus + digits : `${minus}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

interface Parts {
  readonly sign: '' | '-';
  readonly coefficient: bigint;
  readonly exponent: number;
}

function partsOf(stored: Decimal128): Parts {
  const { buffer, byteOffset } = stored.bytes;
  const view = new DataView(buffer, byteOffset);
  const [low, high] = [view.getBigUint64(0, true), view.getBigUint64(lowBytes, true)];
  // Infinities, NaN and over-long coefficients have these bits set; no money has.
  if ((high & largeForm) === largeForm) throw new Error(`not a stored amount of money: ${stored.toString()}`);
  return {
    sign: high >= signBit ? '-' : '',
    coefficient: ((high & highMask) << lowBits) | low,
    exponent: Number((high >> exponentShift) & exponentMask) - exponentBias,
  };
}

/** Digits, and a sign, that a number holds exactly. */
const safeLength = 15;
const wordLimit = 2 ** 32;
/** The highest word of a small number: a sign, 14 bits of the exponent, and 17 that are 0. */
const topSignBit = 2 ** 31;
const topExponentUnit = 2 ** 17;

const coefficientLimit = 10n ** 34n;
const lowBytes = 8;
const lowBits = 64n;
const lowMask = 2n ** lowBits - 1n;

/** The high half: a sign, 14 bits of the exponent, and 49 of the coefficient. */
const signBit = 2n ** 63n;
const exponentShift = 49n;
const exponentMask = 0x3fffn;
const exponentBias = 6176;
const highMask = 2n ** exponentShift - 1n;
const largeForm = 3n << 61n;
