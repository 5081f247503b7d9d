import { leastIdAt } from '../domain/ids.ts';
import type { Books } from '../storage/books.ts';
import { settledAfterMs } from '../storage/shared/transaction.ts';

/**
 * Which orders count, as of one moment. An order is in or out for good, with both its flows. So books that are read in parts
 * while orders are posted can still be compared as of that moment.
 */
export interface Cut {
  /** The moment, by MongoDB's clock. */
  readonly asOf: Date;
  /** Whether the order counts. If it was completed by then, both its flows are there for every later read. */
  has(orderId: string): boolean;
}

/**
 * Makes the cut. Ids older than two minutes count, unless their order is PENDING; of newer orders, only those count that are
 * COMPLETED now. An order that is settled while this runs may be in or out. It holds in memory one id for each order that
 * waits, or was created in the last two minutes and completed.
 */
export async function drawCut(books: Books): Promise<Cut> {
  const asOf = await books.now();
  const newFrom = leastIdAt('order', new Date(asOf.getTime() - settledAfterMs));
  const waiting = await collect(books.pendingIdsBefore(newFrom));
  const completed = await collect(books.completedIdsFrom(newFrom));
  return { asOf, has: (orderId) => (orderId < newFrom ? !waiting.has(orderId) : completed.has(orderId)) };
}

async function collect(pages: AsyncIterable<readonly string[]>): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const page of pages) {
    for (const id of page) ids.add(id);
  }
  return ids;
}
