import { z } from 'zod';
import { directions, walletStatuses } from '../domain/wallet.ts';
import { webhookTypes } from '../domain/webhook.ts';
import { orderStatuses } from '../orders/order.ts';
import { orderTypes } from '../orders/types.ts';
import { rowsLookedMax } from '../reading/looked-through.ts';

/* What the resources share: kinds of fields, and pages. */

export const id = z.string().regex(/^[A-Za-z0-9._-]+$/);
export const decimal = z.string().regex(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
export const time = z.iso.datetime();
export const createdAt = time.meta({ description: 'When it was made.' });
export const currency = z
  .string()
  .regex(/^[A-Z0-9]{3,10}$/)
  .meta({ description: 'ISO 4217, or a code of the operator’s.' });

const LaterValue = z
  .string()
  .meta({ id: 'LaterValue', description: 'One that only a later service has: answers may have more than is listed.' });

/** A choice in an answer: who checks answers has to take what a later service adds. A request takes the known ones alone. */
export function open<Choice extends z.ZodType<string>>(choices: Choice) {
  return z.union([choices, LaterValue]);
}

/* Named, because several schemas have them. */
export const OrderType = z
  .enum(orderTypes.map(({ name }) => name))
  .meta({ id: 'OrderType', description: 'What an order does when it is posted. More may come.' });

/** The name of a schema of one type of order. */
export function nameOf(type: string, kind: string): string {
  return `${type.charAt(0)}${type.slice(1).toLowerCase()}${kind}`;
}

export const OrderStatus = z.enum(orderStatuses).meta({
  id: 'OrderStatus',
  description:
    'PENDING, then COMPLETED or FAILED for good. With `executeAt` it is SCHEDULED first, and may end CANCELLED.',
});
export const WalletStatus = z
  .enum(walletStatuses)
  .meta({ id: 'WalletStatus', description: 'Only an ACTIVE wallet takes part in transfers.' });
export const Direction = z
  .enum(directions)
  .meta({ id: 'Direction', description: 'DEBIT takes from the wallet, CREDIT adds to it.' });
export const EventType = z.enum(webhookTypes).meta({
  id: 'EventType',
  description: 'What an event tells of: the end of an order, or an alert of a wallet. More may come.',
});

export const workspaceId = id.meta({ description: 'The workspace of the API key.' });
export const transferId = id.meta({ description: 'The service’s id of the order.' });
export const amount = decimal.meta({
  description: 'With the decimals of the currency; with more where it was stored with more.',
});

/** What is wrong with one of several fields, in a failure or in a refused line. */
export const WrongField = z
  .strictObject({
    field: z.string().meta({ description: 'The field, as `error.field` names it; cut after 64 characters.' }),
    reason: z.string().meta({ description: 'What is wrong with it.' }),
  })
  .meta({ id: 'WrongField', description: 'A field that is wrong, and why.' });

/**
 * A page of a list.
 * @param name of the schema in the description of the API.
 */
export function pageOf(item: z.ZodType, name: string) {
  return z
    .strictObject({
      items: z.array(item).meta({ description: 'Newest first.' }),
      page: z.int().nonnegative().nullable().meta({ description: 'Null for a page by cursor.' }),
      size: z.int().positive().meta({ description: 'The most rows that a page has.' }),
      total: z
        .int()
        .nonnegative()
        .meta({ description: 'Rows of all pages. Pages by cursor repeat that of the first page.' }),
      totalIsExact: z.boolean().meta({
        description: `False where no index answers the filters together, and more than ${rowsLookedMax.toLocaleString('en-US')} rows would have to be read to count them: \`total\` is then what was counted.`,
      }),
      totalPages: z.int().nonnegative().meta({ description: 'Pages of `size` rows that `total` makes.' }),
      nextCursor: z.string().nullable().meta({
        description:
          'For the next page; null where no more follows. A page may be short, or empty, and have one: go on.',
      }),
    })
    .meta({ id: name, description: 'A page of a list.' });
}
