import { externalWalletId } from '../domain/ids.ts';
import type { CreateOrderInput, OrderValues } from './order.ts';
import type { CreateContext, OrderType } from './type.ts';

/** What moves its amount from its source to its target, and names no other wallet. */
export const direct = {
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
