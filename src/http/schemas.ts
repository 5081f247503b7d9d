import { z } from 'zod';
import type { Currencies } from '../domain/currency.ts';
import { amountFault, amountForm, amountLengthMax, parseAmount } from '../domain/money.ts';
import { bizIdForm } from '../domain/order.ts';
import { createTransfer } from './examples.ts';
import { because } from './parse.ts';

const idLengthMax = 64;
/** No known id is longer, or holds other characters; a text of another form still is just an unknown wallet. */
const walletId = z.string().min(1).max(idLengthMax);

const bizId = z.string().regex(bizIdForm);

/** The body of a create. Source: docs/contract.md, "Creating a transfer". */
export function createTransferSchema(currencies: Currencies) {
  return z
    .strictObject({
      sourceWalletId: walletId.meta({ description: 'The wallet the amount is taken from.' }),
      targetWalletId: walletId.meta({ description: 'The wallet the amount goes to; another one.' }),
      // Form and length are stated here, and judged below: what is wrong with an amount has reasons of its own.
      amount: z.string().meta({
        description: 'A plain decimal above zero, with no more decimals than the currency has.',
        pattern: amountForm.source,
        maxLength: amountLengthMax,
      }),
      currency: z
        .string()
        .meta({ description: 'Code of the currency; that of both wallets.', pattern: '^[A-Z0-9]{3,10}$' }),
      bizId: bizId.optional().meta({
        description: 'Your own id of the order: repeating a create with it is safe. Not `wallet`, a word of the paths.',
      }),
    })
    .meta({ id: 'CreateTransfer', description: 'What to move.', examples: [createTransfer] })
    .transform(({ amount: text, currency, bizId: id, ...wallets }, context) => {
      const refuse = (field: string, reason: ReturnType<typeof because>): never => {
        context.issues.push({ code: 'custom', path: [field], input: field, ...reason });
        return z.NEVER;
      };
      const decimals = currencies.get(currency);
      if (decimals === undefined) return refuse('currency', because('CURRENCY_UNKNOWN'));
      const amount = parseAmount(text, decimals);
      if (amount === undefined) {
        const fault = amountFault(text, decimals) ?? 'AMOUNT_MALFORMED';
        return refuse('amount', because(fault, fault === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined));
      }
      return { ...wallets, amount, currency, ...(id === undefined ? {} : { bizId: id }) };
    });
}
