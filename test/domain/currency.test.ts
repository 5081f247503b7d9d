import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';

describe('createCurrencies', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['MRU', 2],
  ])('knows %s with the %i decimals of ISO 4217', (code, decimals) => {
    expect(createCurrencies(new Map()).get(code)).toBe(decimals);
  });

  it('adds the configured ones, which win', () => {
    const extra = new Map(Object.entries({ USDT: 6, JPY: 2 }));
    const currencies = createCurrencies(extra);
    expect([currencies.get('USDT'), currencies.get('JPY'), currencies.get('DOGE')]).toEqual([6, 2, undefined]);
  });
});
