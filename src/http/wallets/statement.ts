import { z } from 'zod';
import { sequenceOfFlow } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { timeFrom, timeGiven } from '../../orders/body.ts';
import { exampleOf } from '../../orders/examples.ts';
import { currency, decimal, id, open, OrderType, time } from '../fields.ts';
import { encodeCursor } from '../lists/cursor.ts';
import { chargeLegs, readListRequest, type ListRequest } from '../lists/list.ts';
import { cursor, size } from '../lists/queries.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { Flow, flowExample } from './flows.ts';
import { notPassed, readStandings, settledUntil } from './standings.ts';
import { get, walletId } from './wallet.ts';

const statementEntryExample = {
  ...flowExample,
  type: 'TRANSFER',
  bizId: 'invoice-42',
  reference: null,
  description: null,
} as const;

const statementExample = {
  walletId: exampleOf.alice,
  currency: 'USD',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  openingBalance: '0.00',
  closingBalance: '98.90',
  debits: '1.10',
  credits: '100.00',
  count: 2,
  settledUntil: '2026-01-02T00:10:00.000Z',
  items: [statementEntryExample],
  nextCursor: null,
} as const;

const StatementEntry = Flow.extend({
  type: open(OrderType),
  bizId: id.meta({ description: 'The bizId of its order.' }),
  reference: z.string().nullable().meta({ description: 'The reference of its order.' }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'The description of its leg, or of its order if the leg has none.' }),
}).meta({ id: 'StatementEntry', description: 'A flow, and the order behind it.', examples: [statementEntryExample] });

export const Statement = z
  .strictObject({
    walletId,
    currency,
    from: time.meta({ description: 'Where it begins, inclusive.' }),
    to: time.meta({ description: 'Where it ends, exclusive.' }),
    openingBalance: decimal.meta({ description: 'The balance before the first flow of the range.' }),
    closingBalance: decimal.meta({ description: 'The balance after the last flow of the range.' }),
    debits: decimal.meta({ description: 'The sum of the debits of the whole range, on every page.' }),
    credits: decimal.meta({ description: 'The sum of the credits of the whole range, on every page.' }),
    count: z.int().nonnegative().meta({ description: 'How many flows the whole range has.' }),
    settledUntil,
    items: z.array(StatementEntry).meta({ description: 'Oldest first.' }),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null where no more follows.' }),
  })
  .meta({ id: 'Statement', description: 'What moved on a wallet in a range of time.', examples: [statementExample] });

const statementQuery = z.object({
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

/** What moved on a wallet in a range of time, oldest first, with the figures of the whole range on every page. */
export function statementRoute(parts: RouteParts): Route {
  const { statements, limiter, present, clockOf } = parts;
  return {
    ...get(
      '/{id}/statement',
      {
        id: 'getStatement',
        summary: 'Get wallet statement',
        description: [
          'What moved on the wallet from a time, inclusive, to another, exclusive, which has passed: oldest first, each flow with its',
          'order’s type, bizId, reference and description. The balances, sums and `count` are those of the whole range, exact, on',
          'every page. Without a `cursor` both `from` and `to` are required.',
          '',
          '**Settled.** Up to `settledUntil` the figures are final, and statements of adjoining ranges join: no flow is in both or in',
          'neither. After it they may still grow.',
        ].join('\n'),
        query: statementQuery,
        answer: Statement,
        errors: ['WALLET_NOT_FOUND', 'TIME_NOT_PASSED', 'TIME_RANGE_REVERSED', 'TOO_MANY_LISTS'],
      },
      async (apiRequest) => {
        const { workspaceId, params, query } = apiRequest;
        const { id = '' } = params;
        const request = readListRequest(statementQuery, `statement ${id}`, query);
        const { list, filters, values } = request;
        const [from, to, cursorAt] = [timeFrom(values.from), timeFrom(values.to), sequenceBefore(id, request)];
        refuseRange(from, to, (await clockOf(workspaceId))());
        const data = await limiter(apiRequest, async (timeLeftMs) => {
          const { wallet, standings, settledUntil } = await readStandings(parts, { workspaceId, timeLeftMs }, id, [
            from,
            to,
          ]);
          const [opening, closing] = standings;
          const whole = present.statement({ wallet, from, to, opening, closing, settledUntil });
          const first = Math.max(opening.sequence, cursorAt) + 1;
          const last = Math.min(closing.sequence, first + values.size - 1);
          const items = await statements.entries(wallet, { first, last }, { timeLeftMs }, (legs) =>
            chargeLegs(apiRequest, legs),
          );
          const end = items.at(-1);
          const next = { list, total: whole.count, size: values.size, filters };
          const nextCursor =
            last < closing.sequence && end !== undefined ? encodeCursor({ ...next, below: end.id }) : null;
          return { ...whole, items: items.map(present.statementEntry), nextCursor };
        });
        return { data };
      },
    ),
    alsoNeeds: 'transfer:read',
  };
}

/** @throws ServiceError TIME_NOT_PASSED, TIME_RANGE_REVERSED. */
function refuseRange(from: Date, to: Date, now: Date): void {
  if (to > now) throw notPassed('to', now);
  if (from > to) throw new ServiceError('TIME_RANGE_REVERSED');
}

/** The sequence of the cursor's flow; 0 for the first page. @throws ServiceError CURSOR_MALFORMED it is none of the wallet. */
function sequenceBefore(walletId: string, { after }: Pick<ListRequest<{ size: number }>, 'after'>): number {
  if (after === undefined) return 0;
  const sequence = sequenceOfFlow(walletId, after.below);
  if (sequence === undefined) throw new ServiceError('CURSOR_MALFORMED', { field: 'cursor' });
  return sequence;
}
