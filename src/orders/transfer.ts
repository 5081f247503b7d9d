import { z } from 'zod';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  dayMs,
  moneyBesides,
  notesGiven,
  refuseTime,
  timeFrom,
  timeGiven,
  walletGiven,
  withAmount,
} from './body.ts';
import { direct } from './direct.ts';
import { exampleOf } from './examples.ts';
import { showsReversed } from './parent.ts';
import type { Command, OrderType } from './type.ts';

export const createTransferExample = {
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.1',
  currency: 'USD',
  bizId: 'invoice-42',
} as const;

const aheadMaxDays = 366;
const aheadMaxMs = aheadMaxDays * dayMs;

/** Moves an amount between two wallets of the workspace. Source: docs/contract.md, "Creating a transfer". */
export const transfer: OrderType & { readonly command: Command } = {
  name: 'TRANSFER',
  ...direct,
  shows: showsReversed,
  command: {
    scope: 'transfer:create',
    name: 'create',
    operationId: 'createTransfer',
    summary: 'Create a transfer order between wallets of the workspace',
    description: [
      'Moves an amount from one wallet of the workspace to another of the same currency, once both are ACTIVE and the source has',
      'enough available. With `executeAt` the order is SCHEDULED and posted then; until then it can be cancelled.',
    ].join(' '),
    errors: [...amountErrors, 'TIME_NOT_AHEAD', 'FIELD_OUT_OF_RANGE', 'SCHEDULED_FULL'],
    body: (decimalsOf) =>
      z
        .strictObject({
          sourceWalletId: walletGiven.meta({ description: 'The wallet the amount is taken from.' }),
          targetWalletId: walletGiven.meta({ description: 'The wallet the amount goes to; another one.' }),
          amount: amountGiven,
          currency: currencyGiven,
          executeAt: timeGiven.exactOptional().meta({
            description: `When it is to be posted, at most ${aheadMaxDays} days ahead; without it, at once. ISO 8601 with a zone.`,
          }),
          ...notesGiven,
        })
        .check(moneyBesides(decimalsOf))
        .meta({ id: 'CreateTransfer', description: 'What to move.', examples: [createTransferExample] })
        // Rounded up to the millisecond, so that nothing is posted before the time that was asked for.
        .transform(({ executeAt, ...given }) => ({
          ...given,
          ...(executeAt === undefined ? {} : { executeAt: timeFrom(executeAt) }),
        }))
        .transform(withAmount(decimalsOf)),
    refusesTime: ({ executeAt }, now) => refuseTime('executeAt', executeAt, now, aheadMaxMs),
  },
};
