import { hasFlows, isKnownType, orderTypes, walletIdsOf } from '../orders/types.ts';
import type { BookedOrder, BookedWallet, ClaimedCounts } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { CountsByType } from '../storage/orders/ended-orders.ts';
import type { Report } from './breach.ts';
import { bucketOf, createBuckets, inRounds } from './buckets.ts';

/** Wallets that are read again at once. */
const readAtOnceMax = 1_000;
/** The types whose COMPLETED orders leave no flows, so that only the orders themselves tell how many there are. */
const flowlessTypes = orderTypes.filter(({ flows }) => flows === undefined).map(({ name }) => name);

/**
 * Compares how many COMPLETED orders of the types without flows each wallet says that it has with how many there are. Wallets
 * and orders are counted as verification reads them, in little memory; see {@link createBuckets}. Only what does not match then
 * is counted wallet by wallet, from the orders of those types alone. Orders may be posted meanwhile: a wallet's counts only
 * rise, so what is found lies between what it says before and after. (Of the types with flows the flows tell: completed.ts.)
 */
export function createFlowless(books: Books) {
  const buckets = createBuckets();
  /** Those that have such orders. */
  const workspaces = new Set<string>();
  let claims = 0;
  return {
    addWallet({ id, workspaceId, completed }: BookedWallet): void {
      for (const [type, count] of flowlessOf(completed)) {
        workspaces.add(workspaceId);
        buckets.add(keyOf(id, type), toTimes(count));
        claims += 1;
      }
    },
    addOrder(order: BookedOrder): void {
      if (!isFlowless(order)) return;
      workspaces.add(order.workspaceId);
      for (const walletId of walletIdsOf(order)) buckets.add(keyOf(walletId, order.type), -1n);
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      for (const round of inRounds(buckets.unmatched(), claims)) await compareRound(books, workspaces, round, report);
    },
  };
}

async function compareRound(
  books: Books,
  workspaces: ReadonlySet<string>,
  round: ReadonlySet<number>,
  report: Report,
): Promise<void> {
  const before = new Map<string, number>();
  for await (const page of books.claimedCounts()) for (const claim of page) addClaim(before, claim, round);
  const found = new Map<string, number>();
  for (const workspaceId of workspaces) {
    for (const type of flowlessTypes) {
      for await (const page of books.completedOf(workspaceId, type)) {
        for (const order of page) {
          for (const walletId of walletIdsOf(order)) {
            const key = keyOf(walletId, type);
            if (round.has(bucketOf(key))) found.set(key, (found.get(key) ?? 0) + 1);
          }
        }
      }
    }
  }
  const differing = [...new Set([...before.keys(), ...found.keys()])].filter(
    (key) => before.get(key) !== found.get(key),
  );
  for (let first = 0; first < differing.length; first += readAtOnceMax) {
    const keys = differing.slice(first, first + readAtOnceMax);
    const ids = [...new Set(keys.map(walletIdIn))];
    const claimed = await books.inSnapshot((session) => books.claimedCountsOf(ids, session));
    const after = new Map<string, number>();
    for (const claim of claimed.values()) addClaim(after, claim, round);
    for (const key of keys) {
      const [least, number, most] = [before.get(key) ?? 0, found.get(key) ?? 0, after.get(key) ?? 0];
      if (least <= number && number <= most) continue;
      const [walletId = '', type = ''] = key.split(' ');
      report('wallet-completed', walletId, `says ${most} orders ${type}, there are ${number}`);
    }
  }
}

function addClaim(to: Map<string, number>, { walletId, COMPLETED }: ClaimedCounts, round: ReadonlySet<number>): void {
  for (const [type, count] of flowlessOf(COMPLETED)) {
    const key = keyOf(walletId, type);
    if (round.has(bucketOf(key))) to.set(key, count);
  }
}

function flowlessOf(counts: CountsByType): [string, number][] {
  return [...counts].filter(([type]) => !hasFlows(type));
}

function isFlowless({ type, status }: BookedOrder): boolean {
  return status === 'COMPLETED' && isKnownType(type) && !hasFlows(type);
}

function keyOf(walletId: string, type: string): string {
  return `${walletId} ${type}`;
}

function walletIdIn(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

/** What is no whole number matches nothing, so that it is looked at. */
function toTimes(count: number): bigint {
  return Number.isSafeInteger(count) ? BigInt(count) : -1n;
}
