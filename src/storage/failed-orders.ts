import type { ClientSession, Db } from 'mongodb';
import { orderIndexes } from './schema.ts';
import { anyOf } from './shard-key.ts';

interface Wallets {
  readonly workspaceIds: readonly string[];
  readonly walletIds: readonly string[];
}

/**
 * Counts from their documents the FAILED orders that have one of these wallets as source or target: to check the wallets'
 * own counts, or to set them. @returns by wallet; wallets without any are absent.
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
    // No order has one wallet as both source and target, so none is counted twice.
    for await (const { _id, orders } of counting) failed.set(_id, (failed.get(_id) ?? 0) + orders);
  }
  return failed;
}
