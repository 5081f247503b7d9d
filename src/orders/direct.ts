import type { OrderType } from './type.ts';

/** What moves its amount from its source to its target, and names no other wallet. */
export const direct: Omit<OrderType, 'name'> = {
  wallets: ({ sourceWalletId, targetWalletId }) => [
    { field: 'sourceWalletId', id: sourceWalletId },
    { field: 'targetWalletId', id: targetWalletId },
  ],
  effects: ({ sourceWalletId, targetWalletId, amount }) => [
    { kind: 'move', from: sourceWalletId, to: targetWalletId, amount },
  ],
  flows: ({ sourceWalletId, targetWalletId, amount }) => [{ from: sourceWalletId, to: targetWalletId, amount }],
};
