import type { Collection, Db, Filter } from 'mongodb';
import { idPrefixes } from '../../domain/ids.ts';
import type { ListedWallet, WalletStatus } from '../../domain/wallet.ts';
import { idsBelow, readPage, type IdRange, type Page, type PagePlace, type ReadTime } from '../shared/page.ts';
import { walletIndexes } from '../schema/schema.ts';
import { readTotals } from './totals.ts';
import { listedWallet, type WalletDocument } from './wallets.ts';

export interface WalletListQuery extends ReadTime {
  readonly workspaceId: string;
  readonly currency?: string | undefined;
  readonly status?: WalletStatus | undefined;
}

export type WalletLists = ReturnType<typeof openWalletLists>;

/** Ids with the prefix of clients' wallets. An EXTERNAL wallet has another one, so no list finds it. */
const standardIds: IdRange = { from: idPrefixes.wallet, before: `${idPrefixes.wallet}~` };

const index = { hint: walletIndexes.ofWorkspace };

/** Lists of a workspace's wallets, newest first, EXTERNAL ones left out. */
export function openWalletLists(db: Db) {
  const collection: Collection<WalletDocument> = db.collection('wallets');

  return {
    page(query: WalletListQuery, place: PagePlace): Promise<Page<ListedWallet>> {
      const { timeLeftMs } = query;
      return readPage(collection, filterOf(query, idsBelow(standardIds, place.below)), place, listedWallet, {
        ...index,
        timeLeftMs,
      });
    },

    /** From the workspace's totals, so that nothing is counted. */
    async count(query: WalletListQuery): Promise<number> {
      return (await readTotals(db, query)).wallets(query.status, query.currency);
    },
  };
}

function filterOf(
  { workspaceId, currency, status }: WalletListQuery,
  { from, before }: IdRange,
): Filter<WalletDocument> {
  return {
    workspaceId,
    _id: { $gte: from, $lt: before },
    ...(currency === undefined ? {} : { currency }),
    ...(status === undefined ? {} : { status }),
  };
}
