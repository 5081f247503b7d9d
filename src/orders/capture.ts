import { plainest } from '../domain/money.ts';
import { z } from 'zod';
import {
  amountErrors,
  amountGiven,
  amountOfParentGiven,
  moneyCheck,
  notesGiven,
  orderGiven,
  walletGiven,
  withParent,
} from './body.ts';
import { movesOf } from './direct.ts';
import { exampleOf } from './examples.ts';
import { legDescription, legsGiven, refuseAmountBesideLegs, termOfLegs } from './legs.ts';
import { legsMax, legsOf, type CreateOrderInput, type OrderValues } from './order.ts';
import {
  requestedAmount,
  effectsOnHold,
  fieldOfParent,
  holdErrors,
  leftOf,
  ofHold,
  firstLeg,
  sumOf,
  usesHold,
} from './parent.ts';
import type { CreateContext, OrderType } from './type.ts';

const example = { transferId: exampleOf.transferId, amount: '65.5', final: false, bizId: 'ride-9-end' } as const;
/** In the terms of one that leaves the rest reserved. */
const keepsRest = 'false';

const legGiven = z
  .strictObject({
    targetWalletId: walletGiven.exactOptional().meta({
      description: 'Any wallet of the workspace; absent: where the hold would go.',
    }),
    amount: amountGiven,
    description: legDescription,
  })
  .check(moneyCheck())
  .meta({ id: 'CaptureLeg', description: 'A move of a capture.' });

/**
 * Moves all or part of what a hold reserves, to its target or to several wallets. What is left is released in the same posting,
 * unless the request says that it stays reserved.
 */
export const capture: OrderType = {
  name: 'CAPTURE',
  ...usesHold,
  legs: { when: 'sometimes', replace: ['targetWalletId'] },
  walletFields: (leg) =>
    leg === undefined ? fieldOfParent(leg) : { source: 'transferId', target: `legs[${leg}].targetWalletId` },
  parent: {
    ...ofHold,
    // What has expired is not moved any more. It may be given back, should its expiry not have come to that.
    refusesUse: (hold, input, now) =>
      hold.expiresAt !== undefined && now >= hold.expiresAt && leftOf(hold).greaterThan(0)
        ? { reason: 'HOLD_CLOSED', value: 'EXPIRED' }
        : ofHold.refusesUse(hold, input, now),
    uses: ({ terms }) => ({ part: 'captured', closes: terms?.['final'] !== keepsRest }),
  },
  values: captureValues,
  effects: effectsOnHold((order, parent, left) => {
    const { sourceWalletId, currency } = firstLeg(order.legs);
    const amount = sumOf(order.legs);
    const rest = left.minus(amount);
    const used = { kind: 'progress', order: parent.id, leg: 0 } as const;
    return [
      { kind: 'release', sourceWalletId, currency, amount, closes: rest.isZero() },
      ...movesOf(order),
      { ...used, part: 'captured', amount },
      ...(order.terms?.['final'] === keepsRest || rest.isZero()
        ? []
        : ([
            { kind: 'release', sourceWalletId, currency, amount: rest, closes: true },
            { ...used, part: 'released', amount: rest },
          ] as const)),
    ];
  }),
  leavesFlows: true,
  isReversible: true,
  // Its hold was judged.
  isOverLimits: () => true,
  command: {
    scope: 'transfer:hold',
    name: 'capture',
    operationId: 'captureHold',
    summary: 'Move all or part of what a hold reserves',
    description: [
      'Moves all that a hold still reserves to its target, or the `amount` that is given, or `legs` to several wallets. What is not',
      'moved is released at once, unless `final` is false.',
    ].join(' '),
    errors: [...amountErrors, ...holdErrors, 'SAME_WALLET', 'WALLET_NOT_FOUND', 'CURRENCY_MISMATCH'],
    body: () =>
      z
        .strictObject({
          transferId: orderGiven.meta({ description: 'The hold: its transferId or its bizId.' }),
          amount: amountOfParentGiven.meta({ description: 'How much to move; all that remains, if not said.' }),
          legs: legsGiven(
            legGiven,
            `In place of \`amount\`: what to move to which wallets, in this order; 1 to ${legsMax} legs.`,
          ).exactOptional(),
          final: z
            .boolean()
            .exactOptional()
            .meta({ description: 'Whether what is not moved is released at once.', default: true }),
          ...notesGiven,
        })
        .superRefine(refuseAmountBesideLegs)
        .check(moneyCheck())
        .meta({ id: 'CaptureHold', description: 'What to move of a hold.', examples: [example] })
        .transform(({ final = true, ...body }) => {
          const lines = body.legs?.map(({ targetWalletId, amount }) => [targetWalletId, plainest(amount)]);
          const terms = { ...(final ? {} : { final: keepsRest }), ...(lines === undefined ? {} : termOfLegs(lines)) };
          return { ...body, ...(final && lines === undefined ? {} : { terms }) };
        })
        .transform(withParent),
  },
};

function captureValues(input: CreateOrderInput, context: CreateContext): OrderValues {
  const { parent } = context;
  const amount = requestedAmount(input);
  if (input.legs === undefined || amount === undefined || parent === undefined) return usesHold.values(input, context);
  const { sourceWalletId, targetWalletId, currency } = firstLeg(legsOf(parent));
  const { parent: _, legs, ...others } = input;
  return {
    ...others,
    workspaceId: context.workspaceId,
    sourceWalletId,
    amount: amount.toFixed(),
    currency,
    legs: legs.map((leg) => ({ sourceWalletId, targetWalletId, amount: '', currency, ...leg })),
    parentId: parent.id,
  };
}
