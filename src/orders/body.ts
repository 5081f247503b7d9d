import { z } from 'zod';
import { amountFault, amountForm, amountLengthMax, parseAmount, type Money } from '../domain/money.ts';
import { because, type ErrorName } from '../errors.ts';
import { bizIdForm } from './order.ts';

/* What the bodies that make orders share. */

/** How many decimals a currency has; undefined if there is none of this code. @param amount of the same body. */
export type DecimalsOf = (currency: string, amount: string) => number | undefined;

const idLengthMax = 64;
/** Only the length is checked, because no id is longer. A text of another form is simply an unknown wallet. */
export const walletGiven = z.string().min(1).max(idLengthMax);

/** Form and length are only described here. {@link withAmount} checks them, because each fault has its own reason. */
export const amountGiven = z.string().meta({
  description: 'A plain decimal above zero, with no more decimals than the currency has.',
  pattern: amountForm.source,
  maxLength: amountLengthMax,
});

export const currencyGiven = z
  .string()
  .meta({ description: 'Code of the currency; that of both wallets.', pattern: '^[A-Z0-9]{3,10}$' });

export const bizIdGiven = z.string().regex(bizIdForm).exactOptional().meta({
  description: 'Your own id of the order: repeating a create with it is safe. Not `wallet`, a word of the paths.',
});

/** What can be wrong with an amount. */
export const amountErrors = ['AMOUNT_MALFORMED', 'AMOUNT_ZERO', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;
/** What depends on which currencies there are, and with how many decimals. */
export const currencyErrors: ReadonlySet<ErrorName> = new Set([
  'CURRENCY_UNKNOWN',
  'TOO_MANY_DECIMALS',
  'TOO_MANY_DIGITS',
]);

/** Takes an amount as it is written, whatever its currency: that of an order which could not be made any more. */
export const anyDecimals: DecimalsOf = (_, amount) => amount.split('.')[1]?.length ?? 0;

/** For a body's `transform`: reads its amount by its currency. */
export function withAmount(decimalsOf: DecimalsOf) {
  return <T extends { amount: string; currency: string }>(
    given: T,
    context: z.RefinementCtx,
  ): Omit<T, 'amount'> & { amount: Money } => {
    const refuse = (field: string, reason: ReturnType<typeof because>): never => {
      context.issues.push({ code: 'custom', path: [field], input: field, ...reason });
      return z.NEVER;
    };
    const decimals = decimalsOf(given.currency, given.amount);
    if (decimals === undefined) return refuse('currency', because('CURRENCY_UNKNOWN'));
    const amount = parseAmount(given.amount, decimals);
    if (amount === undefined) {
      const fault = amountFault(given.amount, decimals) ?? 'AMOUNT_MALFORMED';
      return refuse('amount', because(fault, fault === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined));
    }
    return { ...given, amount };
  };
}
