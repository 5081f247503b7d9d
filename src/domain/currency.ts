import * as iso4217 from 'dinero.js/currencies';

/** Decimals by currency code. */
export type Currencies = ReadonlyMap<string, number>;

/** ISO 4217 gives the two currencies whose minor unit is a fifth (MGA, MRU) two decimals. */
const decimalsOfFifths = 2;

/**
 * The currencies this service knows: ISO 4217, and the extra ones of the settings, which win.
 * @param extra decimals by code, such as USDT → 6.
 */
export function createCurrencies(extra: ReadonlyMap<string, number>): Currencies {
  const known = new Map<string, number>();
  for (const { code, base, exponent } of Object.values(iso4217)) {
    known.set(code, base === 10 ? exponent : decimalsOfFifths);
  }
  for (const [code, decimals] of extra) known.set(code, decimals);
  return known;
}
