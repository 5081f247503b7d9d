import { ImpossibleEffectError, type Effect, type FailureName } from '../domain/effects.ts';
import { Money } from '../domain/money.ts';
import { noProgress, remainingOf, type Parent, type Progress } from '../domain/progress.ts';
import type { CreateOrderInput, HoldState, Order, OrderToPost, OrderValues } from './order.ts';
import type { PostingContext, CreateContext, OrderType, ParentRule } from './type.ts';

/* What the types of orders that refer to another order share. */

/** An order with its amount to reckon with: as far as what later orders use of it goes. */
export function used({ amount, progress = noProgress }: Pick<Order, 'amount' | 'progress'>) {
  return { amount: new Money(amount), progress };
}

/** Why so much of an order cannot be used; undefined if it can. @param nothingLeft says so if nothing can. */
export function refuseBeyond(
  left: Money,
  amount: Money | undefined,
  nothingLeft: FailureName,
): FailureName | undefined {
  if (!left.greaterThan(0)) return nothingLeft;
  return amount?.greaterThan(left) === true ? 'EXCEEDS_REMAINING' : undefined;
}

/** How a hold stands that was posted. */
export function holdStateOf({ amount, progress = noProgress }: { amount: Money; progress?: Progress }): HoldState {
  if (remainingOf({ amount, progress }).greaterThan(0)) return 'HELD';
  if (progress.captured.greaterThan(0)) return 'CAPTURED';
  return progress.hasExpired ? 'EXPIRED' : 'RELEASED';
}

/** How orders use a hold. */
export const ofHold: Omit<ParentRule, 'uses'> = {
  // A hold for the world outside took transfer:fund.
  isGranted: true,
  refusesType: (type) => (type === 'HOLD' ? undefined : 'NOT_A_HOLD'),
  refusesUse: (hold, amount) => {
    const left = remainingOf(used(hold));
    const reason = refuseBeyond(left, amount, 'HOLD_CLOSED');
    if (reason === undefined) return undefined;
    return { reason, told: reason === 'HOLD_CLOSED' ? holdStateOf(used(hold)) : left };
  },
};

/** The wallets of an order that refers to another. The request names them by naming that order. */
export const walletsOfParent: OrderType['wallets'] = ({ sourceWalletId, targetWalletId }) =>
  [sourceWalletId, targetWalletId].map((id) => ({ field: 'transferId', id }));

/**
 * The values of an order that refers to another: its currency, its wallets, and the amount that is left where none was asked
 * for. @param sides the wallets, by those of the parent.
 */
export function valuesOfParent(
  sides: (parent: Order) => Pick<Order, 'sourceWalletId' | 'targetWalletId'>,
): OrderType['values'] {
  return ({ parent: _, amount, ...asked }: CreateOrderInput, { workspaceId, parent }: CreateContext): OrderValues => {
    if (parent === undefined) throw new Error('an order without the order that it refers to');
    const { currency, id: parentId } = parent;
    const own = { amount: amount ?? remainingOf(used(parent)).toFixed(), currency, parentId };
    return { ...asked, workspaceId, ...sides(parent), ...own };
  };
}

/** What the types of orders that use a hold have in common. */
export const usesHold = {
  external: { target: 'sometimes' },
  wallets: walletsOfParent,
  values: valuesOfParent(({ sourceWalletId, targetWalletId }) => ({ sourceWalletId, targetWalletId })),
} as const satisfies Partial<OrderType>;
export const holdErrors = ['NOT_A_HOLD', 'HOLD_CLOSED', 'EXCEEDS_REMAINING'] as const;

/** What is shown of an order that can be reversed. */
export const showsReversed: NonNullable<OrderType['shows']> = ({ progress = noProgress }) => ({
  reversedAmount: progress.reversed,
});

/** The effects of an order that refers to another, by what is left of that one. */
export function effectsOnParent(
  nothingLeft: FailureName,
  effects: (order: OrderToPost, parent: Parent, left: Money) => readonly Effect[],
): OrderType['effects'] {
  return (order, { parent }: PostingContext) => {
    if (parent === undefined) throw new ImpossibleEffectError('the order that it refers to is absent');
    const left = remainingOf(parent);
    return refuseBeyond(left, order.amount, nothingLeft) ?? effects(order, parent, left);
  };
}
