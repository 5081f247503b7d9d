import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { Clock } from '../clock.ts';
import { areAboutLimits } from '../domain/alerts.ts';
import type { Currencies } from '../domain/currency.ts';
import { foldOrders, postedAtOf, type Posting } from '../orders/fold.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { defers, walletIdsOf } from '../orders/types.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { Collections } from '../storage/collections.ts';
import { createRememberedWindows } from '../storage/flows/windows.ts';
import { StaleBudgetsError, type WritePosted } from '../storage/group-writes.ts';
import type { DateIn } from '../storage/test-clocks.ts';
import type { Settling } from '../storage/orders/orders.ts';
import {
  ContendedError,
  isDocumentFault,
  isTransientFault,
  runTransaction,
  StaleReadError,
  stepMaxMs,
  type ClientSession,
} from '../storage/shared/transaction.ts';
import type { Subscribers } from '../storage/webhooks/endpoints.ts';
import { sessionIds } from '../storage/processes/posting-sessions.ts';
import { entriesOf, type OutboxEntry } from '../storage/webhooks/outbox.ts';
import { partOfSlot } from '../storage/wallets/totals.ts';
import { createRememberedBudgets } from './remembered-budgets.ts';
import { createRememberedWallets } from './remembered-wallets.ts';

/** Where a group is posted: each group in flight has its own. */
export interface PostingSlot {
  readonly session: ClientSession;
  /** Its number among the worker's. */
  readonly slot: number;
}

/** What a group's transaction wrote. */
export interface Committed {
  readonly posting: Posting;
  readonly outbox: readonly OutboxEntry[];
  /** How often it was run. */
  readonly attempts: number;
}

/**
 * Folds a group and writes it in one transaction. If what it read or remembered has changed meanwhile, the orders that are
 * still PENDING are folded again, with wallets that are read anew.
 * @param orders are posted in this order.
 * @returns undefined if none of them is PENDING any more.
 * @throws RefusedWriteError or another document fault, with nothing written: an order cannot be posted; any other error: it
 * is not known whether the group was.
 */
export type PostInTransaction = (
  orders: readonly OrderToPost[],
  slot: PostingSlot,
  settling: Settling,
) => Promise<Committed | undefined>;

/** What a worker remembers from its groups. */
export type Remembered = ReturnType<typeof createRemembered>;

export function createRemembered({ keyBudgets }: Pick<Collections, 'keyBudgets'>) {
  return {
    wallets: createRememberedWallets(),
    windows: createRememberedWindows(),
    budgets: createRememberedBudgets(keyBudgets),
  };
}

interface GroupTransactionOptions {
  readonly collections: Pick<Collections, 'wallets' | 'orders' | 'readBeforeWindows'>;
  readonly writePosted: WritePosted;
  readonly currencies: {
    readonly current: Currencies;
    /** Brings `current` up to date: another process may have added a currency a moment ago. */
    readonly readAgain: () => Promise<unknown>;
  };
  readonly clock: Clock;
  /** Dates what is posted. */
  readonly dateIn: DateIn;
  /** The endpoints of these workspaces that want webhooks, as of a moment ago. */
  readonly subscribersOf: (workspaceIds: readonly string[]) => Promise<Subscribers>;
  readonly remembered: Remembered;
  /** Ends what sessions have left open. */
  readonly endTransactions: (sessionIds: readonly string[]) => Promise<void>;
  readonly endIfHung: EndIfHung;
}

const endLostMaxMs = 2_000;
/** The longest pause before a group is folded again, times the number of folds: the other writer may need a moment. */
const foldPauseMaxMs = 20;
/** How often a group is folded again because what it read had changed. */
const foldsMax = 8;

export function createGroupTransaction(options: GroupTransactionOptions): PostInTransaction {
  const { collections, currencies, endIfHung } = options;

  /** Before an order is refused for its currency: it may have been accepted by a process that has just added it. */
  async function learnCurrencies(orders: readonly OrderToPost[]): Promise<void> {
    const legs = orders.flatMap(unitOf).flatMap((order) => order.legs);
    if (legs.every(({ currency }) => currencies.current.has(currency))) return;
    await endIfHung(currencies.readAgain());
  }

  async function stillPending(orders: readonly OrderToPost[]): Promise<readonly OrderToPost[]> {
    const still = await endIfHung(collections.orders.stillPending(orders));
    return orders.filter(({ id }) => still.has(id));
  }

  return async (orders, slot, settling) => {
    const runs = { count: 0 };
    await learnCurrencies(orders);
    // Read outside the transaction: an order's values never change, and its status is the guard of its update.
    let pending = orders;
    for (let fold = 1; pending.length > 0; fold += 1) {
      try {
        return await endIfHung(commit(options, pending, slot, settling, runs));
      } catch (error) {
        if (!(error instanceof StaleReadError) || fold === foldsMax) throw error;
        // Of all its workspaces at once, or each would cost one more fold.
        if (error instanceof StaleBudgetsError)
          options.remembered.budgets.forget([...new Set(orders.map(({ workspaceId }) => workspaceId))]);
        await setTimeout(Math.random() * foldPauseMaxMs * fold);
        pending = await stillPending(orders);
      }
    }
    return undefined;
  };
}

/**
 * However many the orders: three round trips to write (four if there are events, and one more if keys have budgets), and a commit;
 * before them one to read the wallets that are not remembered, and one more if some refer to orders, if keys have budgets, or if
 * limits have to be judged by flows that are not remembered.
 *
 * Orders fail and are at fault by wallets as they are, never by an old memory. Whatever completes or fails writes all wallets
 * that it names, guarded by their versions; what is at fault is judged once more, by wallets that are read.
 */
async function commit(
  {
    collections,
    writePosted,
    currencies,
    clock,
    dateIn,
    subscribersOf,
    remembered,
    endTransactions,
  }: GroupTransactionOptions,
  pending: readonly OrderToPost[],
  { session, slot }: PostingSlot,
  settling: Settling,
  runs: { count: number },
): Promise<Committed> {
  const walletIds = [...new Set(pending.flatMap(unitOf).flatMap(walletIdsOf))];
  const parentIds = [...new Set(pending.flatMap(unitOf).flatMap(({ parentId }) => parentId ?? []))];
  const workspaceIds = [...new Set(pending.map(({ workspaceId }) => workspaceId))];
  const read = (ids: readonly string[]) => collections.wallets.findByIds(ids, workspaceIds, session);
  const running = runTransaction(session, async () => {
    runs.count += 1;
    // Read in each run: after an election a run may come seconds later, and must see which endpoints are enabled by then.
    const subscribing = subscribersOf(workspaceIds);
    // If a command below fails first, nobody awaits this.
    subscribing.catch(() => undefined);
    // None on any run but the first, because this takes them out.
    const fromMemory = remembered.wallets.take(walletIds, workspaceIds);
    const missing = walletIds.filter((id) => !fromMemory.has(id));
    const wallets = missing.length === 0 ? fromMemory : new Map([...fromMemory, ...(await read(missing))]);
    const parents =
      parentIds.length === 0 ? new Map() : await collections.orders.findParents(parentIds, workspaceIds, session);
    const ready = await withoutDeferring(collections, pending, workspaceIds, session);
    const foldedAt = clock();
    // A group of a test workspace has no orders of others.
    const now = await dateIn(workspaceIds[0] ?? '', session);
    const { budgets, versions, keep: keepBudgets } = await remembered.budgets.read(ready, workspaceIds, session);
    const fold = async (by: ReadonlyMap<string, Wallet>) => {
      const limited = limitedAmong(by, ready);
      const windows = { session, remembered: remembered.windows };
      const { before, keep } =
        limited.length === 0
          ? noWindows
          : await collections.readBeforeWindows(limited, postedAtOf(ready, now), windows);
      return { posting: foldOrders(ready, { wallets: by, parents, before, budgets }, currencies.current, now), keep };
    };
    let { posting, keep } = await fold(wallets);
    // What cannot be posted writes nothing, so no version guards it.
    if (posting.unpostable.length > 0 && fromMemory.size > 0) ({ posting, keep } = await fold(await read(walletIds)));
    const outbox = subscribing.then((subscribers) => entriesOf(posting, subscribers));
    outbox.catch(() => undefined);
    const totals = { totals: partOfSlot(slot), budgetVersions: versions };
    const written = { session, attempts: runs.count, ...totals, settling, outbox };
    await writePosted(posting, written).catch((error: unknown) => {
      // MongoDB may have met what it refuses before a version that shows an old memory.
      if (fromMemory.size > 0 && isDocumentFault(error))
        throw new StaleReadError('refused as remembered', { cause: error });
      throw error;
    });
    const entries = await outbox;
    // The fold may come before the transaction's first command. A machine that slept in between is found out by no timer.
    if (clock().getTime() - foldedAt.getTime() > stepMaxMs) throw new StaleReadError('folded too long ago');
    return { committed: { posting, outbox: entries, attempts: runs.count }, keep, keepBudgets };
  });
  const { committed, keep, keepBudgets } = await running.catch(async (error: unknown) => {
    if (isTransientFault(error) && !(error instanceof ContendedError)) await endLost({ endTransactions }, session);
    throw error;
  });
  keep();
  keepBudgets();
  remembered.wallets.keep(committed.posting.wallets);
  return committed;
}

const noWindows = { before: new Map<string, never>(), keep: (): void => undefined };

/** The wallets whose limits some orders may meet, or whose alerts tell of their limits. */
function limitedAmong(wallets: ReadonlyMap<string, Wallet>, orders: readonly OrderToPost[]): Wallet[] {
  const limited = [...wallets.values()].filter(({ limits }) => limits !== undefined);
  if (limited.length === 0) return limited;
  const sources = new Set(
    orders.flatMap(unitOf).flatMap(({ legs }) => legs.map(({ sourceWalletId }) => sourceWalletId)),
  );
  return limited.filter(({ id, alerts = [] }) => sources.has(id) || areAboutLimits(alerts));
}

/** The orders of a group, without those that defer to one that is in none: these stay PENDING, and are swept. */
async function withoutDeferring(
  { orders }: Pick<Collections, 'orders'>,
  group: readonly OrderToPost[],
  workspaceIds: readonly string[],
  session: ClientSession,
): Promise<readonly OrderToPost[]> {
  const deferring = group.filter(defers);
  if (deferring.length === 0) return group;
  const parentIds = deferring.flatMap(({ parentId }) => parentId ?? []);
  const inGroup = group.flatMap(unitOf).map(({ id }) => id);
  const inUse = await orders.findInUse(parentIds, workspaceIds, session, inGroup);
  return group.filter((order) => !defers(order) || !inUse.has(order.parentId ?? ''));
}

/**
 * Ends a transaction that may be left open: if the connection breaks at a commit, the driver may give up. If this fails, the
 * session's next transaction ends it, or its lifetime does.
 */
async function endLost(
  { endTransactions }: Pick<GroupTransactionOptions, 'endTransactions'>,
  session: ClientSession,
): Promise<void> {
  await pTimeout(endTransactions(sessionIds(session)), { milliseconds: endLostMaxMs }).catch(() => undefined);
}

/** Waits for a step of a group, and ends the process if the driver never answers: the step's session would be lost. */
export type EndIfHung = <T>(step: Promise<T>) => Promise<T>;

/** @param crash ends the process. */
export function createEndIfHung(crash: (what: string) => never): EndIfHung {
  return (step) =>
    pTimeout(step, {
      milliseconds: stepMaxMs,
      fallback: () => crash('a step of a group neither succeeded nor failed'),
    });
}
