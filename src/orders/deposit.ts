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

const example = { targetWalletId: exampleOf.alice, amount: '250', currency: 'USD', bizId: 'payin-7' } as const;

/** Brings money in from the world outside: its source is EXTERNAL. */
export const deposit: OrderType = {
  name: 'DEPOSIT',
  external: { source: 'always' },
  ...direct,
  shows: showsReversed,
  command: {
    scope: 'transfer:fund',
    name: 'deposit',
    operationId: 'deposit',
    summary: 'Bring money in from the world outside',
    description: [
      'Adds an amount to a wallet. Its source is `EXTERNAL`: the world outside, whose balance counts what came in. An operator’s',
      'program calls this once the money has arrived.',
    ].join(' '),
    errors: [...amountErrors, ...laterErrors],
    body: (decimalsOf) =>
      z
        .strictObject({
          targetWalletId: walletGiven.meta({ description: 'The wallet the amount goes to.' }),
          amount: amountGiven,
          currency: currencyGiven,
          ...laterGiven,
          ...notesGiven,
        })
        .check(moneyBesides(decimalsOf))
        .meta({ id: 'Deposit', description: 'What came in.', examples: [example] })
        .transform(withTime)
        .transform(withAmount(decimalsOf)),
    refusesTime: refuseLater,
  },
};
