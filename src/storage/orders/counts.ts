import type { ClientSession, Collection, Db } from 'mongodb';
import { createBatcher, createBatchers } from '../../batcher.ts';
import type { Listed } from '../../domain/money.ts';
import { numberIn, type CountedStatus } from '../../domain/order-counts.ts';
import type { Order } from '../../orders/order.ts';
import { countIn, idsOf, type OrderListQuery } from './filters.ts';
import type { OrderDocument } from './orders.ts';
import { bounded, idsBelow, timeLimit, type Page } from '../shared/page.ts';
import type { PendingLists } from './pending-lists.ts';
import type { LookAtPending } from './pending-orders.ts';
import { anyOf, byId, inOneReply } from '../shared/commands.ts';
import { readTotals } from '../wallets/totals.ts';
import { inTransaction } from '../shared/transaction.ts';
import type { WalletDocument } from '../wallets/wallets.ts';

type Orders = Collection<OrderDocument>;

/** How many orders of a list are in each state that they keep. */
type Settled = Readonly<Record<CountedStatus, number>>;

/**
 * Counts the orders of a list.
 * @param newest the list's first page, if it was just read. The PENDING orders are nearly always on it, and then need not be
 * read again.
 */
export type CountOrders = (query: OrderListQuery, newest?: Page<Listed<Order>>) => Promise<number>;

/**
 * Tells the number of a million orders without counting them: wallets and workspaces know how many of their orders are
 * COMPLETED and FAILED, and the PENDING ones are few.
 * @param isSharded on a sharded cluster lists of several workspaces share no reading.
 * @param lastLook what was known about all PENDING orders a moment ago; undefined if nothing was.
 */
export function openOrderCounts(
  db: Db,
  countPending: PendingLists['count'],
  lastLook: () => LookAtPending | undefined,
  isSharded = false,
): CountOrders {
  const collection: Orders = db.collection('orders');
  const readWallet = createWalletCounts(db, isSharded);

  async function readSettled(query: OrderListQuery, session?: ClientSession): Promise<Settled> {
    if (query.walletId !== undefined) return readWallet({ ...query, walletId: query.walletId }, session);
    const totals = await readTotals(db, query, session);
    const ofState = (status: CountedStatus): number => totals.orders(status, query.currency);
    return { COMPLETED: ofState('COMPLETED'), FAILED: ofState('FAILED') };
  }

  /** Whether an order of the list waits. What became known is used, so that it is seldom asked for. */
  async function doWait(query: OrderListQuery, newest: Page<Listed<Order>> | undefined): Promise<boolean> {
    const last = newest?.items.at(-1);
    if (newest === undefined || last === undefined) return (await countPending(query)) > 0;
    if (newest.items.some(({ status }) => status === 'PENDING')) return true;
    if (last.id <= (lastLook()?.settledBefore ?? '')) return false;
    return (await countPending(query, idsBelow(idsOf(query), last.id))) > 0;
  }

  /**
   * If no order waits, those that were settled are all, because none becomes PENDING again. If some wait, both are read in
   * one snapshot, so that an order that is posted meanwhile is counted once.
   */
  async function countOfAnyStatus(query: OrderListQuery, newest: Page<Listed<Order>> | undefined): Promise<number> {
    if (!(await doWait(query, newest))) return numberOf(await readSettled(query));
    return inTransaction(db.client, async (session) => {
      const settled = await readSettled(query, session);
      return numberOf(settled) + (await countPending(query, idsOf(query), session));
    });
  }

  return async (query, newest) => {
    const { status } = query;
    const isWhole = query.from === undefined && query.to === undefined;
    if (status === 'PENDING') return countPending(query);
    if (isWhole && status === undefined) return countOfAnyStatus(query, newest);
    if (isWhole && status !== undefined) return (await readSettled(query))[status];
    if (status !== 'COMPLETED') return countIn(collection, query);
    // Counting orders of any status, and of each other status, reads index keys alone.
    return inTransaction(db.client, async (session) => {
      const all = await countIn(collection, { ...query, status: undefined }, idsOf(query), { session });
      const failed = await countIn(collection, { ...query, status: 'FAILED' }, idsOf(query), { session });
      return all - failed - (await countPending(query, idsOf(query), session));
    });
  };
}

function numberOf({ COMPLETED, FAILED }: Settled): number {
  return COMPLETED + FAILED;
}

type WalletQuery = OrderListQuery & { readonly walletId: string };

const none: Settled = { COMPLETED: 0, FAILED: 0 };

/** Lists that arrive while a wallet is being read share the next reading. */
function createWalletCounts(db: Db, isSharded: boolean) {
  const wallets: Collection<WalletDocument> = db.collection('wallets');
  const batches = { inFlightMax: 1, flush: (asked: readonly WalletQuery[]) => readWallets(wallets, asked) };
  const keyOf = ({ workspaceId }: WalletQuery): string => workspaceId;
  const shared = isSharded ? createBatchers({ ...batches, keyOf }) : createBatcher(batches);
  return async (query: WalletQuery, session: ClientSession | undefined): Promise<Settled> => {
    // Throws if no time is left.
    timeLimit(query);
    if (session === undefined) return shared(query);
    const [settled = none] = await readWallets(wallets, [query], session);
    return settled;
  };
}

async function readWallets(
  wallets: Collection<WalletDocument>,
  asked: readonly WalletQuery[],
  session?: ClientSession,
): Promise<Settled[]> {
  const ids = [...new Set(asked.map(({ walletId }) => walletId))];
  // The longest limit among those that share the command.
  const timeLeftMs = (): number => Math.max(...asked.map((query) => query.timeLeftMs?.() ?? Infinity));
  const documents = await bounded(
    wallets
      .find(
        { workspaceId: anyOf(asked.map(({ workspaceId }) => workspaceId)), _id: { $in: ids } },
        {
          projection: { workspaceId: 1, currency: 1, orders: 1 },
          ...inOneReply(ids.length),
          ...byId,
          ...timeLimit({ timeLeftMs }),
          ...(session === undefined ? {} : { session }),
        },
      )
      .toArray(),
  );
  const found = new Map(documents.map((document) => [document._id, document]));
  return asked.map(({ workspaceId, walletId, currency }) => {
    const wallet = found.get(walletId);
    const isAsked = wallet?.workspaceId === workspaceId && (currency ?? wallet.currency) === wallet.currency;
    if (!isAsked) return none;
    return { COMPLETED: numberIn(wallet.orders, 'COMPLETED'), FAILED: numberIn(wallet.orders, 'FAILED') };
  });
}
