import type { Collection, Db, Filter } from 'mongodb';
import { idPrefixes, leastIdAt } from '../domain/ids.ts';
import type { Order, OrderStatus } from '../domain/order.ts';
import { toOrder, waiting } from './orders.ts';
import type { OrderDocument } from './orders.ts';
import { beyondAnyId, countRows, firstId, idsBelow, intersection, readPage } from './page.ts';
import type { IdRange, IndexHint, Page, PagePlace } from './page.ts';
import { pendingIndexName } from './schema.ts';
import type { WalletDocument } from './wallets.ts';

export interface OrderListQuery {
  readonly workspaceId: string;
  /** Only orders with this wallet, which is the workspace's, on either side. */
  readonly walletId?: string | undefined;
  readonly status?: OrderStatus | undefined;
  readonly currency?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

export type OrderLists = ReturnType<typeof openOrderLists>;

/** One index each. */
type Scope = { workspaceId: string } | { sourceWalletId: string } | { targetWalletId: string };

const pendingIndex = { hint: pendingIndexName };

/** A total that others keep changing is read this often until two readings agree. */
const readingsMax = 3;

/**
 * Lists of orders, newest first; a range of creation times is a range of ids.
 *
 * The orders of a wallet are those with it as the source and those with it as the target: two indexes, merged. (One over
 * an array of both wallets would hold as many keys, but be multikey: counting would have to remember what it has seen.)
 *
 * A million orders are not counted to tell their number. Each COMPLETED order has left one flow in each of its two
 * wallets, and a wallet knows the number of its flows; PENDING ones are the newest, and FAILED ones have indexes of their own.
 */
export function openOrderLists(db: Db) {
  const collection: Collection<OrderDocument> = db.collection('orders');
  const wallets: Collection<WalletDocument> = db.collection('wallets');

  /** @param hintOf the index to read for a scope, where the server should not have to find out which is best. */
  async function countIn(query: OrderListQuery, range = idsOf(query), hintOf = anyIndex): Promise<number> {
    // No order has one wallet on both sides, so none is counted twice.
    const counts = scopesOf(query).map((scope) => countRows(collection, filterOf(query, scope, range), hintOf(scope)));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /**
   * What waits is looked for among the newest orders of the wallet or workspace itself, from the first that waits for a
   * worker on: where very many wait, they are others'. What was set aside is older, and few; everybody's is looked through.
   */
  async function countPending(query: OrderListQuery): Promise<number> {
    const range = idsOf(query);
    const from = await firstId(collection, waiting, pendingIndex);
    const since = intersection(range, { from, before: beyondAnyId });
    const counts = await Promise.all([
      countRows(collection, pendingFilterOf(query, idsBelow(range, from)), pendingIndex),
      from === beyondAnyId ? 0 : countIn({ ...query, status: 'PENDING' }, since, indexOfAll),
    ]);
    return counts[0] + counts[1];
  }

  const countFailed = (query: OrderListQuery): Promise<number> => countIn({ ...query, status: 'FAILED' });

  /**
   * For lists that no time bounds. A wallet is one document. The sum over a workspace is no snapshot: it may see one side
   * of an order that is posted meanwhile, and so be odd, or off by the orders in motion.
   */
  async function countCompleted({ workspaceId, walletId, currency }: OrderListQuery): Promise<number> {
    const ofCurrency = currency === undefined ? {} : { currency };
    if (walletId !== undefined) {
      const wallet = await wallets.findOne({ _id: walletId, ...ofCurrency }, { projection: { sequence: 1 } });
      return wallet?.sequence ?? 0;
    }
    const sum = { $group: { _id: null, sequences: { $sum: '$sequence' } } };
    const [result] = await wallets
      .aggregate<{ sequences: number }>([{ $match: { workspaceId, ...ofCurrency } }, sum])
      .toArray();
    return Math.floor((result?.sequences ?? 0) / 2);
  }

  /**
   * No order becomes PENDING again: where none of a wallet's waits, what is settled afterwards is all there was, and one
   * reading tells it. Otherwise two have to agree: numbers of what is settled only rise, so what two readings agree on was
   * the number between them, and what waits was counted then. Where orders are being posted all the time, readings may
   * never agree; the last one is then answered, and the orders in motion may be off.
   */
  async function countOfAnyStatus(query: OrderListQuery): Promise<number> {
    const readSettled = () => Promise.all([countCompleted(query), countFailed(query)]);
    if (query.walletId !== undefined && (await countPending(query)) === 0) {
      const [completed, failed] = await readSettled();
      return completed + failed;
    }
    let settled = await readSettled();
    for (let reading = 1; ; reading++) {
      const pending = await countPending(query);
      const [completed, failed] = await readSettled();
      const isSame = completed === settled[0] && failed === settled[1];
      if (isSame || reading === readingsMax) return completed + failed + pending;
      settled = [completed, failed];
    }
  }

  return {
    page(query: OrderListQuery, place: PagePlace): Promise<Page<Order>> {
      const range = idsBelow(idsOf(query), place.below);
      if (query.status === 'PENDING') {
        return readPage(collection, pendingFilterOf(query, range), place, toOrder, pendingIndex);
      }
      const $or = scopesOf(query).map((scope) => filterOf(query, scope, range));
      return readPage(collection, { $or }, place, toOrder);
    },

    async count(query: OrderListQuery): Promise<number> {
      const isWhole = query.from === undefined && query.to === undefined;
      if (isWhole && query.status === undefined) return countOfAnyStatus(query);
      if (query.status === 'PENDING') return countPending(query);
      if (query.status !== 'COMPLETED') return countIn(query);
      if (isWhole) return countCompleted(query);
      // Counting orders of any status reads index keys alone.
      const [all, pending, failed] = await Promise.all([
        countIn({ ...query, status: undefined }),
        countPending(query),
        countFailed(query),
      ]);
      return Math.max(0, all - pending - failed);
    },
  };
}

function scopesOf({ workspaceId, walletId }: OrderListQuery): Scope[] {
  return walletId === undefined ? [{ workspaceId }] : [{ sourceWalletId: walletId }, { targetWalletId: walletId }];
}

const anyIndex: (scope: Scope) => IndexHint = () => ({});

/** The index of a scope's orders of any status. */
function indexOfAll(scope: Scope): IndexHint {
  if ('workspaceId' in scope) return { hint: 'orders_of_workspace' };
  return { hint: 'sourceWalletId' in scope ? 'orders_of_source' : 'orders_of_target' };
}

function idsOf({ from, to }: OrderListQuery): IdRange {
  return {
    from: from === undefined ? idPrefixes.order : leastIdAt('order', from),
    before: to === undefined ? beyondAnyId : leastIdAt('order', to),
  };
}

/** Those of everybody are looked through, rather than all orders of one workspace or wallet. */
function pendingFilterOf(query: OrderListQuery, range: IdRange): Filter<OrderDocument> {
  const { workspaceId, walletId } = query;
  const sides = walletId === undefined ? {} : { $or: [{ sourceWalletId: walletId }, { targetWalletId: walletId }] };
  return { ...filterOf({ ...query, status: 'PENDING' }, { workspaceId }, range), ...sides };
}

function filterOf(query: OrderListQuery, scope: Scope, { from, before }: IdRange): Filter<OrderDocument> {
  const { status, currency } = query;
  return {
    ...scope,
    _id: { $gte: from, $lt: before },
    ...(status === undefined ? {} : { status }),
    ...(currency === undefined ? {} : { currency }),
  };
}
