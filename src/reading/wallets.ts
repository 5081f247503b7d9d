import type { Collection, Db, Filter } from 'mongodb';
import { idPrefixes } from '../domain/ids.ts';
import { walletStatuses, type ListedWallet, type WalletStatus } from '../domain/wallet.ts';
import {
  countRows,
  idsBelow,
  readPage,
  type IdRange,
  type Page,
  type PagePlace,
  type ReadTime,
} from '../storage/shared/page.ts';
import { walletIndexes } from '../storage/schema/schema.ts';
import { readTotals } from '../storage/wallets/totals.ts';
import { shareByWorkspace } from './shared.ts';
import { listedWallet, type WalletDocument } from '../storage/wallets/documents.ts';

export interface WalletListQuery extends ReadTime {
  readonly workspaceId: string;
  readonly currency?: string | undefined;
  readonly status?: WalletStatus | undefined;
  /** The client's own; at most one wallet has it. */
  readonly reference?: string | undefined;
}

/** Ids with the prefix of clients' wallets. An EXTERNAL wallet has another one, so no list finds it. */
const standardIds: IdRange = { from: idPrefixes.wallet, before: `${idPrefixes.wallet}~` };

/** One of all that the query asks for, so that no row is read for nothing, and in the order of the ids. */
function indexFor({ currency, status, reference }: WalletListQuery): string {
  if (reference !== undefined) return walletIndexes.ofReference;
  if (currency !== undefined) return walletIndexes.ofCurrency;
  return status === undefined ? walletIndexes.ofWorkspace : walletIndexes.ofStatus;
}

/** Lists of a workspace's wallets, newest first, EXTERNAL ones left out. */
export function openWalletLists(db: Db) {
  const collection: Collection<WalletDocument> = db.collection('wallets');
  const totalsOf = shareByWorkspace((of) => readTotals(db, of));

  return {
    page(query: WalletListQuery, place: PagePlace): Promise<Page<ListedWallet>> {
      const { timeLeftMs } = query;
      return readPage(collection, filterOf(query, idsBelow(standardIds, place.below)), place, listedWallet, {
        hint: indexFor(query),
        timeLeftMs,
      });
    },

    /** From the workspace's totals, so that nothing is counted but wallets of one reference. */
    async count(query: WalletListQuery): Promise<number> {
      const { reference, timeLeftMs } = query;
      if (reference !== undefined)
        return countRows(collection, filterOf(query, standardIds), { hint: indexFor(query), timeLeftMs });
      return (await totalsOf(query)).wallets(query.status, query.currency);
    },
  };
}

function filterOf(
  { workspaceId, currency, status, reference }: WalletListQuery,
  { from, before }: IdRange,
): Filter<WalletDocument> {
  return {
    workspaceId,
    _id: { $gte: from, $lt: before },
    ...(currency === undefined ? {} : { currency }),
    // All states, where none is asked for, so that the rows of each come from the index in order, and are merged.
    ...(status === undefined && currency === undefined ? {} : { status: status ?? { $in: [...walletStatuses] } }),
    ...(reference === undefined ? {} : { reference }),
  };
}
