import type { Budget, KeyBudgets } from '../domain/budgets.ts';
import { isExternalWalletId } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import { findType } from '../orders/types.ts';
import type { BookedOrder } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/** How often the orders of a key are counted again, if its budgets are used meanwhile. */
const countsMax = 3;

type Use = Pick<Budget, 'used' | 'usedCount'>;

const none: Use = { used: new Money(0), usedCount: 0 };

/** By key. */
type AllBudgets = ReadonlyMap<string, KeyBudgets>;

/**
 * Compares how much of each key's budgets is used with the key's orders, as verification reads them. Orders may be posted, and
 * budgets set, meanwhile. As long as a budget is the same its use only rises, so what is found lies between what it said before and
 * after; what does not, or began anew, is counted once more by itself. Its memory grows with the number of keys with budgets.
 */
export async function createBudgetRecount(books: Books) {
  const before = await readBudgets(books);
  const found = createUses(before);
  return {
    addOrder(order: BookedOrder): void {
      found.addOrder(order);
    },
    /** Call it once all were added. */
    async compare(report: Report): Promise<void> {
      for (const after of (await readBudgets(books)).values()) {
        if (differences(before.get(after.apiKey), found.of, after).length === 0) continue;
        for (const message of await countAgain(books, after)) report('key-budgets', after.apiKey, message);
      }
    },
  };
}

async function countAgain(books: Books, { apiKey, workspaceId }: KeyBudgets): Promise<readonly string[]> {
  let differing: readonly string[] = [];
  for (let count = 0; count < countsMax; count += 1) {
    const before = await readBudgets(books, apiKey);
    const found = createUses(before);
    for await (const page of books.ordersOf(workspaceId)) for (const order of page) found.addOrder(order);
    const after = (await readBudgets(books, apiKey)).get(apiKey);
    differing = after === undefined ? [] : differences(before.get(apiKey), found.of, after);
    if (differing.length === 0) return [];
  }
  return differing;
}

async function readBudgets(books: Books, apiKey?: string): Promise<AllBudgets> {
  const all = new Map<string, KeyBudgets>();
  for await (const page of books.keyBudgets(apiKey)) for (const ofKey of page) all.set(ofKey.apiKey, ofKey);
  return all;
}

/** What the orders that are added have taken of some budgets. */
function createUses(budgets: AllBudgets) {
  const uses = new Map<Budget, Use>();
  return {
    of: (budget: Budget): Use => uses.get(budget) ?? none,
    addOrder(order: BookedOrder): void {
      const ofKey = order.status === 'COMPLETED' ? budgets.get(order.apiKey ?? '') : undefined;
      if (ofKey === undefined || findType(order.type)?.drawsOnBudget !== true) return;
      for (const budget of ofKey.budgets) {
        const { since, from, currency } = budget;
        if (!((order.budgets ?? 0) >= since && order.completedAt !== null && order.completedAt >= from)) continue;
        const legs = order.legs.filter((leg) => leg.currency === currency && !isExternalWalletId(leg.sourceWalletId));
        if (legs.length === 0) continue;
        const { used, usedCount } = uses.get(budget) ?? none;
        const sum = legs.reduce((total, { amount }) => total.plus(amount), used);
        uses.set(budget, { used: sum, usedCount: usedCount + 1 });
      }
    },
  };
}

/** Which budgets of a key are not as its orders were found to have used them between two reads of them. */
function differences(before: KeyBudgets | undefined, found: (budget: Budget) => Use, after: KeyBudgets): string[] {
  return after.budgets.flatMap((budget) => {
    const was = before?.budgets.find(({ name }) => name === budget.name);
    if (was?.since !== budget.since || was.from.getTime() !== budget.from.getTime())
      return [`${budget.name} began anew while its orders were counted`];
    const { used, usedCount } = found(was);
    const isBetween =
      was.used.lessThanOrEqualTo(used) &&
      used.lessThanOrEqualTo(budget.used) &&
      was.usedCount <= usedCount &&
      usedCount <= budget.usedCount;
    if (isBetween) return [];
    const right = `its orders have taken ${used.toFixed()} by ${usedCount}`;
    return [`${budget.name} says that ${budget.used.toFixed()} are used by ${budget.usedCount}; ${right}`];
  });
}
