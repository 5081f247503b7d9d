import { z } from 'zod';
import type { Currencies } from '../../domain/currency.ts';
import { timeFrom, timeGiven, unknownCurrency } from '../../orders/body.ts';
import { because } from '../../errors.ts';

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
export const size = z
  .string()
  .regex(wholeForm)
  .pipe(z.coerce.number<string>().int().min(1).max(pageSizeMax))
  .default(pageSizeDefault)
  .meta({ description: 'Rows of a page.' });
export const cursor = z.string().min(1).optional().meta({
  description:
    'The `nextCursor` of the page before, instead of `page`. It keeps the filters; `size` is the same unless it is given.',
});
const time = timeGiven.optional();
const from = time.meta({ description: 'Created at this time or later; ISO 8601 with seconds and zone.' });
const to = time.meta({ description: 'Created before this time; ISO 8601 with seconds and zone.' });

/** What every list takes. Source: docs/contract.md, "Lists". */
export const paging = { page, size, cursor };

/** The range of times of a list. */
export const createdBetween = { from, to };

/** Lets through the currencies that there are. */
export function createCurrencyFilter(currencies: Currencies) {
  const isKnown = (code: string): boolean => currencies.has(code);
  return z
    .string()
    .superRefine((code, context) => {
      if (isKnown(code)) return;
      const { reason, value } = unknownCurrency(code, isKnown);
      context.issues.push({ code: 'custom', input: code, path: [], ...because(reason, value) });
    })
    .optional()
    .meta({ description: 'Only this currency.', pattern: '^[A-Z0-9]{3,10}$' });
}

/** A time of a validated query. Resources have whole milliseconds, so it is rounded up and selects the same rows. */
export function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : timeFrom(text);
}
