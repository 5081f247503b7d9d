import type { Collection, Db, Filter } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { idPrefixes } from '../domain/ids.ts';
import type { ListedWallet, WalletStatus } from '../domain/wallet.ts';
import {
  countRows,
  idsBelow,
  intersection,
  readPage,
  type IdRange,
  type Page,
  type PagePlace,
  type ReadTime,
} from './page.ts';
import { walletIndexes } from './schema.ts';
import { createSettledCounts } from './settled-counts.ts';
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
export function openWalletLists(db: Db, clock: Clock = systemClock) {
  const collection: Collection<WalletDocument> = db.collection('wallets');
  const settled = createSettledCounts(clock);

  return {
    page(query: WalletListQuery, place: PagePlace): Promise<Page<ListedWallet>> {
      const { timeLeftMs } = query;
      return readPage(collection, filterOf(query, idsBelow(standardIds, place.below)), place, listedWallet, {
        ...index,
        timeLeftMs,
      });
    },

    /** A list with a status is counted whole each time, because wallets change their status. They keep their currency. */
    count(query: WalletListQuery): Promise<number> {
      const { workspaceId, currency = '', status, timeLeftMs } = query;
      const countIn = (range: IdRange) => countRows(collection, filterOf(query, range), { ...index, timeLeftMs });
      if (status !== undefined) return countIn(standardIds);
      return settled.countAll(`${workspaceId} ${currency}`, 'wallet', (range) =>
        countIn(intersection(standardIds, range)),
      );
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
