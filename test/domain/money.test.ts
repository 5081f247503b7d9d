import fc from 'fast-check';
import { Decimal128 } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { amountFault, fitsBalance, formatMoney, Money } from '../../src/domain/money.ts';
import { toDecimal128, decimalAsText } from '../../src/storage/shared/decimal.ts';

describe('an amount', () => {
  it.each([
    ['1.10', 2, '1.10'],
    ['1.1', 2, '1.10'],
    ['0.01', 2, '0.01'],
    ['7', 2, '7.00'],
    ['7', 0, '7'],
    ['0.00000001', 8, '0.00000001'],
    ['9'.repeat(28) + '.99', 2, '9'.repeat(28) + '.99'],
  ])('reads %s with %i decimals', (text, decimals, written) => {
    expect(amountFault(text, decimals)).toBeUndefined();
    expect(formatMoney(new Money(text), decimals)).toBe(written);
  });

  it.each([
    ['', 2],
    ['0', 2],
    ['0.00', 2],
    ['-1', 2],
    ['+1', 2],
    ['1e3', 2],
    ['1E3', 2],
    ['.5', 2],
    ['1.', 2],
    ['01', 2],
    ['00.5', 2],
    ['1.123', 2],
    ['1.000', 2],
    ['1.0', 0],
    ['1,5', 2],
    [' 1', 2],
    ['1 ', 2],
    ['1\n', 2],
    ['0x10', 2],
    ['NaN', 2],
    ['Infinity', 2],
    ['１', 2],
    ['١', 2],
    ['1_000', 2],
    ['9'.repeat(31), 2],
    ['9'.repeat(29) + '.99', 2],
    ['1'.repeat(100_000), 2],
  ])('refuses %j with %i decimals', (text, decimals) => {
    expect(amountFault(text, decimals)).toBeDefined();
  });

  it('keeps every digit of any amount it takes', () => {
    const amounts = fc.tuple(fc.bigInt(1n, 10n ** 28n - 1n), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(amounts, ([whole, cents]) => {
        const text = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(amountFault(text, 2)).toBeUndefined();
        expect(formatMoney(new Money(text), 2)).toBe(text);
      }),
    );
  });
});

describe('formatMoney', () => {
  it.each([
    ['0.12345677', 4, '0.12345677'],
    ['0.00001', 4, '0.00001'],
    ['-0.0000005', 0, '-0.0000005'],
    ['1.5', 0, '1.5'],
    ['1.50', 1, '1.5'],
    ['1e3', 2, '1000.00'],
    ['0', 2, '0.00'],
  ])('writes all of %s with a currency of %i decimals: %s', (text, decimals, written) => {
    expect(formatMoney(new Money(text), decimals)).toBe(written);
    expect(formatMoney(decimalAsText(Decimal128.fromString(text)), decimals)).toBe(written);
  });

  it('writes no other amount than it was given, whatever decimals the currency has by now', () => {
    const amounts = fc.tuple(fc.bigInt(-(10n ** 34n) + 1n, 10n ** 34n - 1n), fc.integer({ min: 0, max: 18 }));
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 18 }), ([coefficient, places], decimals) => {
        const money = new Money(`${coefficient}e-${places}`);
        for (const value of [money, decimalAsText(toDecimal128(money))]) {
          const written = formatMoney(value, decimals);
          expect(new Money(written).equals(money)).toBe(true);
          expect(written.split('.')[1]?.length ?? 0).toBe(Math.max(decimals, money.decimalPlaces()));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('fitsBalance', () => {
  it('allows 34 digits with the decimals, and no more, on either side of zero', () => {
    const most = '9'.repeat(32) + '.99';
    expect(fitsBalance(new Money(most), 2)).toBe(true);
    expect(fitsBalance(new Money(`-${most}`), 2)).toBe(true);
    expect(fitsBalance(new Money(most).plus('0.01'), 2)).toBe(false);
    expect(fitsBalance(new Money(most).plus('0.01').negated(), 2)).toBe(false);
  });
});
