import { z } from 'zod';
import type { Currencies } from '../domain/currency.ts';
import { parseAmount } from '../domain/money.ts';
import { bizIdForm } from '../domain/order.ts';
import { ServiceError } from '../errors.ts';

const idLengthMax = 64;
/** No known id is longer, or holds other characters; a text of another form still is just an unknown wallet. */
const walletId = z.string().min(1).max(idLengthMax);

const bizId = z.string().regex(bizIdForm);

/** The body of a create. Source: docs/contract.md, "Creating a transfer". */
export function createTransferSchema(currencies: Currencies) {
  return z
    .strictObject({
      sourceWalletId: walletId,
      targetWalletId: walletId,
      amount: z
        .string()
        .meta({ description: 'A plain decimal above zero, with no more decimals than the currency has.' }),
      currency: z.string().meta({ description: 'Code of the currency; that of both wallets.' }),
      bizId: bizId.optional().meta({
        description: 'Your own id of the order: repeating a create with it is safe. Not `wallet`, a word of the paths.',
      }),
    })
    .transform(({ amount: text, currency, bizId: id, ...wallets }, context) => {
      const decimals = currencies.get(currency);
      if (decimals === undefined) {
        context.issues.push({ code: 'custom', path: ['currency'], input: currency, message: 'unknown currency' });
        return z.NEVER;
      }
      const amount = parseAmount(text, decimals);
      if (amount === undefined) {
        context.issues.push({
          code: 'custom',
          path: ['amount'],
          input: text,
          message: 'not an amount of the currency',
        });
        return z.NEVER;
      }
      return { ...wallets, amount, currency, ...(id === undefined ? {} : { bizId: id }) };
    });
}

/** @throws ServiceError VALIDATION_FAILED naming the first field that is missing, unknown or not of its form. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  throw new ServiceError('VALIDATION_FAILED', { cause: parsed.error, field: String(named ?? '') });
}
