import { z } from 'zod';
import type { Effect } from '../domain/effects.ts';
import { Money, plainest } from '../domain/money.ts';
import { remainingOf } from '../domain/progress.ts';
import { because } from '../errors.ts';
import { amountErrors, amountOfParentGiven, moneyCheck, notesGiven, orderGiven, withParent } from './body.ts';
import { movesOf } from './direct.ts';
import { exampleOf } from './examples.ts';
import { legsGiven, refuseAmountBesideLegs, termOfLegs } from './legs.ts';
import { legsMax, legsOf, type CreateOrderInput, type Leg, type Order, type OrderValues } from './order.ts';
import { fieldOfParent, parentIn, refuseBeyond, sumOf, usedLegs, valuesOfParent } from './parent.ts';
import { ownOfLeg, type CreateContext, type Misfit, type OrderType, type Unusable } from './type.ts';

const example = { transferId: exampleOf.transferId, amount: '1', bizId: 'refund-42' } as const;
const nothingLeft = 'EXCEEDS_REMAINING';

const legGiven = z
  .strictObject({
    leg: z
      .int()
      .min(0)
      .max(legsMax - 1)
      .meta({ description: 'Its place among the legs of the order, from 0.' }),
    amount: amountOfParentGiven.meta({ description: 'How much of it to move back; all that is left, if not said.' }),
  })
  .check(moneyCheck())
  .meta({ id: 'ReverseLeg', description: 'A leg to move back.' })
  .transform(({ leg: parentLeg, ...body }) => ({ ...body, parentLeg }));

const legBy = ({ sourceWalletId, targetWalletId, currency }: Omit<Leg, 'amount'>) => ({
  sourceWalletId: targetWalletId,
  targetWalletId: sourceWalletId,
  currency,
});

/** Moves back all or part of what an order moved. Several of one order never move back more than each leg of it moved. */
export const reversal: OrderType = {
  name: 'REVERSAL',
  legs: { when: 'sometimes', replace: ownOfLeg },
  external: { source: 'sometimes', target: 'sometimes' },
  parent: {
    refusesType: (type) => (type?.isReversible === true ? undefined : 'NOT_REVERSIBLE'),
    refusesForm,
    refusesUse,
    legBy,
    uses: () => ({ part: 'reversed', closes: false }),
  },
  walletFields: fieldOfParent,
  values: reversalValues,
  effects: (order, finding) => {
    const parent = parentIn(finding);
    const effects: Effect[] = movesOf(order);
    for (const [place, { amount, parentLeg: leg = 0 }] of order.legs.entries()) {
      const used = parent.legs[leg];
      const name = used && refuseBeyond(remainingOf(used), amount, nothingLeft);
      if (name !== undefined) return { name, leg: place };
      effects.push({ kind: 'progress', order: parent.id, leg, part: 'reversed', amount });
    }
    return effects;
  },
  leavesFlows: true,
  command: {
    scope: 'transfer:reverse',
    name: 'reverse',
    operationId: 'reverseTransfer',
    summary: 'Move back all or part of what an order moved',
    description: [
      'Moves back, from the target to the source, all that is left of a COMPLETED transfer, deposit, withdrawal, capture or journal,',
      'or the `amount` that is given, or some `legs` of an order that has them: a refund, a charge-back, a payout that came back. It',
      'can be done in parts, which never come to more than was moved. If any of that order’s money came from or went to the world',
      'outside, the key needs `transfer:fund` too.',
    ].join(' '),
    errors: [...amountErrors, 'NOT_REVERSIBLE', 'EXCEEDS_REMAINING'],
    body: () =>
      z
        .strictObject({
          transferId: orderGiven.meta({ description: 'The order: its transferId or its bizId.' }),
          amount: amountOfParentGiven.meta({
            description: 'How much to move back; all that is left, if not said. Not of an order with legs.',
          }),
          legs: legsGiven(
            legGiven,
            'Only of an order with legs: which of them to move back, each once; all, if not said.',
          ).exactOptional(),
          ...notesGiven,
        })
        .superRefine(refuseAmountBesideLegs)
        .superRefine(({ legs = [] }, context) => {
          const places = legs.map(({ parentLeg }) => parentLeg);
          const again = places.findIndex((place, index) => places.indexOf(place) < index);
          const path = ['legs', again, 'leg'];
          if (again !== -1)
            context.issues.push({ code: 'custom', input: legs, path, ...because('FIELD_MALFORMED', 'each leg once') });
        })
        .check(moneyCheck())
        .meta({ id: 'ReverseTransfer', description: 'What to move back.', examples: [example] })
        .transform((body) => (body.legs === undefined ? body : { ...body, terms: termsOf(body.legs) }))
        .transform(withParent),
  },
};

/** In whatever order they were named. */
function termsOf(legs: readonly z.output<typeof legGiven>[]) {
  return termOfLegs(
    inOrder(legs).map(({ parentLeg, amount }) => [parentLeg, amount === undefined ? undefined : plainest(amount)]),
  );
}

/** What came last goes back first. */
function inOrder<T extends { readonly parentLeg?: number }>(legs: readonly T[]): T[] {
  return legs.toSorted((a, b) => (b.parentLeg ?? 0) - (a.parentLeg ?? 0));
}

function refusesForm(parent: Order, { amount, legs }: CreateOrderInput): Misfit | undefined {
  if (parent.legs === undefined) return legs && { reason: 'FIELD_UNKNOWN', field: 'legs' };
  if (amount !== undefined) return { reason: 'FIELD_UNKNOWN', field: 'amount' };
  const last = parent.legs.length - 1;
  const beyond = legs?.findIndex(({ parentLeg = 0 }) => parentLeg > last) ?? -1;
  return beyond === -1
    ? undefined
    : { reason: 'FIELD_OUT_OF_RANGE', field: `legs[${beyond}].leg`, value: String(last) };
}

function refusesUse(parent: Order, { amount, legs }: CreateOrderInput): Unusable | undefined {
  const left = usedLegs(parent).map(remainingOf);
  const [first = new Money(0)] = left;
  if (legs === undefined) {
    if (parent.legs !== undefined && left.some((each) => each.greaterThan(0))) return undefined;
    const reason = refuseBeyond(first, amount === undefined ? undefined : new Money(amount), nothingLeft);
    return reason && { reason, value: first, field: amount === undefined ? undefined : 'amount' };
  }
  for (const [index, { parentLeg = 0, amount: input }] of legs.entries()) {
    const ofLeg = left[parentLeg] ?? new Money(0);
    const reason = refuseBeyond(ofLeg, input === undefined ? undefined : new Money(input), nothingLeft);
    const field = input === undefined ? `legs[${index}]` : `legs[${index}].amount`;
    if (reason !== undefined) return { reason, value: ofLeg, field, leg: parentLeg };
  }
  return undefined;
}

function reversalValues(input: CreateOrderInput, context: CreateContext): OrderValues {
  const { parent, workspaceId } = context;
  if (parent?.legs === undefined) return valuesOfParent(legBy)(input, context);
  const originals = legsOf(parent);
  const left = usedLegs(parent).map(remainingOf);
  const wanted: readonly Partial<Leg>[] =
    input.legs ?? left.flatMap((each, parentLeg) => (each.greaterThan(0) ? [{ parentLeg }] : []));
  const legs = inOrder(wanted).flatMap(({ parentLeg = 0, amount = left[parentLeg]?.toFixed() ?? '0' }): Leg[] => {
    const original = originals[parentLeg];
    return original === undefined ? [] : [{ ...legBy(original), amount, parentLeg }];
  });
  const { parent: _, amount: __, ...others } = input;
  return { ...others, workspaceId, ...ofAll(parent, legs), legs, parentId: parent.id };
}

/** What all legs have in common, where those of the original do. */
function ofAll({ sourceWalletId, currency }: Order, legs: readonly Leg[]): Partial<Leg> {
  if (sourceWalletId === undefined || currency === undefined) return {};
  return { targetWalletId: sourceWalletId, currency, amount: sumOf(legs).toFixed() };
}
