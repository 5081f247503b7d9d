import { z } from 'zod';
import { freeText } from '../../domain/free-text.ts';
import { amountFault, amountForm, amountLengthMax } from '../../domain/money.ts';

/* What the routes that make and change wallets share. */

export const scope = 'wallet:manage';
/** What giving credit needs beside it. */
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

/** Its faults have their own reasons: see {@link limitRefusal}. */
export const limitGiven = z.string().meta({
  description:
    'How far the balance may be below zero: a plain decimal, or `0`, with no more decimals than the currency has.',
  pattern: amountForm.source,
  maxLength: amountLengthMax,
});

/** Why a credit limit, which is an amount or zero, is refused; undefined if it is not. */
export function limitRefusal(text: string, decimals: number) {
  const reason = amountFault(text, decimals);
  if (reason === undefined || reason === 'AMOUNT_ZERO') return undefined;
  return { reason, value: reason === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined };
}
