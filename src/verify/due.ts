import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import { isKnownType, typeOf } from '../orders/types.ts';
import type { Report } from './breach.ts';
import { isReleasing } from './order.ts';

/**
 * Checks of the holds of a page that say that their expiry's order releases what remains, that there is such an order. It may be
 * posted meanwhile, so a hold that has none is read again, with it, in a snapshot. A page without any costs nothing.
 */
export async function verifyReleasing(books: Books, page: readonly BookedOrder[], report: Report): Promise<void> {
  for (const { id, workspaceId } of await unreleased(books, page.filter(isReleasing))) {
    const again = await books.inSnapshot(async (session) => {
      const { parents } = await books.usesOf([id], [workspaceId], session);
      return unreleased(books, [...parents.values()].filter(isReleasing), session);
    });
    if (again.length > 0) report('order-due', id, 'is held and never due, and no order releases what remains of it');
  }
}

async function unreleased(
  books: Books,
  holds: readonly BookedOrder[],
  session?: Parameters<Books['unsettledUses']>[2],
): Promise<readonly BookedOrder[]> {
  if (holds.length === 0) return [];
  const ids = holds.map(({ id }) => id);
  const workspaceIds = [...new Set(holds.map(({ workspaceId }) => workspaceId))];
  const uses = await books.unsettledUses(ids, workspaceIds, session);
  const released = new Set(uses.filter(isExpiry).map(({ parentId }) => parentId));
  return holds.filter(({ id }) => !released.has(id));
}

function isExpiry(use: BookedOrder): boolean {
  return isKnownType(use.type) && typeOf(use).parent?.uses(use).isExpiry === true;
}
