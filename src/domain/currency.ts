import * as iso4217 from 'dinero.js/currencies';

/** Decimals by currency code. */
export type Currencies = ReadonlyMap<string, number>;

/** MGA and MRU, whose minor unit is a fifth, have two decimals in ISO 4217. */
const decimalsOfFifths = 2;

/**
 * The currencies of ISO 4217, and extra ones, which take precedence.
 * @param extra decimals by code, such as USDT → 6.
 */
export function createCurrencies(extra: ReadonlyMap<string, number>): Currencies {
  const decimalsByCode = new Map<string, number>();
  for (const { code, base, exponent } of Object.values(iso4217)) {
    decimalsByCode.set(code, base === 10 ? exponent : decimalsOfFifths);
  }
  for (const [code, decimals] of extra) decimalsByCode.set(code, decimals);
  return decimalsByCode;
}

/** Those that a database has from its first process on. What it has recorded of them since takes precedence. */
export const usualCurrencies: Currencies = createCurrencies(
  new Map([
    ['USDT', 6],
    ['USDC', 6],
    ['BTC', 8],
  ]),
);
