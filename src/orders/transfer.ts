import { walletGiven } from './body.ts';
import { direct, directCommand } from './direct.ts';
import { exampleOf } from './examples.ts';
import type { Command, OrderType } from './type.ts';

export const createTransferExample = {
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '1.1',
  currency: 'USD',
  bizId: 'invoice-42',
} as const;

/** Moves an amount between two wallets of the workspace. Source: docs/contract.md, "Creating a transfer". */
export const transfer: OrderType & { readonly command: Command } = {
  name: 'TRANSFER',
  ...direct,
  drawsOnBudget: true,
  command: {
    scope: 'transfer:create',
    name: 'create',
    operationId: 'createTransfer',
    summary: 'Create a transfer order between wallets of the workspace',
    description: [
      'Moves an amount from one wallet of the workspace to another of the same currency, once both are ACTIVE and the source has',
      'enough available. With `executeAt` the order is SCHEDULED and posted then; until then it can be cancelled.',
    ].join(' '),
    ...directCommand(
      {
        sourceWalletId: walletGiven.meta({ description: 'The wallet the amount is taken from.' }),
        targetWalletId: walletGiven.meta({ description: 'The wallet the amount goes to; another one.' }),
      },
      { id: 'CreateTransfer', description: 'What to move.', examples: [createTransferExample] },
    ),
  },
};
