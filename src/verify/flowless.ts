import { countedStatuses, type CountedStatus } from '../domain/order-counts.ts';
import { hasFlows, isKnownType, walletIdsOf } from '../orders/types.ts';
import type { BookedOrder, Claim } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { BreachKind, Report } from './breach.ts';
import { bucketOf, inRounds, MultisetChecksum } from './multiset-checksum.ts';

/** Wallets that are read again at once. */
const readAtOnceMax = 1_000;
/** No snapshot counts more orders, so that none takes long, however many there are. */
const countedInSnapshotMax = 20_000;

const kindOf = {
  COMPLETED: 'wallet-completed',
  FAILED: 'wallet-failures',
  CANCELLED: 'wallet-cancelled',
} as const satisfies Record<CountedStatus, BreachKind>;

/** Numbers of orders by {@link keyOf}. */
type FlowlessCounts = Map<string, number>;

/**
 * Compares how many orders without flows each wallet says that it has with how many there are, by type: those that FAILED or
 * were CANCELLED, and COMPLETED ones of the types without flows. (Of the others the flows tell: completed.ts.) Wallets and
 * orders are counted as verification reads them, in little memory; see {@link MultisetChecksum}. Only what does not match then is
 * counted wallet by wallet, from those orders alone. Orders may be posted meanwhile: a wallet's counts only rise, so what is
 * found lies between what it says before and after; and what FAILED or was CANCELLED is counted in a snapshot, unless it is much.
 */
export function createFlowless(books: Books) {
  const checksum = new MultisetChecksum();
  /** Those that have such orders. */
  const workspaces = new Set<string>();
  let claims = 0;
  return {
    addWallet(wallet: Claim): void {
      for (const [key, count] of claimedBy(wallet)) {
        workspaces.add(wallet.workspaceId);
        checksum.add(key, toTimes(count));
        claims += 1;
      }
    },
    addOrder(order: BookedOrder): void {
      for (const key of keysOf(order)) {
        workspaces.add(order.workspaceId);
        checksum.add(key, -1n);
      }
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      for (const round of inRounds(checksum.unmatchedBuckets(), claims))
        await compareRound(books, workspaces, round, report);
    },
  };
}

async function compareRound(
  books: Books,
  workspaces: ReadonlySet<string>,
  round: ReadonlySet<number>,
  report: Report,
): Promise<void> {
  const before: FlowlessCounts = new Map();
  for await (const page of books.claims()) addClaims(before, page, round);
  const actual: FlowlessCounts = new Map();
  for (const workspaceId of workspaces) {
    for await (const page of books.withoutFlowsOf(workspaceId)) {
      for (const key of page.flatMap((order) => keysOf(order)))
        if (round.has(bucketOf(key))) actual.set(key, (actual.get(key) ?? 0) + 1);
    }
  }
  const differing = [...new Set([...before.keys(), ...actual.keys()])].filter(
    (key) => before.get(key) !== actual.get(key),
  );
  for (let first = 0; first < differing.length; first += readAtOnceMax) {
    const keys = differing.slice(first, first + readAtOnceMax);
    const after: FlowlessCounts = new Map();
    addClaims(after, await books.claimsOf([...new Set(keys.map((key) => partsOf(key).walletId))]), round);
    for (const key of keys) {
      const numbers = { least: before.get(key) ?? 0, actual: actual.get(key) ?? 0, most: after.get(key) ?? 0 };
      await compareKey(books, key, numbers, report);
    }
  }
}

/** @param numbers how many there are, and what the wallet says before and after. */
async function compareKey(
  books: Books,
  key: string,
  numbers: { readonly least: number; readonly actual: number; readonly most: number },
  report: Report,
): Promise<void> {
  const { walletId, type, status } = partsOf(key);
  let { least, actual, most } = numbers;
  if (status !== 'COMPLETED' && Math.max(actual, most) <= countedInSnapshotMax) {
    const { claim, number } = await books.claimAndNumber(walletId, type, status);
    [least, actual, most] = [claim, number, claim];
  }
  if (least <= actual && actual <= most) return;
  report(kindOf[status], walletId, `says ${most} orders ${type} ${status}, there are ${actual}`);
}

function addClaims(to: FlowlessCounts, wallets: readonly Claim[], round: ReadonlySet<number>): void {
  for (const wallet of wallets)
    for (const [key, count] of claimedBy(wallet)) if (round.has(bucketOf(key))) to.set(key, count);
}

/** How many orders without flows a wallet says that it has. */
function claimedBy({ id, counts }: Claim): [key: string, count: number][] {
  return countedStatuses.flatMap((status) =>
    [...counts[status]]
      .filter(([type]) => isFlowless({ type, status }))
      .map(([type, count]): [string, number] => [keyOf(id, type, status), count]),
  );
}

/** An order's keys, one for each of its wallets; none if it may have flows, or has not ended. */
function keysOf(order: BookedOrder): string[] {
  const { type, status, executeAt } = order;
  if (!counted.has(status) || !isKnownType(type) || !isFlowless(order)) return [];
  // No list has it.
  if (status === 'CANCELLED' && executeAt === undefined) return [];
  return walletIdsOf(order).map((walletId) => keyOf(walletId, type, status));
}

const counted: ReadonlySet<string> = new Set(countedStatuses);

function isFlowless({ type, status }: Pick<BookedOrder, 'type' | 'status'>): boolean {
  return status !== 'COMPLETED' || !hasFlows(type);
}

function keyOf(walletId: string, type: string, status: string): string {
  return `${walletId} ${type} ${status}`;
}

function partsOf(key: string): { readonly walletId: string; readonly type: string; readonly status: CountedStatus } {
  const [walletId = '', type = '', status] = key.split(' ');
  return { walletId, type, status: status as CountedStatus };
}

/** What is no whole number matches nothing, so that it is looked at. */
function toTimes(count: number): bigint {
  return Number.isSafeInteger(count) ? BigInt(count) : -1n;
}
