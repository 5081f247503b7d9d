import { Decimal } from 'decimal.js';
import type { ErrorName } from '../errors.ts';

/** Amounts and balances are decimals, never numbers. Decimal128 holds 34 digits; with 80, a sum beyond that is noticed. */
export const Money = Decimal.clone({
  precision: 80,
  toExpNeg: -1000,
  toExpPos: 1000,
  rounding: Decimal.ROUND_HALF_EVEN,
});
export type Money = Decimal;

export const amountDigitsMax = 30;
export const balanceDigitsMax = 34;

/** ASCII digits, no sign, exponent, leading zero or bare point. */
export const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/;
/** A text longer than this cannot be a valid amount: every digit, and the point. */
export const amountLengthMax = amountDigitsMax + 1;

/** How many decimals an amount is written with. */
export function decimalsIn(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

/**
 * What is wrong with a client's amount, if anything. Source: docs/contract.md, "Creating a transfer".
 * @param text sound if it is a plain decimal above zero, such as `1.10`, of {@link amountForm}.
 * @param decimals how many the currency has; more are refused, even zeros.
 */
export function amountFault(text: string, decimals: number): AmountFault | undefined {
  if (!amountForm.test(text)) return 'AMOUNT_MALFORMED';
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return 'TOO_MANY_DECIMALS';
  // An amount is stored, and answered, with all decimals of its currency, so those digits count too.
  if (whole.length + fraction.length > amountDigitsMax || whole.length + decimals > balanceDigitsMax)
    return 'TOO_MANY_DIGITS';
  return /[1-9]/.test(text) ? undefined : 'AMOUNT_ZERO';
}

type AmountFault = Extract<ErrorName, 'AMOUNT_MALFORMED' | 'AMOUNT_ZERO' | 'TOO_MANY_DECIMALS' | 'TOO_MANY_DIGITS'>;

/** A plain decimal without zeros at its end: the same text for the same value. */
export function plainest(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

/** A resource as lists have it, which compute nothing: money is text in plain notation. */
export type Listed<T> = { readonly [K in keyof T]: T[K] extends Money ? string : T[K] };

/**
 * Writes money with the currency's decimals: `1.1` → `1.10`. Money that has more, because its currency had more when it was
 * stored, is written with all of its own: no digit is ever dropped, so that what is shown is what is there.
 * @param money if it is text, then in plain notation.
 */
export function formatMoney(money: Money | string, decimals: number): string {
  if (typeof money !== 'string') return money.toFixed(Math.max(decimals, money.decimalPlaces()));
  const [whole = '', fraction = ''] = money.split('.');
  const digits = fraction.length > decimals ? fraction.replace(/0+$/, '') : fraction;
  const shown = digits.padEnd(decimals, '0');
  return shown === '' ? whole : `${whole}.${shown}`;
}

/**
 * Whether a balance, written with its currency's decimals, still has at most 34 digits.
 * @param decimals 0 to 34.
 */
export function fitsBalance(balance: Money, decimals: number): boolean {
  if (decimals < 0 || decimals > balanceDigitsMax) throw new RangeError(`a currency cannot have ${decimals} decimals`);
  // The exponent of its first digit: comparing with the limit takes ten times as long.
  return balance.isZero() || balance.e < balanceDigitsMax - decimals;
}
