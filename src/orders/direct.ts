import { z } from 'zod';
import type { Effect } from '../domain/effects.ts';
import { externalWalletId } from '../domain/ids.ts';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  laterErrors,
  laterGiven,
  moneyCheck,
  notesGiven,
  refuseLater,
  type walletGiven,
  withTime,
} from './body.ts';
import type { CreateOrderInput, OrderToPost, OrderValues } from './order.ts';
import type { Command, CreateContext, OrderType } from './type.ts';

/** What moves each of its legs, and refers to no other order. */
export const direct = {
  walletFields: () => ({ source: 'sourceWalletId', target: 'targetWalletId' }),
  values: directValues,
  effects: movesOf,
  leavesFlows: true,
  isReversible: true,
} satisfies Partial<OrderType>;

/** Moves each leg, in their order. */
export function movesOf({ legs }: OrderToPost): Effect[] {
  return legs.map(({ sourceWalletId, targetWalletId, amount, currency }, leg) => ({
    kind: 'move',
    sourceWalletId,
    targetWalletId,
    amount,
    currency,
    leg,
  }));
}

/** The values of an order that refers to no other. A side that the request leaves out is the world outside. */
export function directValues(
  { parent: _, legs: __, ...input }: CreateOrderInput,
  { workspaceId }: CreateContext,
): OrderValues {
  const { amount, currency } = input;
  if (amount === undefined || currency === undefined) throw new Error('an order without amount or currency');
  const external = externalWalletId(workspaceId, currency);
  const { sourceWalletId = external, targetWalletId = external } = input;
  return { ...input, workspaceId, sourceWalletId, targetWalletId, amount, currency };
}

type Sides = Record<'sourceWalletId' | 'targetWalletId', typeof walletGiven>;

/**
 * Of the command of such an order: its body, and what can be wrong with that. It may be for a later time.
 * @param sides the wallets that it names. @param described the body's name, with an example.
 */
export function directCommand(
  sides: Readonly<Partial<Sides>>,
  described: { readonly id: string; readonly description: string; readonly examples: object[] },
): Pick<Command, 'body' | 'errors' | 'refusesTime'> {
  // As if both were named: zod knows no shape of which a part may be absent, and an order takes either.
  const shape = sides as Sides;
  return {
    errors: [...amountErrors, ...laterErrors],
    body: (decimalsOf) =>
      z
        .strictObject({ ...shape, amount: amountGiven, currency: currencyGiven, ...laterGiven, ...notesGiven })
        .check(moneyCheck(decimalsOf))
        .meta(described)
        .transform(withTime),
    refusesTime: refuseLater,
  };
}
