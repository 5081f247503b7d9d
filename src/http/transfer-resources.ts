import { z } from 'zod';
import type { Currencies } from '../domain/currency.ts';
import { amountFault, amountForm, amountLengthMax, parseAmount } from '../domain/money.ts';
import { bizIdForm, orderStatuses } from '../domain/order.ts';
import { catalogue } from '../errors.ts';
import { amount, currency, exampleOf, id, pageOf, time, transferId, workspaceId } from './fields.ts';
import { because } from './parse.ts';

/** The body that made the {@link orderExample}. */
const createExample = {
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.1',
  currency: 'USD',
  bizId: 'invoice-42',
} as const;

export const orderExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  workspaceId: exampleOf.workspaceId,
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.10',
  currency: 'USD',
  status: 'COMPLETED',
  failure: null,
  createdAt: '2026-01-01T09:30:00.000Z',
  updatedAt: exampleOf.postedAt,
  completedAt: exampleOf.postedAt,
} as const;

const completionExample = {
  transferId: exampleOf.transferId,
  bizId: 'invoice-42',
  completed: true,
  status: 'COMPLETED',
  completedAt: exampleOf.postedAt,
  failure: null,
} as const;

const idLengthMax = 64;
/** Only the length is checked, because no id is longer. A text of another form is simply an unknown wallet. */
const walletGiven = z.string().min(1).max(idLengthMax);

/** The body of a create. Source: docs/contract.md, "Creating a transfer". */
export function createTransferSchema(currencies: Currencies) {
  return transferSchema((currency) => currencies.get(currency));
}

/** A body whose form is right, whatever its currency: that of an order which could not be made any more. */
export const anyTransferSchema = transferSchema((_, amount) => amount.split('.')[1]?.length ?? 0);

function transferSchema(decimalsOf: (currency: string, amount: string) => number | undefined) {
  return z
    .strictObject({
      sourceWalletId: walletGiven.meta({ description: 'The wallet the amount is taken from.' }),
      targetWalletId: walletGiven.meta({ description: 'The wallet the amount goes to; another one.' }),
      // Form and length are only described here. They are checked below, because faults of an amount have their own reasons.
      amount: z.string().meta({
        description: 'A plain decimal above zero, with no more decimals than the currency has.',
        pattern: amountForm.source,
        maxLength: amountLengthMax,
      }),
      currency: z
        .string()
        .meta({ description: 'Code of the currency; that of both wallets.', pattern: '^[A-Z0-9]{3,10}$' }),
      bizId: z.string().regex(bizIdForm).exactOptional().meta({
        description: 'Your own id of the order: repeating a create with it is safe. Not `wallet`, a word of the paths.',
      }),
    })
    .meta({ id: 'CreateTransfer', description: 'What to move.', examples: [createExample] })
    .transform((given, context) => {
      const refuse = (field: string, reason: ReturnType<typeof because>): never => {
        context.issues.push({ code: 'custom', path: [field], input: field, ...reason });
        return z.NEVER;
      };
      const decimals = decimalsOf(given.currency, given.amount);
      if (decimals === undefined) return refuse('currency', because('CURRENCY_UNKNOWN'));
      const parsed = parseAmount(given.amount, decimals);
      if (parsed === undefined) {
        const fault = amountFault(given.amount, decimals) ?? 'AMOUNT_MALFORMED';
        return refuse('amount', because(fault, fault === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined));
      }
      return { ...given, amount: parsed };
    });
}

const bizId = id.meta({ description: 'The client’s own id of the order; the transferId where it gave none.' });
const { INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT } = catalogue;
const failures = [INSUFFICIENT_BALANCE, WALLET_NOT_ACTIVE, BALANCE_LIMIT];
const failure = z
  .strictObject({
    code: z.enum(failures.map(({ code }) => code)),
    message: z.enum(failures.map(({ message }) => message)),
  })
  .nullable()
  .meta({ description: 'Why the order is FAILED; null otherwise.' });
const status = z.enum(orderStatuses).meta({ description: 'PENDING, and then COMPLETED or FAILED for good.' });
const completedAt = time.nullable().meta({ description: 'When it was posted; null unless COMPLETED.' });

/* What the endpoints of transfers answer as `data`. Source: docs/contract.md, "Resources". */

export const Order = z
  .strictObject({
    transferId,
    bizId,
    workspaceId,
    sourceWalletId: id.meta({ description: 'The wallet the amount is taken from, or `EXTERNAL`.' }),
    targetWalletId: id.meta({ description: 'The wallet the amount goes to, or `EXTERNAL`.' }),
    amount,
    currency,
    status,
    failure,
    createdAt: time,
    updatedAt: time.meta({ description: 'When its status changed last.' }),
    completedAt,
  })
  .meta({ id: 'Order', description: 'A transfer order.', examples: [orderExample] });

export const Completion = z
  .strictObject({
    transferId,
    bizId,
    completed: z.boolean().meta({ description: 'True for COMPLETED alone; `status` tells when to stop asking.' }),
    status,
    completedAt,
    failure,
  })
  .meta({ id: 'Completion', description: 'How far a transfer order is.', examples: [completionExample] });

export const OrderPage = pageOf(Order, 'OrderPage', orderExample);
