import type { ClientSession, Collection, Db } from 'mongodb';
import { countedStatuses, numberIn, type CountedStatus } from '../domain/order-counts.ts';
import { isTerminal, type Order } from '../orders/order.ts';
import { byId } from '../storage/shared/commands.ts';
import { readBefore } from '../storage/shared/causality.ts';
import { countRowsOf, readPageOf } from './looked-through.ts';
import {
  exactly,
  findRows,
  idsBelow,
  idsMadeIn,
  type Page,
  type PagePlace,
  type Total,
} from '../storage/shared/page.ts';
import { inTransaction } from '../storage/shared/transaction.ts';
import { readTotals } from '../storage/wallets/totals.ts';
import type { WalletDocument } from '../storage/wallets/documents.ts';
import { countIn, endOfUnsettled, isIndexed, sourceOf, type OrderListQuery } from './order-filters.ts';
import { listedOrder, type OrderDocument } from '../storage/orders/documents.ts';
import { shareByWorkspace, type OfWorkspace } from './shared.ts';

/**
 * Lists of orders, newest first; a range of creation times is a range of ids. A page takes as many commands as `readPageOf`
 * says, and up to two more if it is of the PENDING orders of a wallet. The server skips the rows before it.
 */
export function openOrderLists(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  return {
    /** What it shows is in the number that is counted afterwards. */
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Order>> {
      const { timeLeftMs } = query;
      return readBefore(db.client, async (session) => {
        const source = await sourceOf(collection, query, idsBelow(idsMadeIn('order', query), place.below), session);
        if (source === undefined) return { items: [], hasMore: false };
        return readPageOf(collection, source, place, listedOrder, { timeLeftMs, session });
      });
    },

    count: openOrderCounts(db),

    /** Whether the number of a list's orders is known, but not where they are: there may be none among millions. */
    isCountedFirst: (query: OrderListQuery): boolean => isNumberKept(query) && !isIndexed(query),
  };
}

/** How many orders of a list are in each state that they keep. */
type Settled = Readonly<Record<CountedStatus, number>>;

/**
 * Counts the orders of a list: all of them, unless no index has just these and more than so many have to be looked at.
 * @param shown a page of the list, if one was just read: it may show that an order waits.
 */
type CountOrders = (query: OrderListQuery, shown?: Page<Order>) => Promise<Total>;

/** Whether a list's number follows from what posting and cancels count, and from the few orders that wait. */
function isNumberKept({ status, parentId, reference, batchId, from, to }: OrderListQuery): boolean {
  const others = [parentId, reference, batchId, from, to];
  return others.every((filter) => filter === undefined) && (status === undefined || isTerminal(status));
}

/** Whether a list is of all COMPLETED orders of the workspace, or of a wallet, in a range of times. */
function isCompletedInRange({ status, currency, type, parentId, reference, batchId }: OrderListQuery): boolean {
  const others = [currency, type, parentId, reference, batchId];
  return status === 'COMPLETED' && others.every((filter) => filter === undefined);
}

/**
 * Tells the number of a million orders without counting them: wallets and workspaces know how many of their orders have
 * ended, and how; the PENDING and the SCHEDULED ones are few. The number of a list of any status takes two commands while all of
 * the workspace have ended: a key that shows this, and the numbers. Otherwise it takes a transaction of the numbers, the
 * PENDING orders, which are up to three commands for a wallet, and the SCHEDULED ones.
 */
function openOrderCounts(db: Db): CountOrders {
  const collection: Collection<OrderDocument> = db.collection('orders');
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  const totalsOf = shareByWorkspace((of) => readTotals(db, of));
  const walletsOf = shareByWorkspace((of, queries: readonly WalletQuery[]) =>
    readWallets(wallets, of, [...new Set(queries.map(({ walletId }) => walletId))]),
  );
  const lastOpenOf = shareByWorkspace((of) =>
    readBefore(db.client, (session) => endOfUnsettled(collection, { ...of, status: 'OPEN' }, -1, session)),
  );

  /** @returns undefined for a currency that is not the wallet's: orders of several are found by it, and not counted. */
  async function readSettled(query: OrderListQuery, session?: ClientSession): Promise<Settled | undefined> {
    const { walletId } = query;
    if (walletId === undefined) {
      const totals = await (session === undefined ? totalsOf(query) : readTotals(db, query, session));
      return countsOf((status) => totals.orders(status, query));
    }
    const read =
      session === undefined ? walletsOf({ ...query, walletId }) : readWallets(wallets, query, [walletId], session);
    return settledOf((await read).get(walletId), query);
  }

  /**
   * If no order is open, those that were settled are all, because none is ever open again. If some are, both are read in one
   * snapshot, so that an order that is posted meanwhile is counted once.
   */
  async function countOfAnyStatus(query: OrderListQuery, shown: Page<Order> | undefined): Promise<number | undefined> {
    const isOneListed = shown?.items.some(({ status }) => !isTerminal(status)) ?? false;
    if (!isOneListed && (await lastOpenOf(query)) === null) return numberOf(await readSettled(query));
    return inTransaction(db.client, async (session) => {
      let total = numberOf(await readSettled(query, session));
      if (total === undefined) return undefined;
      const states = query.walletId === undefined ? (['OPEN'] as const) : (['PENDING', 'SCHEDULED'] as const);
      for (const status of states) total += await countIn(collection, { ...query, status }, session);
      return total;
    });
  }

  /** Counting orders of any status, and of each other status, reads index keys alone. */
  function countCompletedInRange(query: OrderListQuery): Promise<number> {
    return inTransaction(db.client, async (session) => {
      const count = (status: OrderListQuery['status']) => countIn(collection, { ...query, status }, session);
      let completed = await count(undefined);
      for (const other of ['FAILED', 'PENDING', 'SCHEDULED', 'CANCELLED'] as const) completed -= await count(other);
      return completed;
    });
  }

  return async (query, shown) => {
    const { status, timeLeftMs } = query;
    if (isNumberKept(query)) {
      const number =
        status === undefined || !isTerminal(status)
          ? await countOfAnyStatus(query, shown)
          : (await readSettled(query))?.[status];
      if (number !== undefined) return exactly(number);
    }
    if (isCompletedInRange(query)) return exactly(await countCompletedInRange(query));
    const source = await sourceOf(collection, query);
    return source === undefined ? exactly(0) : countRowsOf(collection, source, { timeLeftMs });
  };
}

function numberOf(settled: Settled | undefined): number | undefined {
  return settled && countedStatuses.reduce((sum, status) => sum + settled[status], 0);
}

function countsOf(numberIn: (status: CountedStatus) => number): Settled {
  return Object.fromEntries(countedStatuses.map((status) => [status, numberIn(status)])) as Settled;
}

type WalletQuery = OrderListQuery & { readonly walletId: string };
type CountedWallet = Pick<WalletDocument, '_id' | 'currency' | 'orders'>;

async function readWallets(
  wallets: Collection<WalletDocument>,
  { workspaceId, timeLeftMs }: OfWorkspace,
  ids: string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, CountedWallet>> {
  const filter = { workspaceId, _id: { $in: ids } };
  const asked = { filter, limit: ids.length, projection: { currency: 1, orders: 1 } };
  const documents = await findRows(wallets, asked, { ...byId, timeLeftMs, session });
  return new Map(documents.map((document) => [document._id, document]));
}

function settledOf(wallet: CountedWallet | undefined, { currency, type }: OrderListQuery): Settled | undefined {
  if (wallet === undefined) return countsOf(() => 0);
  if (currency !== undefined && currency !== wallet.currency) return undefined;
  return countsOf((status) => numberIn(wallet.orders, status, type));
}
