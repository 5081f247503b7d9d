import type { ClientSession, Db } from 'mongodb';
import { orderIndexes } from './schema.ts';
import { anyOf } from './shard-key.ts';

interface Wallets {
  readonly workspaceIds: readonly string[];
  readonly walletIds: readonly string[];
}

/**
 * Counts the FAILED orders of some wallets by their documents, on either side; for whoever checks what the wallets say of
 * it, or tells them. @returns by wallet; those that have none are absent.
 */
export async function countFailedByWallet(
  db: Db,
  { workspaceIds, walletIds }: Wallets,
  session?: ClientSession,
): Promise<Map<string, number>> {
  const failed = new Map<string, number>();
  for (const [side, hint] of [
    ['sourceWalletId', orderIndexes.failedOfSource],
    ['targetWalletId', orderIndexes.failedOfTarget],
  ] as const) {
    const $match = { workspaceId: anyOf(workspaceIds), [side]: { $in: [...walletIds] }, status: 'FAILED' };
    const counting = db
      .collection('orders')
      .aggregate<{ _id: string; orders: number }>([{ $match }, { $group: { _id: `$${side}`, orders: { $sum: 1 } } }], {
        hint,
        ...(session === undefined ? {} : { session }),
      });
    // No order has one wallet on both sides, so none is counted twice.
    for await (const { _id, orders } of counting) failed.set(_id, (failed.get(_id) ?? 0) + orders);
  }
  return failed;
}
