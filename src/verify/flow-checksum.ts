import type { Direction } from '../domain/wallet.ts';
import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import { bucketOf, inRounds, MultisetChecksum } from './multiset-checksum.ts';
import type { Cut } from './cut.ts';
import { movesOf } from './order.ts';

/** More than the flows that an order could have. */
const factorBase = 1_000_003n;

/**
 * Finds out, in little memory, whether every completed order has exactly one DEBIT and one CREDIT flow for each of its moves.
 * For each direction it adds the flows' orders and subtracts the completed orders; see {@link MultisetChecksum}. Each move
 * multiplies by another factor, so that one move's flow does not pass for another's.
 */
export class FlowChecksum {
  readonly #checksums = { DEBIT: new MultisetChecksum(), CREDIT: new MultisetChecksum() };

  /** @param move which of the order's moves the flow is a side of, from 0. */
  addFlow(orderId: string, direction: Direction, move: number): void {
    (direction === 'DEBIT' ? this.#checksums.DEBIT : this.#checksums.CREDIT).add(orderId, factorOf(move));
  }

  /** @param moves how many the order has. */
  subtractOrder(orderId: string, moves: number): void {
    let factor = 0n;
    for (let move = 0; move < moves; move += 1) factor -= factorOf(move);
    for (const checksum of Object.values(this.#checksums)) checksum.add(orderId, factor);
  }

  /** The buckets in which flows and orders do not match. */
  unmatchedBuckets(): number[] {
    const { DEBIT, CREDIT } = this.#checksums;
    return [...new Set([...DEBIT.unmatchedBuckets(), ...CREDIT.unmatchedBuckets()])].sort((a, b) => a - b);
  }
}

/** 1 for the first move; far apart for others, so that no few of them add up to another few. */
function factorOf(move: number): bigint {
  return factorBase ** BigInt(move);
}

/**
 * Names the orders behind a checksum that does not match. It reads orders first and flows afterwards. An order that it saw
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
  for (const round of inRounds(buckets, orderCount)) await findRound(books, round, cut, report);
}

async function findRound(books: Books, buckets: ReadonlySet<number>, cut: Cut, report: Report): Promise<void> {
  const sidesByOrder = new Map<string, Sides>();
  for await (const page of books.orders()) {
    for (const order of page) {
      const isDue = order.status === 'COMPLETED' && cut.has(order.id);
      if (isDue && buckets.has(bucketOf(order.id))) sidesByOrder.set(order.id, sidesOf(order));
    }
  }
  for await (const page of books.flowMarks()) {
    for (const { transferId, walletId, direction } of page) {
      const sides = sidesByOrder.get(transferId);
      if (sides === undefined) continue;
      sides.flows[direction] += 1;
      const side = `${direction} ${walletId}`;
      sides.missing.set(side, (sides.missing.get(side) ?? 0) - 1);
    }
  }
  for (const [id, { moves, flows, missing }] of sidesByOrder) {
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
