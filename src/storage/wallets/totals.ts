import type { ClientSession, Collection, Db } from 'mongodb';
import type { Posting } from '../../orders/fold.ts';
import { totalsId } from '../../domain/ids.ts';
import { numberIn, type CountedStatus, type OrderCounts } from '../../domain/order-counts.ts';
import type { Wallet, WalletStatus } from '../../domain/wallet.ts';
import { findRows, type ReadTime } from '../shared/page.ts';
import { byId } from '../shared/commands.ts';

/** Numbers of wallets by state. */
type WalletCounts = Readonly<Partial<Record<WalletStatus, number>>>;

/**
 * A part of a workspace's totals, which are the sums over all its parts. Postings that may be under way at once each have a
 * part of their own, so that none waits for another.
 *
 * The parts are stored in the collection of wallets, because a posting then changes them with the command that changes its
 * wallets, and makes no round trip more. Their ids and their kind set them apart.
 */
export interface TotalsDocument {
  readonly _id: string;
  readonly workspaceId: string;
  readonly kind: 'TOTALS';
  /**
   * Orders that have ended, by currency. One of several currencies counts in each, and below zero in {@link ofSeveral}, so that
   * it counts once in the sum of all.
   */
  readonly orders?: Readonly<Record<string, OrderCounts>>;
  /** Wallets that clients can see, so no EXTERNAL ones, by currency. */
  readonly wallets?: Readonly<Record<string, WalletCounts>>;
  /** Of a part to which postings add: how often the budgets of the workspace's keys were changed; absent if they never were. */
  readonly budgets?: number;
}

/** Adds to a part of a workspace's totals; makes it if it is the first. */
export interface TotalsUpdate {
  readonly filter: {
    readonly workspaceId: string;
    readonly _id: string;
    readonly budgets?: number | { readonly $exists: false };
  };
  readonly update: {
    readonly $inc: Readonly<Record<string, number>>;
    readonly $setOnInsert: { readonly kind: 'TOTALS' };
  };
}

/** The part that all changes of a workspace's wallets share: they are few. */
const ofWallets = 'wallets';
/** Above every part's name. */
const beyondAnyPart = '~';
/** More parts than a workspace has: one for each posting that can be under way in a worker, and two more. */
const partsMax = 100;

/** The part to which the postings of a slot add. */
export function partOfSlot(slot: number): string {
  return `posting-${slot}`;
}

/**
 * What a posting adds, one update for each workspace. @param part see `WritePosted`.
 * @param budgets how often those of the workspaces' keys had been changed when they were read, where they ever were; undefined if
 * the posting does not depend on them.
 */
export function orderTotals(
  { ended }: Posting,
  part: string,
  budgets: ReadonlyMap<string, number> | undefined,
): TotalsUpdate[] {
  const counted = new Map<string, Map<string, number>>();
  for (const { order, status } of ended) {
    const ofWorkspace = counted.get(order.workspaceId) ?? new Map<string, number>();
    counted.set(order.workspaceId, ofWorkspace);
    for (const [currency, by] of countedIn(order.legs))
      add(ofWorkspace, `orders.${currency}.${order.type}.${status}`, by);
  }
  return [...counted].map(([workspaceId, by]) => {
    const { filter, update } = updateOf(workspaceId, part, by);
    if (budgets === undefined) return { filter, update };
    return { filter: { ...filter, budgets: budgets.get(workspaceId) ?? { $exists: false } }, update };
  });
}

/** Stands for a currency, which no currency is called. */
const ofSeveral = '-';

/** How an order counts by currency: as one in the sum. */
export function countedIn(legs: readonly { readonly currency: string }[]): readonly (readonly [string, number])[] {
  const currencies = [...new Set(legs.map(({ currency }) => currency))];
  const counted = currencies.map((currency) => [currency, 1] as const);
  return currencies.length === 1 ? counted : [...counted, [ofSeveral, 1 - currencies.length]];
}

/** A change of a workspace's number of wallets: how many more there are in a state. */
export type WalletCount = Pick<Wallet, 'currency' | 'status'> & { readonly by: number };

/** Counts changes of one workspace's wallets, with them. */
export async function countWallets(
  db: Db,
  workspaceId: string,
  changes: readonly WalletCount[],
  session: ClientSession,
): Promise<void> {
  const counted = new Map<string, number>();
  for (const { currency, status, by } of changes) add(counted, `wallets.${currency}.${status}`, by);
  const { filter, update } = updateOf(workspaceId, ofWallets, counted);
  await db.collection<TotalsDocument>('wallets').updateOne(filter, update, { upsert: true, session, ...byId });
}

function updateOf(workspaceId: string, part: string, by: ReadonlyMap<string, number>): TotalsUpdate {
  return {
    filter: { workspaceId, _id: totalsId(workspaceId, part) },
    update: { $inc: Object.fromEntries(by), $setOnInsert: { kind: 'TOTALS' } },
  };
}

function add(to: Map<string, number>, key: string, by: number): void {
  to.set(key, (to.get(key) ?? 0) + by);
}

/**
 * Reads a workspace's totals: a bounded number of documents, however many its orders and wallets.
 * @returns how many there are of a currency, state and type; of any of these that is not named. @throws as `findRows` does.
 */
export async function readTotals(
  db: Db,
  { workspaceId, timeLeftMs }: ReadTime & { readonly workspaceId: string },
  session?: ClientSession,
) {
  const collection: Collection<TotalsDocument> = db.collection('wallets');
  const asked = {
    filter: { workspaceId, _id: { $gte: totalsId(workspaceId, ''), $lt: totalsId(workspaceId, beyondAnyPart) } },
    limit: partsMax,
    projection: { orders: 1, wallets: 1 },
  };
  const parts = await findRows(collection, asked, { ...byId, timeLeftMs, session });
  const orders = parts.map((part) => part.orders);
  const wallets = parts.map((part) => part.wallets);
  return {
    orders: (status: CountedStatus, of: { currency?: string | undefined; type?: string | undefined } = {}) =>
      sum(orders, of.currency, (counts) => numberIn(counts, status, of.type)),
    wallets: (status?: WalletStatus, currency?: string) =>
      sum(wallets, currency, (counts) => walletsIn(counts, status)),
  };
}

function sum<Counts>(
  parts: readonly (Readonly<Record<string, Counts>> | undefined)[],
  currency: string | undefined,
  numberOf: (counts: Counts) => number,
): number {
  let total = 0;
  for (const byCurrency of parts) {
    for (const [of, counts] of Object.entries(byCurrency ?? {})) {
      if (currency === undefined || of === currency) total += numberOf(counts);
    }
  }
  return total;
}

function walletsIn(counts: WalletCounts, status: WalletStatus | undefined): number {
  if (status !== undefined) return counts[status] ?? 0;
  return Object.values(counts).reduce((total, number) => total + number, 0);
}
