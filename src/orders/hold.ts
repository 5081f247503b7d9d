import { z } from 'zod';
import { noProgress, remainingOf } from '../domain/progress.ts';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  dayMs,
  moneyCheck,
  notesGiven,
  refuseTime,
  timeGiven,
  walletGiven,
} from './body.ts';
import { direct, directValues } from './direct.ts';
import { exampleOf } from './examples.ts';
import type { Order } from './order.ts';
import { holdStateOf, firstLeg, usedLegs } from './parent.ts';
import type { OrderType } from './type.ts';

const example = {
  sourceWalletId: exampleOf.alice,
  targetWalletId: exampleOf.bob,
  amount: '80',
  currency: 'USD',
  bizId: 'ride-9',
} as const;

/** How long a hold lasts if its request does not say. */
const lastsMs = 7 * dayMs;
const lastsMaxMs = 31 * dayMs;

/**
 * Reserves an amount on its source for its target, until it is captured, released, or expires. Without a target it reserves
 * for the world outside.
 */
export const hold: OrderType = {
  name: 'HOLD',
  external: { target: 'sometimes' },
  walletFields: direct.walletFields,
  drawsOnBudget: true,
  values: (input, context) => {
    const { expiresAt } = input.terms ?? {};
    const until = expiresAt === undefined ? new Date(context.now.getTime() + lastsMs) : new Date(expiresAt);
    return { ...directValues(input, context), expiresAt: until };
  },
  effects: (order, { postedAt }) => {
    if (order.expiresAt === undefined || postedAt >= order.expiresAt) return { name: 'HOLD_CLOSED' };
    return [{ kind: 'hold', ...firstLeg(order.legs) }];
  },
  leavesFlows: false,
  reserves: ({ legs, progress: [progress = noProgress] = [] }) => {
    const { sourceWalletId, amount } = firstLeg(legs);
    return { walletId: sourceWalletId, amount: remainingOf({ amount, progress }) };
  },
  shows: showHold,
  command: {
    scope: 'transfer:hold',
    alsoNeeds: ({ targetWalletId }) => (targetWalletId === undefined ? 'transfer:fund' : undefined),
    name: 'hold',
    operationId: 'holdAmount',
    summary: 'Reserve an amount on a wallet, to be captured later',
    description: [
      'Takes an amount from what a wallet has available, without moving it. Capture moves it, release gives it back, and what is',
      'left at `expiresAt` is released by itself. Without a target it is reserved for the world outside.',
    ].join(' '),
    errors: [...amountErrors, 'TIME_NOT_AHEAD', 'FIELD_OUT_OF_RANGE'],
    body: (decimalsOf) =>
      z
        .strictObject({
          sourceWalletId: walletGiven.meta({ description: 'The wallet on which the amount is reserved.' }),
          targetWalletId: walletGiven.exactOptional().meta({
            description:
              'The wallet that it is reserved for; the world outside, if not said (needs `transfer:fund` too).',
          }),
          amount: amountGiven,
          currency: currencyGiven,
          expiresAt: timeGiven.exactOptional().meta({
            description:
              'When what is left is released; 7 days from now if not said, at most 31. ISO 8601 with a zone.',
          }),
          ...notesGiven,
        })
        .check(moneyCheck(decimalsOf))
        .meta({ id: 'Hold', description: 'What to reserve.', examples: [example] })
        .transform(({ expiresAt, ...body }) => ({
          ...body,
          // Cut to the millisecond, so that nothing is reserved for longer than was asked.
          ...(expiresAt === undefined ? {} : { terms: { expiresAt: new Date(expiresAt).toISOString() } }),
        })),
    refusesTime: ({ terms }, now) => {
      const until = terms?.['expiresAt'];
      return refuseTime('expiresAt', until === undefined ? undefined : new Date(until), now, lastsMaxMs);
    },
  },
};

/** Nothing of it was ever reserved unless it is COMPLETED. */
function showHold(order: Order): ReturnType<NonNullable<OrderType['shows']>> {
  const { status, expiresAt = order.createdAt } = order;
  if (status !== 'COMPLETED') {
    const { released: zero } = noProgress;
    return { hold: { state: null, captured: zero, released: zero, remaining: zero, expiresAt } };
  }
  const leg = firstLeg(usedLegs(order));
  const { captured, released } = leg.progress;
  return { hold: { state: holdStateOf(leg), captured, released, remaining: remainingOf(leg), expiresAt } };
}
