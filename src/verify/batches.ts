import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/** Orders whose others are looked up at once: of each at most as many as an order has legs. */
const ordersAtOnce = 20;

/**
 * Checks of the atomic batches whose orders are in a page that each ends as a whole, and that its first order and the
 * others name each other. They may be posted meanwhile. So what does not agree is read again, each batch in a snapshot. A
 * page without any costs nothing; what is held in memory are the orders of a page, and the others of {@link ordersAtOnce}.
 */
export async function verifyBatches(books: Books, page: readonly BookedOrder[], report: Report): Promise<void> {
  const involved = page.filter((order) => namedBy(order).length > 0);
  const ofPage = new Map(page.map((order) => [order.id, order]));
  for (let first = 0; first < involved.length; first += ordersAtOnce) {
    const part = involved.slice(first, first + ordersAtOnce);
    const missing = part.flatMap(namedBy).filter((id) => !ofPage.has(id));
    const read = await books.findOrders([...new Set(missing)]);
    for (const order of part) {
      if (splitOf(order, (id) => ofPage.get(id) ?? read.get(id)) === undefined) continue;
      const again = await books.atomicBatch(order.firstId ?? order.id, [order.id]);
      const current = again.get(order.id);
      const breach = current === undefined ? undefined : splitOf(current, (id) => again.get(id));
      if (breach !== undefined) report('batch-split', order.id, breach);
    }
  }
}

/** The ids of those that an order of an atomic batch names: the first names the others, and they name it. */
function namedBy({ otherIds = [], firstId }: BookedOrder): readonly string[] {
  return firstId === undefined ? otherIds : [firstId, ...otherIds];
}

/**
 * How an order does not agree with those of its batch that it names; undefined if it does. Their ends are compared with the
 * first's.
 */
function splitOf(order: BookedOrder, find: (id: string) => BookedOrder | undefined): string | undefined {
  if (order.firstId !== undefined) {
    const first = find(order.firstId);
    if (first === undefined) return `names ${order.firstId} as the first of its batch, which does not exist`;
    if (first.otherIds?.includes(order.id) !== true)
      return `names ${first.id} as the first of its batch, which does not name it`;
  }
  for (const id of order.otherIds ?? []) {
    const other = find(id);
    if (other === undefined) return `names ${id} of its batch, which does not exist`;
    if (other.firstId !== order.id)
      return `names ${id} of its batch, which names ${other.firstId ?? 'no order'} as the first`;
    if (other.batchId !== order.batchId)
      return `is of the batch ${order.batchId}, and ${id} is of ${other.batchId ?? 'none'}`;
    if (endOf(other) !== endOf(order)) return `is ${order.status}, and ${id} of its batch is ${other.status}`;
  }
  return undefined;
}

/** How an order ended; one that has not ended may be in any state before that. */
function endOf({ status }: BookedOrder): string {
  return status === 'SCHEDULED' || status === 'PENDING' ? 'none' : status;
}
