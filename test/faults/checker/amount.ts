import { Decimal128 } from 'mongodb';

/**
 * Whole units of 10^-40: exact, and another arithmetic than the one that is checked. Decimal128 has 34 digits, and no
 * currency more than 18 decimals.
 */
export type Units = bigint;

const scaleDigits = 40;

/** What was read before: the same amounts are met again and again. */
const known = new Map<unknown, Units>();
const stored = new WeakMap<Decimal128, Units>();

/** @throws where it is no finite decimal, or finer than a unit. */
export function unitsOf(value: unknown): Units {
  const units = value instanceof Decimal128 ? stored.get(value) : known.get(value);
  if (units !== undefined) return units;
  const read = readUnits(value);
  if (value instanceof Decimal128) stored.set(value, read);
  else known.set(value, read);
  return read;
}

function readUnits(value: unknown): Units {
  const text = value instanceof Decimal128 || typeof value === 'string' ? value.toString() : `of type ${typeof value}`;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(text);
  if (parts === null) throw new Error(`${text} is not an amount`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const zeros = scaleDigits + Number(exponent) - fraction.length;
  if (zeros < 0) throw new Error(`${text} is finer than 10^-${scaleDigits}`);
  const units = BigInt(whole + fraction) * 10n ** BigInt(zeros);
  return sign === '-' ? -units : units;
}

/** For a message. */
export function shown(units: Units): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scaleDigits + 1, '0');
  const fraction = digits.slice(-scaleDigits).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scaleDigits)}${fraction === '' ? '' : `.${fraction}`}`;
}
