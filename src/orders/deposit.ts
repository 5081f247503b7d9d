import { walletGiven } from './body.ts';
import { direct, directCommand } from './direct.ts';
import { exampleOf } from './examples.ts';
import type { OrderType } from './type.ts';

const example = { targetWalletId: exampleOf.alice, amount: '250', currency: 'USD', bizId: 'payin-7' } as const;

/** Brings money in from the world outside: its source is EXTERNAL. */
export const deposit: OrderType = {
  name: 'DEPOSIT',
  external: { source: 'always' },
  ...direct,
  command: {
    scope: 'transfer:fund',
    name: 'deposit',
    operationId: 'deposit',
    summary: 'Bring money in from the world outside',
    description: [
      'Adds an amount to a wallet. Its source is `EXTERNAL`: the world outside, whose balance counts what came in. An operator’s',
      'program calls this once the money has arrived.',
    ].join(' '),
    ...directCommand(
      { targetWalletId: walletGiven.meta({ description: 'The wallet the amount goes to.' }) },
      { id: 'Deposit', description: 'What came in.', examples: [example] },
    ),
  },
};
