import type { Collection, Db } from 'mongodb';
import { createBatcher, createBatchers } from '../batcher.ts';
import type { OrderListQuery } from './order-filters.ts';
import { bounded, timeLimit, type ReadTime } from './page.ts';
import { inOneReply } from './reply.ts';
import { anyOf, byId } from './shard-key.ts';
import type { WalletDocument } from './wallets.ts';

/** How many orders of a list were COMPLETED and FAILED at some moment. */
export interface SettledOrders {
  readonly completed: number;
  readonly failed: number;
  /** When the last of a wallet's orders was settled, or an administrator changed the wallet; undefined for a workspace. */
  readonly changedAt?: Date;
}

interface Asked extends ReadTime {
  readonly workspaceId: string;
  /** Empty for a workspace. */
  readonly walletId: string;
  readonly currency: string | undefined;
}

const none: SettledOrders = { completed: 0, failed: 0 };

/**
 * Reads from wallets how many of their orders are settled: a COMPLETED order has left a flow in each of its two wallets, and
 * both count a FAILED one. Lists that arrive during a reading share the next one; those of a workspace only with its own,
 * because the sum over many wallets takes long. A wallet is one document, so its numbers fit together. The sum over a
 * workspace is no snapshot: of an order that is posted meanwhile it may see one wallet only, and then counts half of it.
 * @param isSharded on a sharded cluster lists of several workspaces share no reading.
 * @throws ServiceError ANSWER_TOO_LATE it takes longer than a list may.
 */
export function createSettledOrders(db: Db, isSharded = false): (query: OrderListQuery) => Promise<SettledOrders> {
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  const keyOf = ({ workspaceId }: Asked): string => workspaceId;
  const one = { inFlightMax: 1, flush: (asked: readonly Asked[]) => readWallets(wallets, asked) };
  const ofWallet = isSharded ? createBatchers({ ...one, keyOf }) : createBatcher(one);
  const ofWorkspace = createBatchers({ ...one, keyOf, flush: (asked) => sumWallets(wallets, asked) });

  return async ({ workspaceId, walletId = '', currency, timeLeftMs }) => {
    // Throws if no time is left.
    timeLimit({ timeLeftMs });
    const asked = { workspaceId, walletId, currency, timeLeftMs };
    return walletId === '' ? ofWorkspace(asked) : ofWallet(asked);
  };
}

async function readWallets(wallets: Collection<WalletDocument>, asked: readonly Asked[]): Promise<SettledOrders[]> {
  const ids = [...new Set(asked.map(({ walletId }) => walletId))];
  const projection = { workspaceId: 1, currency: 1, sequence: 1, failedOrders: 1, updatedAt: 1 };
  const documents = await bounded(
    wallets
      .find(
        { workspaceId: anyOf(asked.map(({ workspaceId }) => workspaceId)), _id: { $in: ids } },
        { projection, ...inOneReply(ids.length), ...byId, ...timeLimitOf(asked) },
      )
      .toArray(),
  );
  const found = new Map(documents.map((document) => [document._id, document]));
  return asked.map(({ workspaceId, walletId, currency }) => {
    const wallet = found.get(walletId);
    const isAsked = wallet?.workspaceId === workspaceId && (currency ?? wallet.currency) === wallet.currency;
    if (!isAsked) return none;
    return { completed: wallet.sequence, failed: wallet.failedOrders ?? 0, changedAt: wallet.updatedAt };
  });
}

interface Sums {
  /** The currency. */
  readonly _id: string;
  readonly sequences: number;
  readonly failures: number;
}

/** @param asked of one workspace. */
async function sumWallets(wallets: Collection<WalletDocument>, asked: readonly Asked[]): Promise<SettledOrders[]> {
  const sum = { sequences: { $sum: '$sequence' }, failures: { $sum: '$failedOrders' } };
  const stages = [
    { $match: { workspaceId: anyOf(asked.map(({ workspaceId }) => workspaceId)) } },
    { $group: { _id: '$currency', ...sum } },
  ];
  const sums = await bounded(wallets.aggregate<Sums>(stages, timeLimitOf(asked)).toArray());
  return asked.map(({ currency }) => {
    const own = sums.filter(({ _id }) => (currency ?? _id) === _id);
    return {
      completed: Math.floor(own.reduce((sum, { sequences }) => sum + sequences, 0) / 2),
      failed: Math.floor(own.reduce((sum, { failures }) => sum + failures, 0) / 2),
    };
  });
}

/** The longest limit among those that share a command. */
function timeLimitOf(asked: readonly Asked[]): { readonly maxTimeMS: number } {
  return timeLimit({ timeLeftMs: () => Math.max(...asked.map(({ timeLeftMs }) => timeLeftMs?.() ?? Infinity)) });
}
