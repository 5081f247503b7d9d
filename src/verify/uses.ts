import { noProgress, progressParts, remainingOf } from '../domain/progress.ts';
import { Money } from '../domain/money.ts';
import type { Use } from '../orders/type.ts';
import { findType } from '../orders/types.ts';
import type { BookedOrder, BookedUse } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/**
 * Compares how far orders are with the COMPLETED orders that refer to them: those of a page that were used, and those that the
 * page's own refer to. They may be posted meanwhile. So those that do not agree are read again, each in a snapshot. A page
 * without any costs nothing.
 */
export async function verifyUses(
  books: Books,
  page: readonly BookedOrder[],
  parentsOfPage: ReadonlyMap<string, BookedOrder>,
  report: Report,
): Promise<void> {
  const involved = page.filter(({ progress, parentId }) => progress !== undefined || parentId !== undefined);
  if (involved.length === 0) return;
  const used = new Map<string, string>();
  for (const { id, workspaceId, progress } of involved) if (progress !== undefined) used.set(id, workspaceId);
  for (const [id, workspaceId] of unused(involved, parentsOfPage)) used.set(id, workspaceId);
  for (const id of await disagreeing(books, used)) {
    const workspaceId = used.get(id) ?? '';
    const again = await books.inSnapshot((session) => books.usesOf([id], [workspaceId], session));
    const breach = disagreement(again.parents.get(id), again.uses);
    if (breach !== undefined) report('order-uses', id, breach);
  }
}

/**
 * Of the orders that COMPLETED ones of a page refer to, those that do not say that they were used, or are not there. The others
 * are compared with their own page, once, however many refer to them.
 */
function unused(page: readonly BookedOrder[], parents: ReadonlyMap<string, BookedOrder>): Map<string, string> {
  const referredTo = new Map<string, string>();
  for (const { workspaceId, parentId, status } of page)
    if (parentId !== undefined && status === 'COMPLETED' && parents.get(parentId)?.progress === undefined)
      referredTo.set(parentId, workspaceId);
  return referredTo;
}

async function disagreeing(books: Books, used: ReadonlyMap<string, string>): Promise<string[]> {
  if (used.size === 0) return [];
  const { parents, uses } = await books.usesOf([...used.keys()], [...new Set(used.values())]);
  const byParent = Map.groupBy(uses, ({ parentId }) => parentId);
  return [...used.keys()].filter((id) => disagreement(parents.get(id), byParent.get(id) ?? []) !== undefined);
}

/** How an order is not as the orders that refer to it say; undefined if it is. */
function disagreement(parent: BookedOrder | undefined, uses: readonly BookedUse[]): string | undefined {
  if (parent === undefined) return 'does not exist, and COMPLETED orders refer to it';
  const { changes, status } = parent;
  if (status !== 'COMPLETED') return `is ${status}, and COMPLETED orders have used it`;
  const used: UseOfLeg[] = [];
  for (const use of uses) {
    const rule = findType(use.type)?.parent;
    if (rule === undefined || rule.refusesType(findType(parent.type)) !== undefined)
      return `is a ${parent.type}, and a ${use.type} refers to it`;
    if (parent.legs[use.leg] === undefined) return `has no leg ${use.leg}, which a ${use.type} has used`;
    used.push({ ...use, ...rule.uses(use) });
  }
  for (const place of parent.legs.keys()) {
    const ofLeg = used.filter(({ leg }) => leg === place);
    const of = disagreementOfLeg(parent, place, ofLeg);
    if (of !== undefined) return parent.namesLegs ? `leg ${place}: ${of}` : of;
  }
  const count = uses.reduce((sum, use) => sum + use.count, 0);
  // Several that were posted together have changed it once. One that says none would never be found again by its guard.
  if (changes > count || (changes < 1 && count > 0) || !Number.isInteger(changes))
    return `says that it was changed ${changes} times, by ${count} orders`;
  return undefined;
}

/** Orders that use one leg of an order, and as what. */
type UseOfLeg = BookedUse & Use;

/** @param uses of one of its legs. */
function disagreementOfLeg(parent: BookedOrder, place: number, uses: readonly UseOfLeg[]): string | undefined {
  const progress = parent.progress?.[place] ?? noProgress;
  const amount = parent.legs[place]?.amount ?? new Money(NaN);
  const sums = { reversed: new Money(0), captured: new Money(0), released: new Money(0) };
  let [isClosed, isExpired] = [false, false];
  for (const { part, closes, isExpiry = false, amount: by } of uses) {
    sums[part] = sums[part].plus(by);
    isClosed ||= closes;
    isExpired ||= isExpiry;
  }
  // What closes an order releases what is left of it, which only the order itself says.
  if (isClosed) sums.released = amount.minus(sums.captured);
  for (const part of progressParts) {
    const [says, is] = [progress[part], sums[part]];
    if (!says.equals(is)) return `says that ${says.toFixed()} was ${part}, its orders did ${is.toFixed()}`;
  }
  if (progress.hasExpired !== isExpired)
    return `says that its expiry ${progress.hasExpired ? 'released' : 'did not release'} the last of it, its orders do not`;
  const left = remainingOf({ amount, progress });
  return left.isNegative() ? `is of ${amount.toFixed()}, and more was used: ${left.toFixed()} is left` : undefined;
}
