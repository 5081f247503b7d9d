import { z } from 'zod';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  laterErrors,
  laterGiven,
  moneyBesides,
  notesGiven,
  refuseLater,
  walletGiven,
  withAmount,
  withTime,
} from './body.ts';
import { direct } from './direct.ts';
import { exampleOf } from './examples.ts';
import { showsReversed } from './parent.ts';
import type { OrderType } from './type.ts';

const example = { sourceWalletId: exampleOf.alice, amount: '40', currency: 'USD', bizId: 'payout-3' } as const;

/** Takes money out to the world outside: its target is EXTERNAL. */
export const withdrawal: OrderType = {
  name: 'WITHDRAWAL',
  external: { target: 'always' },
  ...direct,
  shows: showsReversed,
  command: {
    scope: 'transfer:fund',
    name: 'withdraw',
    operationId: 'withdraw',
    summary: 'Take money out to the world outside',
    description: [
      'Takes an amount from a wallet that has enough available. Its target is `EXTERNAL`: the world outside. It only books: the',
      'payout itself is yours to make, after the order is COMPLETED.',
    ].join(' '),
    errors: [...amountErrors, ...laterErrors],
    body: (decimalsOf) =>
      z
        .strictObject({
          sourceWalletId: walletGiven.meta({ description: 'The wallet the amount is taken from.' }),
          amount: amountGiven,
          currency: currencyGiven,
          ...laterGiven,
          ...notesGiven,
        })
        .check(moneyBesides(decimalsOf))
        .meta({ id: 'Withdraw', description: 'What goes out.', examples: [example] })
        .transform(withTime)
        .transform(withAmount(decimalsOf)),
    refusesTime: refuseLater,
  },
};
