import { Decimal128, type Collection, type Db } from 'mongodb';
import type { Wallet } from '../domain/wallet.ts';
import type { OrderDocument } from './orders/documents.ts';
import { orderIndexes, walletIndexes } from './schema/schema.ts';
import { inOneReply } from './shared/commands.ts';
import { toWallet, type WalletDocument } from './wallets/documents.ts';

/** What a workspace still has that moves, or could be moved. */
export interface Remains {
  /** Orders that have not ended. Of an atomic batch the first stands for all. */
  readonly orders: readonly { readonly id: string; readonly status: (typeof notEnded)[number] }[];
  /** Orders that still reserve something, which the service releases at their time. */
  readonly holds: readonly string[];
  /** Wallets that hold something; not EXTERNAL, which only balances the others. */
  readonly wallets: readonly Wallet[];
}

const notEnded = ['PENDING', 'SCHEDULED', 'SET_ASIDE'] as const satisfies OrderDocument['status'][];
const zero = Decimal128.fromString('0');

/**
 * Finds what a workspace still has; for the administrator, because it reads every wallet.
 * @param countMax of each kind.
 */
export function openRemains(db: Db): (workspaceId: string, countMax: number) => Promise<Remains> {
  const orders: Collection<OrderDocument> = db.collection('orders');
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  return async (workspaceId, countMax) => {
    const limit = { limit: countMax, ...inOneReply(countMax) };
    // Orders come first: what is posted after they were read is found in the wallets.
    const open = await orders
      .find({ workspaceId, status: { $in: [...notEnded] } }, { hint: orderIndexes.unsettled, ...limit })
      .project<{ _id: string; status: (typeof notEnded)[number] }>({ status: 1 })
      .toArray();
    const reserving = await orders
      .find(
        { workspaceId, status: 'COMPLETED', dueAt: { $gt: new Date(0) } },
        { hint: orderIndexes.due, projection: { _id: 1 }, ...limit },
      )
      .toArray();
    const holding = { $or: [{ balance: { $ne: zero } }, { held: { $gt: zero } }] };
    const full = await wallets
      .find(
        { workspaceId, kind: 'STANDARD', ...holding },
        { hint: walletIndexes.ofWorkspace, projection: { metadata: 0 }, ...limit },
      )
      .toArray();
    return {
      orders: open.map(({ _id, status }) => ({ id: _id, status })),
      holds: reserving.map(({ _id }) => _id),
      wallets: full.map(toWallet),
    };
  };
}
