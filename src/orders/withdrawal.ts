import { walletGiven } from './body.ts';
import { direct, directCommand } from './direct.ts';
import { exampleOf } from './examples.ts';
import type { OrderType } from './type.ts';

const example = { sourceWalletId: exampleOf.alice, amount: '40', currency: 'USD', bizId: 'payout-3' } as const;

/** In the terms of one that the administrator lets pass the limits of its wallet. */
export const overLimits = { overLimits: 'true' } as const;

/** Takes money out to the world outside: its target is EXTERNAL. */
export const withdrawal: OrderType = {
  name: 'WITHDRAWAL',
  external: { target: 'always' },
  ...direct,
  drawsOnBudget: true,
  isOverLimits: ({ terms }) => terms?.['overLimits'] === overLimits.overLimits,
  command: {
    scope: 'transfer:fund',
    name: 'withdraw',
    operationId: 'withdraw',
    summary: 'Take money out to the world outside',
    description: [
      'Takes an amount from a wallet that has enough available. Its target is `EXTERNAL`: the world outside. It only books: the',
      'payout itself is yours to make, after the order is COMPLETED.',
    ].join(' '),
    ...directCommand(
      { sourceWalletId: walletGiven.meta({ description: 'The wallet the amount is taken from.' }) },
      { id: 'Withdraw', description: 'What goes out.', examples: [example] },
    ),
  },
};
