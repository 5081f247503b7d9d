import fc from 'fast-check';
import { Decimal128 } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { formatMoney, Money } from '../../src/domain/money.ts';
import { fromDecimal128, toDecimal128, decimalAsText } from '../../src/storage/shared/decimal.ts';

const largest = 10n ** 34n - 1n;
/** A coefficient of a bit more than a number holds exactly, or less. */
const fewDigits = fc.bigInt(-(10n ** 17n), 10n ** 17n);

/** Any plain decimal of up to 34 digits, as text. */
const anyMoney = fc
  .tuple(fc.oneof(fc.bigInt(-largest, largest), fewDigits), fc.integer({ min: 0, max: 18 }))
  .map(([coefficient, decimals]) => new Money(`${coefficient}e-${decimals}`).toFixed());

describe('Decimal128', () => {
  it('is what the driver itself makes of the same text', () => {
    fc.assert(
      fc.property(anyMoney, (text) => {
        expect(toDecimal128(new Money(text)).toString()).toBe(Decimal128.fromString(text).toString());
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not made of more digits than it holds', () => {
    expect(toDecimal128(new Money('9'.repeat(34))).toString()).toBe('9'.repeat(34));
    for (const text of [`1${'0'.repeat(34)}`, `-${'9'.repeat(30)}.12345`]) {
      expect(() => toDecimal128(new Money(text))).toThrow(RangeError);
    }
  });

  it('gives back the same money, whoever wrote it', () => {
    fc.assert(
      fc.property(anyMoney, (text) => {
        expect(fromDecimal128(toDecimal128(new Money(text))).toFixed()).toBe(text);
        expect(fromDecimal128(Decimal128.fromString(text)).toFixed()).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['1.10', '0', '0.00', '-0', '1E+3', '-12.50', '9'.repeat(32) + '.99', '1E-8'])('reads %s', (text) => {
    expect(fromDecimal128(Decimal128.fromString(text)).equals(new Money(text))).toBe(true);
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('refuses %s', (text) => {
    expect(() => fromDecimal128(Decimal128.fromString(text))).toThrow('not a stored amount');
  });

  it('is written as the money is, with any number of decimals', () => {
    const anyStored = fc.oneof(
      anyMoney,
      fc.bigInt(-(10n ** 18n), 10n ** 18n).map((cents) => new Money(`${cents}e-2`).toFixed()),
    );
    fc.assert(
      fc.property(anyStored, fc.integer({ min: 0, max: 18 }), (text, decimals) => {
        const money = new Money(text);
        for (const stored of [toDecimal128(money), Decimal128.fromString(text)]) {
          expect(formatMoney(decimalAsText(stored), decimals)).toBe(formatMoney(money, decimals));
        }
      }),
      { numRuns: 4_000 },
    );
  });

  it.each(['-0', '0E+3', '1E+3', '-12.5', '9007199254740991', '9007199254740992', '0.05'])('writes %s', (text) => {
    const stored = Decimal128.fromString(text);
    for (const decimals of [0, 1, 2, 8]) {
      expect(formatMoney(decimalAsText(stored), decimals)).toBe(formatMoney(fromDecimal128(stored), decimals));
    }
  });
});
