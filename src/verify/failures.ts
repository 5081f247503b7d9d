import type { Books, ClaimedFailures } from '../storage/books.ts';
import { countedAtOnce } from '../storage/orders/failed-orders.ts';
import type { Report } from './breach.ts';

/** How often a wallet that does not agree is counted, because it may have been posted meanwhile. */
const countsMax = 3;

/** A wallet's number of FAILED orders before and after they were counted, and how many were found. */
interface Count {
  readonly claim: ClaimedFailures;
  readonly claimAfter: ClaimedFailures;
  readonly found: number;
}

/**
 * Compares how many FAILED orders each wallet says that it has with how many there are. No read takes long, however many
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
    for (const { claim, claimAfter, found } of await countLast(books, unclear)) {
      if (claim.failed <= found && found <= claimAfter.failed) continue;
      report('wallet-failures', claim.walletId, `says ${claim.failed} orders FAILED, there are ${found}`);
    }
  }
}

function isExact({ claim, claimAfter, found }: Count): boolean {
  return claim.failed === found && claimAfter.failed === found;
}

async function countOnce(books: Books, claims: readonly ClaimedFailures[]): Promise<Count[]> {
  if (claims.length === 0) return [];
  const found = await books.countFailed(claims);
  return joined(claims, found, await books.claimedFailuresOf(claims.map(({ walletId }) => walletId)));
}

async function countLast(books: Books, claims: readonly ClaimedFailures[]): Promise<Count[]> {
  const [small, large] = [true, false].map((isSmall) =>
    claims.filter(({ failed }) => failed <= countedAtOnce === isSmall),
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

function joined(
  claims: readonly ClaimedFailures[],
  found: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, ClaimedFailures>,
): Count[] {
  return claims.flatMap((claim) => {
    const claimAfter = after.get(claim.walletId);
    return claimAfter === undefined ? [] : [{ claim, claimAfter, found: found.get(claim.walletId) ?? 0 }];
  });
}
