import { z } from 'zod';
import type { Currencies } from '../../domain/currency.ts';
import { hasIdForm, idForm } from '../../domain/ids.ts';
import { referenceGiven, timeFrom, timeGiven, unknownCurrency } from '../../orders/body.ts';
import { because } from '../../errors.ts';
import { Direction, OrderStatus, OrderType, WalletStatus } from '../fields.ts';

export const pageSizeMax = 100;
const pageSizeDefault = 20;
/** The most rows before a page by number, which reads all of them. Beyond it a client must use a cursor, which reads none. */
export const rowsSkippedMax = 10_000;

const wholeForm = /^(0|[1-9][0-9]{0,8})$/;

const page = z
  .string()
  .regex(wholeForm)
  .pipe(z.coerce.number<string>().int().min(0).max(999_999_999))
  .optional()
  .meta({
    description: [
      'Number of the page, from 0. Not together with `cursor`.',
      `At most ${rowsSkippedMax} rows may lie before the page (\`page\` times \`size\`): go further by \`cursor\`.`,
    ].join(' '),
    default: 0,
  });
const size = z
  .string()
  .regex(wholeForm)
  .pipe(z.coerce.number<string>().int().min(1).max(pageSizeMax))
  .default(pageSizeDefault)
  .meta({ description: 'Rows of a page.' });
const cursor = z.string().min(1).optional().meta({
  description:
    'The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given.',
});
const time = timeGiven.optional();
const from = time.meta({ description: 'Created at this time or later; ISO 8601 with seconds and zone.' });
const to = time.meta({ description: 'Created before this time; ISO 8601 with seconds and zone.' });

const paging = { page, size, cursor };

/** Of a balance. */
export const balanceQuery = z.object({
  at: time.meta({
    description: 'The balance at this moment, which must have passed; ISO 8601 with seconds and zone.',
  }),
});

export const statementQuery = z.object({
  from: timeGiven.meta({
    description: 'Where it begins, inclusive; ISO 8601 with seconds and zone. Required unless `cursor` is given.',
    examples: ['2026-01-01T00:00:00Z'],
  }),
  to: timeGiven.meta({
    description:
      'Where it ends, exclusive; it must have passed. ISO 8601 with seconds and zone. Required unless `cursor` is given.',
    examples: ['2026-01-02T00:00:00Z'],
  }),
  size,
  cursor: cursor.meta({
    description:
      'The `nextCursor` of the page before. It keeps `from` and `to`, which may then be left out; `size` is the same unless it is given.',
  }),
});

/** What each list takes as its query. Source: docs/contract.md, "Lists". */
export function createListQueries(currencies: Currencies) {
  const isKnown = (code: string): boolean => currencies.has(code);
  const currency = z
    .string()
    .superRefine((code, context) => {
      if (isKnown(code)) return;
      const { reason, value } = unknownCurrency(code, isKnown);
      context.issues.push({ code: 'custom', input: code, path: [], ...because(reason, value) });
    })
    .optional()
    .meta({ description: 'Only this currency.', pattern: '^[A-Z0-9]{3,10}$' });
  return {
    wallets: z.object({
      ...paging,
      currency,
      status: WalletStatus.optional().meta({ description: 'Only wallets of this status.' }),
      reference: referenceGiven.optional().meta({ description: 'Only the wallet with this reference.' }),
    }),
    flows: z.object({
      ...paging,
      direction: Direction.optional().meta({ description: 'Only flows of this direction.' }),
      from,
      to,
    }),
    orders: z.object({
      ...paging,
      status: OrderStatus.optional().meta({ description: 'Only orders of this status.' }),
      currency,
      type: OrderType.optional().meta({ description: 'Only orders of this type.' }),
      reference: referenceGiven.optional().meta({ description: 'Only orders with this reference.' }),
      parentId: z
        .string()
        .refine((id) => hasIdForm('order', id), because('FIELD_MALFORMED', idForm('order')))
        .optional()
        .meta({ description: 'Only orders that refer to this one, by its transferId.' }),
      batchId: z
        .string()
        .refine((id) => hasIdForm('batch', id), because('FIELD_MALFORMED', idForm('batch')))
        .optional()
        .meta({ description: 'Only orders that came in this batch.' }),
      from,
      to,
    }),
  };
}

export type ListQueries = ReturnType<typeof createListQueries>;

/** A time of a validated query. Resources have whole milliseconds, so it is rounded up and selects the same rows. */
export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : timeFrom(text);
}
