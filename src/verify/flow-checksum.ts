import { hash } from 'node:crypto';
import type { Direction, Flow } from '../domain/wallet.ts';
import { legsMax } from '../orders/order.ts';
import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import { bucketOf, inRounds, MultisetChecksum } from './multiset-checksum.ts';
import type { Cut } from './cut.ts';
import { movesOf } from './order.ts';

/**
 * Finds out, in little memory, whether every completed order has exactly one DEBIT and one CREDIT flow for each of its legs.
 * For each direction it adds the flows' orders and subtracts the completed orders; see {@link MultisetChecksum}. Each leg
 * multiplies by another factor, so that one leg's flow does not pass for another's.
 */
export class FlowChecksum {
  readonly #checksums = { DEBIT: new MultisetChecksum(), CREDIT: new MultisetChecksum() };

  addFlow({ transferId, direction, leg }: Flow): void {
    (direction === 'DEBIT' ? this.#checksums.DEBIT : this.#checksums.CREDIT).add(transferId, factorOf(leg));
  }

  /** @param legs how many the order has that leave flows. */
  subtractOrder(orderId: string, legs: number): void {
    let factor = 0n;
    for (let leg = 0; leg < legs; leg += 1) factor -= factorOf(leg);
    for (const checksum of Object.values(this.#checksums)) checksum.add(orderId, factor);
  }

  /** The buckets in which flows and orders do not match. */
  unmatchedBuckets(): number[] {
    const { DEBIT, CREDIT } = this.#checksums;
    return [...new Set([...DEBIT.unmatchedBuckets(), ...CREDIT.unmatchedBuckets()])].sort((a, b) => a - b);
  }
}

/** Odd, and far apart, so that no few of them add up to another few. What is no place has that of none. */
const factors = Array.from(
  { length: legsMax },
  (_, leg) => hash('sha256', String(leg), 'buffer').readBigUInt64LE() | 1n,
);

function factorOf(leg: number): bigint {
  return factors[leg] ?? 0n;
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
    for (const { transferId, leg, walletId, direction } of page) {
      const sides = sidesByOrder.get(transferId);
      if (sides === undefined) continue;
      sides.flows[direction] += 1;
      const side = sideOf(direction, leg, walletId);
      sides.missing.set(side, (sides.missing.get(side) ?? 0) - 1);
    }
  }
  for (const [id, { legs, flows, missing }] of sidesByOrder) {
    if ([...missing.values()].every((count) => count === 0)) continue;
    const has = `is COMPLETED with ${flows.DEBIT} DEBIT and ${flows.CREDIT} CREDIT flows`;
    report('order-flows', id, `${has}; there should be ${legs} of each`);
  }
}

/** The flows of an order, and those that its type says. */
interface Sides {
  readonly legs: number;
  readonly flows: Record<Direction, number>;
  /** By {@link sideOf}: how many flows are missing; less than zero if there are too many. */
  readonly missing: Map<string, number>;
}

function sidesOf(order: BookedOrder): Sides {
  const legs = movesOf(order);
  const missing = new Map<string, number>();
  for (const [leg, { sourceWalletId, targetWalletId }] of legs.entries()) {
    missing.set(sideOf('DEBIT', leg, sourceWalletId), 1);
    missing.set(sideOf('CREDIT', leg, targetWalletId), 1);
  }
  return { legs: legs.length, flows: { DEBIT: 0, CREDIT: 0 }, missing };
}

function sideOf(direction: Direction, leg: number, walletId: string): string {
  return `${direction} ${leg} ${walletId}`;
}
