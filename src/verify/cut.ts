import { leastIdAt } from '../domain/ids.ts';
import type { Books } from '../storage/books.ts';
import { settledAfterMs } from '../storage/settled-counts.ts';

/**
 * Which orders are looked at as of one moment, whenever their flows are read. An order is in or out for good, with both
 * its flows, so that books read in parts, while orders are posted, are still compared as of that moment.
 */
export interface Cut {
  /** The moment, by MongoDB's clock. */
  readonly asOf: Date;
  /** Whether the order was settled then: both its flows are there for whoever looks from now on. */
  has(orderId: string): boolean;
}

/**
 * Draws the cut: of the orders whose ids are older than a row can be on its way, all but those that are PENDING; of the
 * newer ones those that are COMPLETED now. What is settled while this runs may be in or out. It holds one id in memory
 * for each order that waits or was completed in the last two minutes.
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
