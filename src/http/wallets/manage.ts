import { z } from 'zod';
import { freeText } from '../../domain/free-text.ts';
import { amountFault, amountForm, amountLengthMax, decimalsIn } from '../../domain/money.ts';
import { because, ServiceError } from '../../errors.ts';

/* What the routes that make and change wallets share. */

/** What giving credit needs beside `wallet:manage`. */
export const creditScope = 'transfer:fund';
/**
 * A change counts as so many requests, because it leaves something for good: a wallet, and rows in the audit. Only the rate of
 * the key bounds how many there can be.
 */
export const changeCost = 10;

const nameLengthMax = 100;
export const nameGiven = freeText({ max: nameLengthMax });

export const limitField = 'creditLimit';
export const limitErrors = ['AMOUNT_MALFORMED', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;

const formOfAmount = { pattern: amountForm.source, maxLength: amountLengthMax };
const limitNote = {
  description:
    'How far the balance may be below zero: a plain decimal, or `0`, with no more decimals than the currency has.',
};
/** Its faults have their own reasons: see {@link limitRefusal}. */
export const limitGiven = z.string().meta({ ...formOfAmount, ...limitNote });

/** An amount of a wallet, or zero. Its currency, of which the decimals are, is not known yet: see {@link refuseAmounts}. */
export const anyAmountGiven = z
  .string()
  .superRefine((text, context) => {
    const refusal = limitRefusal(text, decimalsIn(text));
    if (refusal !== undefined) context.issues.push({ code: 'custom', input: text, ...because(refusal.reason) });
  })
  .meta(formOfAmount);
export const anyLimitGiven = anyAmountGiven.meta({ ...formOfAmount, ...limitNote });

/** Why a credit limit, which is an amount or zero, is refused; undefined if it is not. */
export function limitRefusal(text: string, decimals: number) {
  const reason = amountFault(text, decimals);
  if (reason === undefined || reason === 'AMOUNT_ZERO') return undefined;
  return { reason, value: reason === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined };
}

/**
 * Refuses what the currency of a wallet cannot have.
 * @param amounts by their place in the body. @throws ServiceError naming each that has too many decimals or digits.
 */
export function refuseAmounts(
  amounts: readonly (readonly [field: string, text: string | undefined])[],
  decimals: number | undefined,
): void {
  const faults = amounts.flatMap(([field, text]) => {
    if (text === undefined) return [];
    if (decimals === undefined) return { field, reason: 'CURRENCY_UNKNOWN' as const, value: undefined };
    const refusal = limitRefusal(text, decimals);
    return refusal === undefined ? [] : { field, ...refusal };
  });
  const [first] = faults;
  if (first !== undefined) throw new ServiceError(first.reason, { ...first, faults });
}
