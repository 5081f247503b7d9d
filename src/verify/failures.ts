import type { Books, ClaimedFailures } from '../storage/books.ts';
import { countedAtOnce, sumOf, type CountsByType } from '../storage/orders/failed-orders.ts';
import type { Report } from './breach.ts';

/** How often a wallet that does not agree is counted, because it may have been posted meanwhile. */
const countsMax = 3;

/** A wallet's numbers of FAILED orders before and after they were counted, and how many were found. */
interface Count {
  readonly claim: ClaimedFailures;
  readonly claimAfter: ClaimedFailures;
  readonly found: CountsByType;
}

/**
 * Compares how many FAILED orders of each type each wallet says that it has with how many there are. No read takes long, however many
 * there are, and wallets may be posted meanwhile: then they are counted again, in the end in a snapshot. If a wallet has too
 * many for that, and more fail each time, what is found must lie between what it says before and after.
 */
export async function verifyFailures(books: Books, report: Report): Promise<void> {
  for await (const page of books.claimedFailures()) {
    let unclear: readonly ClaimedFailures[] = page;
    for (let done = 1; done < countsMax && unclear.length > 0; done += 1) {
      const counts = await countOnce(books, unclear);
      unclear = counts.filter((count) => !isExact(count)).map(({ claimAfter }) => claimAfter);
    }
    for (const count of await countLast(books, unclear)) {
      for (const { type, least, found, most } of numbersOf(count)) {
        if (least <= found && found <= most) continue;
        report('wallet-failures', count.claim.walletId, `says ${least} orders ${type} FAILED, there are ${found}`);
      }
    }
  }
}

function isExact(count: Count): boolean {
  return numbersOf(count).every(({ least, found, most }) => least === found && found === most);
}

/** What a wallet says before and after of each type, and how many were found. */
function numbersOf({ claim, claimAfter, found }: Count) {
  const [least, number, most] = [claim.failed, found, claimAfter.failed];
  const types = new Set([least, number, most].flatMap((counts) => [...counts.keys()]));
  return [...types].map((type) => ({
    type,
    least: least.get(type) ?? 0,
    found: number.get(type) ?? 0,
    most: most.get(type) ?? 0,
  }));
}

async function countOnce(books: Books, claims: readonly ClaimedFailures[]): Promise<Count[]> {
  if (claims.length === 0) return [];
  const found = await books.countFailed(claims);
  return joined(claims, found, await books.claimedFailuresOf(claims.map(({ walletId }) => walletId)));
}

async function countLast(books: Books, claims: readonly ClaimedFailures[]): Promise<Count[]> {
  const [small, large] = [true, false].map((isSmall) =>
    claims.filter(({ failed }) => sumOf(failed) <= countedAtOnce === isSmall),
  );
  const counts = await countOnce(books, large ?? []);
  for (const claim of small ?? []) {
    const inSnapshot = await books.inSnapshot(async (session) => {
      const claimed = await books.claimedFailuresOf([claim.walletId], session);
      return joined([...claimed.values()], await books.countFailed([claim], session), claimed);
    });
    counts.push(...inSnapshot);
  }
  return counts;
}

const none: CountsByType = new Map();

function joined(
  claims: readonly ClaimedFailures[],
  found: ReadonlyMap<string, CountsByType>,
  after: ReadonlyMap<string, ClaimedFailures>,
): Count[] {
  return claims.flatMap((claim) => {
    const claimAfter = after.get(claim.walletId);
    return claimAfter === undefined ? [] : [{ claim, claimAfter, found: found.get(claim.walletId) ?? none }];
  });
}
