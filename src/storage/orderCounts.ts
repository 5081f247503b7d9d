import type { Collection, Db } from 'mongodb';
import { filterOf, idsOf, indexOfAll, pendingFilterOf, pendingIndex, scopesOf } from './orderFilters.ts';
import type { OrderListQuery, Scope } from './orderFilters.ts';
import { waiting } from './orders.ts';
import type { OrderDocument } from './orders.ts';
import { beyondAnyId, bounded, countRows, firstId, idsBelow, intersection, timeLimit } from './page.ts';
import type { IdRange, IndexHint } from './page.ts';
import type { WalletDocument } from './wallets.ts';

/** As many PENDING orders are looked through to find those of one wallet or workspace. */
const fewPending = 1_000;

type Orders = Collection<OrderDocument>;

/** A total that others keep changing is read this often until two readings agree. */
const readingsMax = 3;

const anyIndex: (scope: Scope) => IndexHint = () => ({});

/**
 * A million orders are not counted to tell their number. Each COMPLETED order has left one flow in each of its two
 * wallets, and a wallet knows the number of its flows; PENDING ones are the newest, and FAILED ones have indexes of their own.
 */
export function openOrderCounts(db: Db): (query: OrderListQuery) => Promise<number> {
  const collection: Orders = db.collection('orders');
  const wallets: Collection<WalletDocument> = db.collection('wallets');

  const countFailed = (query: OrderListQuery): Promise<number> => countIn(collection, { ...query, status: 'FAILED' });

  /**
   * For lists that no time bounds. A wallet is one document. The sum over a workspace is no snapshot: it may see one side
   * of an order that is posted meanwhile, and so be odd, or off by the orders in motion.
   */
  async function countCompleted(query: OrderListQuery): Promise<number> {
    const { workspaceId, walletId, currency } = query;
    const ofCurrency = currency === undefined ? {} : { currency };
    if (walletId !== undefined) {
      const options = { projection: { sequence: 1 }, ...timeLimit(query) };
      const wallet = await bounded(wallets.findOne({ workspaceId, _id: walletId, ...ofCurrency }, options));
      return wallet?.sequence ?? 0;
    }
    const sum = { $group: { _id: null, sequences: { $sum: '$sequence' } } };
    const pipeline = [{ $match: { workspaceId, ...ofCurrency } }, sum];
    const [result] = await bounded(wallets.aggregate<{ sequences: number }>(pipeline, timeLimit(query)).toArray());
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
    if (query.walletId !== undefined && (await countPending(collection, query)) === 0) {
      const [completed, failed] = await readSettled();
      return completed + failed;
    }
    let settled = await readSettled();
    for (let reading = 1; ; reading++) {
      const pending = await countPending(collection, query);
      const [completed, failed] = await readSettled();
      const isSame = completed === settled[0] && failed === settled[1];
      if (isSame || reading === readingsMax) return completed + failed + pending;
      settled = [completed, failed];
    }
  }

  return async (query) => {
    const isWhole = query.from === undefined && query.to === undefined;
    if (isWhole && query.status === undefined) return countOfAnyStatus(query);
    if (query.status === 'PENDING') return countPending(collection, query);
    if (query.status !== 'COMPLETED') return countIn(collection, query);
    if (isWhole) return countCompleted(query);
    // Counting orders of any status reads index keys alone.
    const [all, pending, failed] = await Promise.all([
      countIn(collection, { ...query, status: undefined }),
      countPending(collection, query),
      countFailed(query),
    ]);
    return Math.max(0, all - pending - failed);
  };
}

/** @param hintOf the index to read for a scope, where the server should not have to find out which is best. */
async function countIn(
  collection: Orders,
  query: OrderListQuery,
  range = idsOf(query),
  hintOf = anyIndex,
): Promise<number> {
  // No order has one wallet on both sides, so none is counted twice.
  const { timeLeftMs } = query;
  const counts = scopesOf(query).map((scope) =>
    countRows(collection, filterOf(query, scope, range), { ...hintOf(scope), timeLeftMs }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Where few orders wait, everybody's are looked through; where many do, they are others', and their number is no matter. */
async function countPending(collection: Orders, query: OrderListQuery): Promise<number> {
  const range = idsOf(query);
  const options = { ...pendingIndex, timeLeftMs: query.timeLeftMs };
  const ofEverybody = await countRows(collection, { status: 'PENDING' }, { ...options, limit: fewPending + 1 });
  if (ofEverybody <= fewPending) return countRows(collection, pendingFilterOf(query, range), options);
  return countPendingOfMany(collection, query, range);
}

/**
 * What waits is looked for among the newest orders of the wallet or workspace itself, from the first that waits for a
 * worker on. What was set aside is older, and few.
 */
async function countPendingOfMany(collection: Orders, query: OrderListQuery, range: IdRange): Promise<number> {
  const options = { ...pendingIndex, timeLeftMs: query.timeLeftMs };
  const from = await firstId(collection, waiting, options);
  const since = intersection(range, { from, before: beyondAnyId });
  const counts = await Promise.all([
    countRows(collection, pendingFilterOf(query, idsBelow(range, from)), options),
    countIn(collection, { ...query, status: 'PENDING' }, since, indexOfAll),
  ]);
  return counts[0] + counts[1];
}
