import { z } from 'zod';
import { externalWalletId } from '../domain/ids.ts';
import { plainest } from '../domain/money.ts';
import { because } from '../errors.ts';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  laterErrors,
  laterGiven,
  moneyCheck,
  notesGiven,
  refuseLater,
  walletGiven,
  withTime,
  type DecimalsOf,
} from './body.ts';
import { direct } from './direct.ts';
import { exampleOf } from './examples.ts';
import { legDescription, legsGiven, termOfLegs } from './legs.ts';
import { legsMax, type Leg } from './order.ts';
import { ownOfLeg, type OrderType } from './type.ts';

const example = {
  bizId: 'sale-7',
  legs: [
    { sourceWalletId: exampleOf.alice, targetWalletId: exampleOf.bob, amount: '90', currency: 'USD' },
    { sourceWalletId: exampleOf.alice, amount: '10', currency: 'USD', description: 'Tax' },
  ],
} as const;

const oneSide = 'sourceWalletId,targetWalletId';

const legGiven = (decimalsOf: DecimalsOf) =>
  z
    .strictObject({
      sourceWalletId: walletGiven.exactOptional().meta({
        description: 'The wallet the amount is taken from; absent: the world outside.',
      }),
      targetWalletId: walletGiven.exactOptional().meta({
        description: 'The wallet the amount goes to; absent: the world outside.',
      }),
      amount: amountGiven,
      currency: currencyGiven,
      description: legDescription,
    })
    .superRefine(({ sourceWalletId, targetWalletId, ...leg }, context) => {
      if (sourceWalletId === undefined && targetWalletId === undefined)
        context.issues.push({ code: 'custom', input: leg, ...because('FIELD_MISSING', oneSide) });
    })
    .check(moneyCheck(decimalsOf))
    .meta({ id: 'JournalLeg', description: 'A move of a journal. It has a source, a target, or both.' });

/** Moves any number of amounts, of any currencies, in their order: all, or none. */
export const journal: OrderType = {
  name: 'JOURNAL',
  external: { source: 'sometimes', target: 'sometimes' },
  ...direct,
  drawsOnBudget: true,
  legs: { when: 'always', replace: ownOfLeg },
  walletFields: (leg = 0) => ({ source: `legs[${leg}].sourceWalletId`, target: `legs[${leg}].targetWalletId` }),
  values: ({ parent: _, legs = [], ...input }, { workspaceId }) => ({
    ...input,
    workspaceId,
    legs: legs.map(({ currency = '', amount = '', ...leg }): Leg => {
      const external = externalWalletId(workspaceId, currency);
      return { sourceWalletId: external, targetWalletId: external, amount, currency, ...leg };
    }),
  }),
  command: {
    scope: 'transfer:create',
    alsoNeeds: ({ legs = [] }) =>
      legs.some(({ sourceWalletId, targetWalletId }) => sourceWalletId === undefined || targetWalletId === undefined)
        ? 'transfer:fund'
        : undefined,
    name: 'journal',
    operationId: 'createJournal',
    summary: 'Create an order of many legs: all are posted, or none',
    description: [
      'Moves each leg in its order, of any currencies: a sale with its fee and tax, an exchange, a payroll. A leg may spend what an',
      'earlier one brought. If one cannot be applied, nothing moves, and `failure.leg` says which. A leg without a source or a',
      'target moves money from or to the world outside, and needs `transfer:fund` too.',
    ].join(' '),
    errors: [...amountErrors, ...laterErrors],
    body: (decimalsOf) =>
      z
        .strictObject({
          legs: legsGiven(legGiven(decimalsOf), `What to move, in this order: 1 to ${legsMax} legs.`),
          ...laterGiven,
          ...notesGiven,
        })
        .meta({ id: 'CreateJournal', description: 'What to move, all or none.', examples: [example] })
        .transform(withTime)
        .transform((body) => ({ ...body, terms: termsOf(body.legs) })),
    refusesTime: refuseLater,
  },
};

/** What a leg says of itself for people is not compared. */
function termsOf(legs: readonly z.output<ReturnType<typeof legGiven>>[]) {
  return termOfLegs(
    legs.map(({ sourceWalletId, targetWalletId, amount, currency }) => [
      sourceWalletId,
      targetWalletId,
      plainest(amount),
      currency,
    ]),
  );
}
