import { z } from 'zod';
import { remainingOf } from '../domain/progress.ts';
import { amountErrors, amountOfParentGiven, moneyBesides, notesGiven, orderGiven, withAmountOfParent } from './body.ts';
import { direct } from './direct.ts';
import { exampleOf } from './examples.ts';
import { effectsOnParent, refuseBeyond, valuesOfParent, walletsOfParent, used } from './parent.ts';
import type { OrderType } from './type.ts';

const example = { transferId: exampleOf.transferId, amount: '1', bizId: 'refund-42' } as const;
const reversible = new Set(['TRANSFER', 'DEPOSIT', 'WITHDRAWAL', 'CAPTURE']);

/** Moves back all or part of what an order moved. Several of one order never move back more than it moved. */
export const reversal: OrderType = {
  name: 'REVERSAL',
  external: { source: 'sometimes', target: 'sometimes' },
  parent: {
    refusesType: (type) => (reversible.has(type) ? undefined : 'NOT_REVERSIBLE'),
    refusesUse: (parent, amount) => {
      const left = remainingOf(used(parent));
      const reason = refuseBeyond(left, amount, 'EXCEEDS_REMAINING');
      return reason && { reason, told: left };
    },
    uses: ({ amount }) => ({ part: 'reversed', amount, closes: false }),
  },
  wallets: walletsOfParent,
  values: valuesOfParent(({ sourceWalletId, targetWalletId }) => ({
    sourceWalletId: targetWalletId,
    targetWalletId: sourceWalletId,
  })),
  effects: effectsOnParent('EXCEEDS_REMAINING', ({ sourceWalletId, targetWalletId, amount }, parent) => [
    { kind: 'move', from: sourceWalletId, to: targetWalletId, amount },
    { kind: 'progress', order: parent.id, part: 'reversed', amount },
  ]),
  flows: direct.flows,
  command: {
    scope: 'transfer:reverse',
    name: 'reverse',
    operationId: 'reverseTransfer',
    summary: 'Move back all or part of what an order moved',
    description: [
      'Moves back, from the target to the source, all that is left of a COMPLETED transfer, deposit, withdrawal or capture, or',
      'the `amount` that is given: a refund, a charge-back, a payout that came back. It can be done in parts, which never come to',
      'more than was moved. If that money came from or went to the world outside, the key needs `transfer:fund` too.',
    ].join(' '),
    errors: [...amountErrors, 'NOT_REVERSIBLE', 'EXCEEDS_REMAINING'],
    body: () =>
      z
        .strictObject({
          transferId: orderGiven.meta({ description: 'The order: its transferId or its bizId.' }),
          amount: amountOfParentGiven.meta({ description: 'How much to move back; all that is left, if not said.' }),
          ...notesGiven,
        })
        .check(moneyBesides())
        .meta({ id: 'ReverseTransfer', description: 'What to move back.', examples: [example] })
        .transform(withAmountOfParent),
  },
};
