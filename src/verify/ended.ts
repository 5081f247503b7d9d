import type { ClaimedCounts } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import {
  countedAtOnce,
  sumOf,
  withoutFlows,
  type CountsByType,
  type WithoutFlows,
} from '../storage/orders/ended-orders.ts';
import type { Report } from './breach.ts';

/** How often a wallet that does not agree is counted, because it may have been posted meanwhile. */
const countsMax = 3;

const kindOf = { FAILED: 'wallet-failures', CANCELLED: 'wallet-cancelled' } as const;

/** A wallet's numbers of orders in a state before and after they were counted, and how many were found. */
interface Count {
  readonly claim: ClaimedCounts;
  readonly claimAfter: ClaimedCounts;
  readonly status: WithoutFlows;
  readonly found: CountsByType;
}

/**
 * Compares how many FAILED and CANCELLED orders of each type each wallet says that it has with how many there are. No read takes
 * long, however many there are, and wallets may be posted meanwhile: then they are counted again, in the end in a snapshot. If a
 * wallet has too many for that, and more come each time, what is found must lie between what it says before and after.
 */
export async function verifyEnded(books: Books, report: Report): Promise<void> {
  for await (const page of books.claimedCounts()) {
    for (const status of withoutFlows) await verifyPage(books, page, status, report);
  }
}

async function verifyPage(
  books: Books,
  page: readonly ClaimedCounts[],
  status: WithoutFlows,
  report: Report,
): Promise<void> {
  let unclear = page;
  for (let done = 1; done < countsMax && unclear.length > 0; done += 1) {
    const counts = await countOnce(books, unclear, status);
    unclear = counts.filter((count) => !isExact(count)).map(({ claimAfter }) => claimAfter);
  }
  for (const count of await countLast(books, unclear, status)) {
    for (const { type, least, found, most } of numbersOf(count)) {
      if (least <= found && found <= most) continue;
      report(kindOf[status], count.claim.walletId, `says ${least} orders ${type} ${status}, there are ${found}`);
    }
  }
}

function isExact(count: Count): boolean {
  return numbersOf(count).every(({ least, found, most }) => least === found && found === most);
}

/** What a wallet says before and after of each type, and how many were found. */
function numbersOf({ claim, claimAfter, status, found }: Count) {
  const [least, number, most] = [claim[status], found, claimAfter[status]];
  const types = new Set([least, number, most].flatMap((counts) => [...counts.keys()]));
  return [...types].map((type) => ({
    type,
    least: least.get(type) ?? 0,
    found: number.get(type) ?? 0,
    most: most.get(type) ?? 0,
  }));
}

async function countOnce(books: Books, claims: readonly ClaimedCounts[], status: WithoutFlows): Promise<Count[]> {
  if (claims.length === 0) return [];
  const found = await books.countEnded(claims, status);
  return joined(claims, status, found, await books.claimedCountsOf(claims.map(({ walletId }) => walletId)));
}

async function countLast(books: Books, claims: readonly ClaimedCounts[], status: WithoutFlows): Promise<Count[]> {
  const [small, large] = [true, false].map((isSmall) =>
    claims.filter((claim) => sumOf(claim[status]) <= countedAtOnce === isSmall),
  );
  const counts = await countOnce(books, large ?? [], status);
  for (const claim of small ?? []) {
    const inSnapshot = await books.inSnapshot(async (session) => {
      const claimed = await books.claimedCountsOf([claim.walletId], session);
      return joined([...claimed.values()], status, await books.countEnded([claim], status, session), claimed);
    });
    counts.push(...inSnapshot);
  }
  return counts;
}

const none: CountsByType = new Map();

function joined(
  claims: readonly ClaimedCounts[],
  status: WithoutFlows,
  found: ReadonlyMap<string, CountsByType>,
  after: ReadonlyMap<string, ClaimedCounts>,
): Count[] {
  return claims.flatMap((claim) => {
    const claimAfter = after.get(claim.walletId);
    return claimAfter === undefined ? [] : [{ claim, claimAfter, status, found: found.get(claim.walletId) ?? none }];
  });
}
