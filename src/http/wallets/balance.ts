import { z } from 'zod';
import { timeGiven } from '../../orders/body.ts';
import { exampleOf } from '../../orders/examples.ts';
import { currency, time } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import type { Route } from '../route.ts';
import { notPassed, readStandings, settledUntil } from './standings.ts';
import { available, balance, get, held, walletId } from './wallet.ts';

const balanceExample = {
  walletId: exampleOf.alice,
  currency: 'USD',
  balance: '98.90',
  held: '20.00',
  available: '78.90',
  sequence: 2,
  asOf: '2026-01-01T09:31:00.000Z',
} as const;

export const Balance = z
  .strictObject({
    walletId,
    currency,
    balance,
    held: held.nullable().meta({ description: 'How much of the balance is reserved by holds; null with `at`.' }),
    available: available.nullable().meta({
      description: 'What it may spend: `balance` less `held`, plus its credit limit; null with `at`.',
    }),
    sequence: z.int().nonnegative().meta({ description: 'Number of the wallet’s last flow; 0 where it has none.' }),
    asOf: time.meta({ description: 'When it was read; with `at`, that moment.' }),
    settledUntil: settledUntil.optional(),
  })
  .meta({ id: 'Balance', description: 'A wallet’s balance.', examples: [balanceExample] });

const balanceQuery = z.object({
  at: timeGiven.optional().meta({
    description: 'The balance at this moment, which must have passed; ISO 8601 with seconds and zone.',
  }),
});

/** A wallet's balance, now or at a moment that has passed. Only the latter searches, and is limited as lists are. */
export function balanceRoute(parts: RouteParts): Route {
  const { findWallet, limiter, present, clockOf } = parts;
  return get(
    '/{id}/balance',
    {
      id: 'getBalance',
      summary: 'Get wallet balance',
      description: [
        'What the wallet holds at this moment. `sequence` is the last flow that it counts: none later is in it.',
        '',
        'With `at` what it held at a moment that has passed, the flows of that millisecond included; zero before its first flow.',
        'What holds reserved then is not known: `held` and `available` are null. It is final if `settledUntil` is not before `at`.',
      ].join('\n'),
      query: balanceQuery,
      answer: Balance,
      errors: ['WALLET_NOT_FOUND', 'TIME_NOT_PASSED', 'TOO_MANY_LISTS'],
    },
    async (request) => {
      const { workspaceId } = request;
      const { id = '' } = request.params;
      const { at: atText } = parse(balanceQuery, request.query);
      if (atText === undefined) {
        const asOf = (await clockOf(workspaceId))();
        return { data: present.balance(await findWallet(request, id, 'id'), asOf) };
      }
      // Cut to the millisecond, because a flow of this very millisecond counts.
      const at = new Date(atText);
      const now = (await clockOf(workspaceId))();
      if (at >= now) throw notPassed('at', now);
      const data = await limiter(request, async (timeLeftMs) => {
        const after = new Date(at.getTime() + 1);
        const { wallet, standings, settledUntil } = await readStandings(parts, { workspaceId, timeLeftMs }, id, [
          after,
        ]);
        return present.balanceAt(wallet, standings[0], at, settledUntil);
      });
      return { data };
    },
  );
}
