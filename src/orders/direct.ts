import { z } from 'zod';
import { externalWalletId } from '../domain/ids.ts';
import {
  amountErrors,
  amountGiven,
  currencyGiven,
  laterErrors,
  laterGiven,
  moneyBesides,
  notesGiven,
  refuseLater,
  type walletGiven,
  withAmount,
  withTime,
} from './body.ts';
import type { CreateOrderInput, OrderValues } from './order.ts';
import { showsReversed } from './parent.ts';
import type { Command, CreateContext, OrderType } from './type.ts';

/** What moves its amount from its source to its target, and names no other wallet. */
export const direct = {
  shows: showsReversed,
  wallets: ({ sourceWalletId, targetWalletId }) => [
    { field: 'sourceWalletId', id: sourceWalletId },
    { field: 'targetWalletId', id: targetWalletId },
  ],
  values: directValues,
  effects: ({ sourceWalletId, targetWalletId, amount }) => [
    { kind: 'move', from: sourceWalletId, to: targetWalletId, amount },
  ],
  flows: ({ sourceWalletId, targetWalletId, amount }) => [{ from: sourceWalletId, to: targetWalletId, amount }],
} satisfies Partial<OrderType>;

/** The values of an order that refers to no other. A side that the request leaves out is the world outside. */
export function directValues({ parent: _, ...asked }: CreateOrderInput, { workspaceId }: CreateContext): OrderValues {
  const { amount, currency } = asked;
  if (amount === undefined || currency === undefined) throw new Error('an order without amount or currency');
  const external = externalWalletId(workspaceId, currency);
  const { sourceWalletId = external, targetWalletId = external } = asked;
  return { ...asked, workspaceId, sourceWalletId, targetWalletId, amount, currency };
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
        .check(moneyBesides(decimalsOf))
        .meta(described)
        .transform(withTime)
        .transform(withAmount(decimalsOf)),
    refusesTime: refuseLater,
  };
}
