import { ImpossibleEffectError, type Effect, type Failure, type FailureName } from '../domain/effects.ts';
import { Money } from '../domain/money.ts';
import { noProgress, remainingOf, type Parent, type UsedLeg } from '../domain/progress.ts';
import {
  legsOf,
  type CreateOrderInput,
  type HoldState,
  type Order,
  type OrderToPost,
  type OrderValues,
} from './order.ts';
import type { PostingContext, CreateContext, OrderType, ParentRule, Unusable } from './type.ts';

/* What the types of orders that refer to another order share. */

/** The legs of an order to reckon with: as far as what later orders use of them goes. */
export function usedLegs(order: Order): readonly UsedLeg[] {
  return legsOf(order).map(({ amount }, place) => ({
    amount: new Money(amount),
    progress: order.progress?.[place] ?? noProgress,
  }));
}

/** The first leg of an order, which is the only one of whatever is used as a whole. */
export function firstLeg<Leg>([leg]: readonly Leg[]): Leg {
  if (leg === undefined) throw new ImpossibleEffectError('it has no leg');
  return leg;
}

/** What is left of an order's first leg. */
export function leftOf(order: Order): Money {
  return remainingOf(firstLeg(usedLegs(order)));
}

/** Why so much of a leg cannot be used; undefined if it can. @param nothingLeft says so if nothing can. */
export function refuseBeyond(
  left: Money,
  amount: Money | undefined,
  nothingLeft: FailureName,
): FailureName | undefined {
  if (!left.greaterThan(0)) return nothingLeft;
  return amount?.greaterThan(left) === true ? 'EXCEEDS_REMAINING' : undefined;
}

/** How a hold stands that was posted. */
export function holdStateOf(leg: UsedLeg): HoldState {
  if (remainingOf(leg).greaterThan(0)) return 'HELD';
  if (leg.progress.captured.greaterThan(0)) return 'CAPTURED';
  return leg.progress.hasExpired ? 'EXPIRED' : 'RELEASED';
}

/** The sum of what a request asks for by its legs, or its amount; undefined if it leaves that out. */
export function requestedAmount({ amount, legs }: Pick<CreateOrderInput, 'amount' | 'legs'>): Money | undefined {
  if (legs !== undefined) return sumOf(legs);
  return amount === undefined ? undefined : new Money(amount);
}

/** How orders use a hold. */
export const ofHold: Omit<ParentRule, 'uses'> = {
  // A hold for the world outside took transfer:fund.
  isGranted: true,
  refusesType: (type) => (type?.name === 'HOLD' ? undefined : 'NOT_A_HOLD'),
  refusesUse: (hold, input): Unusable | undefined => {
    const left = leftOf(hold);
    const reason = refuseBeyond(left, requestedAmount(input), 'HOLD_CLOSED');
    if (reason === undefined) return undefined;
    if (reason === 'HOLD_CLOSED') return { reason, value: holdStateOf(firstLeg(usedLegs(hold))) };
    return { reason, value: left, field: input.legs === undefined ? 'amount' : 'legs' };
  },
  legBy: ({ sourceWalletId, targetWalletId, currency }, isNamed) =>
    isNamed ? { sourceWalletId, currency } : { sourceWalletId, targetWalletId, currency },
};

/** A request names the wallets of an order that refers to another by naming that one. */
export const fieldOfParent: OrderType['walletFields'] = () => ({ source: 'transferId', target: 'transferId' });

/**
 * The values of an order of one leg that refers to another of one leg: its currency, its wallets, and the amount that is left
 * where none was asked for. @param legBy the wallets, by those of that leg.
 */
export function valuesOfParent(legBy: ParentRule['legBy']): OrderType['values'] {
  return (
    { parent: _, legs: __, amount, ...input }: CreateOrderInput,
    { workspaceId, parent }: CreateContext,
  ): OrderValues => {
    if (parent === undefined) throw new Error('an order without the order that it refers to');
    const sides = legBy(firstLeg(legsOf(parent)), false);
    return { ...input, workspaceId, ...sides, amount: amount ?? leftOf(parent).toFixed(), parentId: parent.id };
  };
}

/** What the types of orders that use a hold have in common. */
export const usesHold = {
  external: { target: 'sometimes' },
  walletFields: fieldOfParent,
  values: valuesOfParent(ofHold.legBy),
} as const satisfies Partial<OrderType>;
export const holdErrors = ['NOT_A_HOLD', 'HOLD_CLOSED', 'EXCEEDS_REMAINING'] as const;

/** The effects of an order that uses a hold, by what is left of that one. */
export function effectsOnHold(
  effects: (order: OrderToPost, parent: Parent, left: Money) => readonly Effect[],
): OrderType['effects'] {
  return (order, finding: PostingContext): readonly Effect[] | Failure => {
    const parent = parentIn(finding);
    const left = remainingOf(firstLeg(parent.legs));
    const name = refuseBeyond(left, sumOf(order.legs), 'HOLD_CLOSED');
    return name === undefined ? effects(order, parent, left) : { name };
  };
}

/** @throws ImpossibleEffectError it is absent. */
export function parentIn({ parent }: PostingContext): Parent {
  if (parent === undefined) throw new ImpossibleEffectError('the order that it refers to is absent');
  return parent;
}

/** What legs of one currency are together. */
export function sumOf(legs: readonly { readonly amount?: Money | string }[]): Money {
  return legs.reduce((sum, { amount = 0 }) => sum.plus(amount), new Money(0));
}
