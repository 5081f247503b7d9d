import { remainingOf } from '../domain/progress.ts';
import { z } from 'zod';
import { amountErrors, amountOfParentGiven, moneyBesides, notesGiven, orderGiven, withAmountOfParent } from './body.ts';
import { direct } from './direct.ts';
import { exampleOf } from './examples.ts';
import { effectsOnParent, holdErrors, ofHold, showsReversed, usesHold, used } from './parent.ts';
import type { OrderType } from './type.ts';

const example = { transferId: exampleOf.transferId, amount: '65.5', final: false, bizId: 'ride-9-end' } as const;
/** In the terms of one that leaves the rest reserved. */
const keepsRest = 'false';

/**
 * Moves all or part of what a hold reserves. What is left is released in the same posting, unless the request says that it
 * stays reserved.
 */
export const capture: OrderType = {
  name: 'CAPTURE',
  ...usesHold,
  parent: {
    ...ofHold,
    // What has expired is not moved any more. It may be given back, should its expiry not have come to that.
    refusesUse: (hold, amount, now) =>
      hold.expiresAt !== undefined && now >= hold.expiresAt && remainingOf(used(hold)).greaterThan(0)
        ? { reason: 'HOLD_CLOSED', told: 'EXPIRED' }
        : ofHold.refusesUse(hold, amount, now),
    uses: ({ amount, terms }) => ({ part: 'captured', amount, closes: terms?.['final'] !== keepsRest }),
  },
  effects: effectsOnParent('HOLD_CLOSED', ({ sourceWalletId, targetWalletId, amount, terms }, parent, left) => {
    const rest = left.minus(amount);
    const order = parent.id;
    return [
      { kind: 'release', wallet: sourceWalletId, amount },
      { kind: 'move', from: sourceWalletId, to: targetWalletId, amount },
      { kind: 'progress', order, part: 'captured', amount },
      ...(terms?.['final'] === keepsRest || rest.isZero()
        ? []
        : ([
            { kind: 'release', wallet: sourceWalletId, amount: rest },
            { kind: 'progress', order, part: 'released', amount: rest },
          ] as const)),
    ];
  }),
  flows: direct.flows,
  shows: showsReversed,
  command: {
    scope: 'transfer:hold',
    name: 'capture',
    operationId: 'captureHold',
    summary: 'Move all or part of what a hold reserves',
    description: [
      'Moves all that a hold still reserves to its target, or the `amount` that is given. What is not moved is released at once,',
      'unless `final` is false.',
    ].join(' '),
    errors: [...amountErrors, ...holdErrors],
    body: () =>
      z
        .strictObject({
          transferId: orderGiven.meta({ description: 'The hold: its transferId or its bizId.' }),
          amount: amountOfParentGiven.meta({ description: 'How much to move; all that remains, if not said.' }),
          final: z
            .boolean()
            .exactOptional()
            .meta({ description: 'Whether what is not moved is released at once.', default: true }),
          ...notesGiven,
        })
        .check(moneyBesides())
        .meta({ id: 'CaptureHold', description: 'What to move of a hold.', examples: [example] })
        .transform(({ final = true, ...given }) => ({ ...given, ...(final ? {} : { terms: { final: keepsRest } }) }))
        .transform(withAmountOfParent),
  },
};
