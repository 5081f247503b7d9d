import type { Direction } from '../domain/wallet.ts';
import type { BookedOrder, Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import type { Cut } from './cut.ts';
import { movesOf } from './order.ts';
import { bucketCount, bucketOf } from './tally.ts';

/** Orders held in memory at once, about. */
const ordersInHandMax = 200_000;

/**
 * Names the orders behind a tally that does not match. It reads orders first and flows afterwards. An order that it saw
 * completed then has its flows, whatever is posted meanwhile, so every order that it names is a breach.
 * @param buckets those that did not match. Only their orders are held in memory, in several rounds if they are many.
 */
export async function findUnmatched(
  books: Books,
  buckets: readonly number[],
  orderCount: number,
  cut: Cut,
  report: Report,
): Promise<void> {
  const ordersPerBucket = Math.max(1, orderCount / bucketCount);
  const bucketsPerRound = Math.max(1, Math.floor(ordersInHandMax / ordersPerBucket));
  for (let first = 0; first < buckets.length; first += bucketsPerRound) {
    await findRound(books, new Set(buckets.slice(first, first + bucketsPerRound)), cut, report);
  }
}

async function findRound(books: Books, buckets: ReadonlySet<number>, cut: Cut, report: Report): Promise<void> {
  const found = new Map<string, Sides>();
  for await (const page of books.orders()) {
    for (const order of page) {
      const isDue = order.status === 'COMPLETED' && cut.has(order.id);
      if (isDue && buckets.has(bucketOf(order.id))) found.set(order.id, sidesOf(order));
    }
  }
  for await (const page of books.flowMarks()) {
    for (const { transferId, walletId, direction } of page) {
      const sides = found.get(transferId);
      if (sides === undefined) continue;
      sides.flows[direction] += 1;
      const side = `${direction} ${walletId}`;
      sides.missing.set(side, (sides.missing.get(side) ?? 0) - 1);
    }
  }
  for (const [id, { moves, flows, missing }] of found) {
    if ([...missing.values()].every((count) => count === 0)) continue;
    const has = `is COMPLETED with ${flows.DEBIT} DEBIT and ${flows.CREDIT} CREDIT flows`;
    report('order-flows', id, `${has}; there should be ${moves} of each`);
  }
}

/** The flows of an order, and those that its type says. */
interface Sides {
  readonly moves: number;
  readonly flows: Record<Direction, number>;
  /** By direction and wallet: how many flows are missing; less than zero if there are too many. */
  readonly missing: Map<string, number>;
}

function sidesOf(order: BookedOrder): Sides {
  const moves = movesOf(order);
  const missing = new Map<string, number>();
  for (const { from, to } of moves) {
    for (const side of [`DEBIT ${from}`, `CREDIT ${to}`]) missing.set(side, (missing.get(side) ?? 0) + 1);
  }
  return { moves: moves.length, flows: { DEBIT: 0, CREDIT: 0 }, missing };
}
