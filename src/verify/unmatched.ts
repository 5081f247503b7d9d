import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import type { Cut } from './cut.ts';
import { hasFlows } from './order.ts';
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
  const found = new Map<string, { debits: number; credits: number }>();
  for await (const page of books.orders()) {
    for (const order of page) {
      const isDue = order.status === 'COMPLETED' && hasFlows(order.type) && cut.has(order.id);
      if (isDue && buckets.has(bucketOf(order.id))) found.set(order.id, { debits: 0, credits: 0 });
    }
  }
  for await (const page of books.flowMarks()) {
    for (const { transferId, direction } of page) {
      const counts = found.get(transferId);
      if (counts === undefined) continue;
      if (direction === 'DEBIT') counts.debits += 1;
      else counts.credits += 1;
    }
  }
  for (const [id, { debits, credits }] of found) {
    if (debits === 1 && credits === 1) continue;
    report('order-flows', id, `is COMPLETED with ${debits} DEBIT and ${credits} CREDIT flows`);
  }
}
