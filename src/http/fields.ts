import { z } from 'zod';

/* What the resources share: kinds of fields, and pages. */

export const id = z.string().regex(/^[A-Za-z0-9._-]+$/);
export const decimal = z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
export const time = z.iso.datetime();
export const currency = z
  .string()
  .regex(/^[A-Z0-9]{3,10}$/)
  .meta({ description: 'ISO 4217, or a code of the operator’s.' });

export const workspaceId = id.meta({ description: 'The workspace of the API key.' });
export const transferId = id.meta({ description: 'The service’s id of the order.' });
export const amount = decimal.meta({
  description: 'With the decimals of the currency; with more where it was stored with more.',
});

const paging = { page: 0, size: 20, total: 1, totalPages: 1, nextCursor: null } as const;

/**
 * A page of a list.
 * @param name of the schema in the description of the API.
 */
export function pageOf<T extends z.ZodType>(item: T, name: string, example: z.input<T>) {
  return z
    .strictObject({
      items: z.array(item).meta({ description: 'Newest first.' }),
      page: z.int().nonnegative().nullable().meta({ description: 'Null for a page by cursor.' }),
      size: z.int().positive().meta({ description: 'The most rows that a page has.' }),
      total: z
        .int()
        .nonnegative()
        .meta({ description: 'Rows of all pages. Pages by cursor repeat that of the first page.' }),
      totalPages: z.int().nonnegative(),
      nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
    })
    .meta({ id: name, description: 'A page of a list.', examples: [{ items: [example], ...paging }] });
}
