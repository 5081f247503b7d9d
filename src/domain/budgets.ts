import { isExternalWalletId } from './ids.ts';
import { passes, periodAt, type CalendarWindow, type LimitUse } from './limits.ts';
import { Money } from './money.ts';
import type { Failure, Move } from './effects.ts';

/** How much the orders of an API key may take in a currency: an amount, a number of orders, or both. */
export interface Budget {
  /** Unique among those of its key. */
  readonly name: string;
  readonly currency: string;
  readonly amount: Money;
  readonly count?: number;
  readonly window: 'total' | CalendarWindow;
  /** When it was set, by the version of the key's budgets. Orders count that were posted by that or a later one. */
  readonly since: number;
  /** The first moment of the window in which it was used last, or when it was set. */
  readonly from: Date;
  /** What was taken since then, and by how many orders. */
  readonly used: Money;
  readonly usedCount: number;
}

/** The budgets of a key. */
export interface KeyBudgets {
  /** The key's public identifier. */
  readonly apiKey: string;
  readonly workspaceId: string;
  /** By name. */
  readonly budgets: readonly Budget[];
  /** Counts each time that the administrator changed them. */
  readonly version: number;
  /** Counts each time that they were used or changed: the guard of a conditional update. */
  readonly changes: number;
}

const nothing = new Money(0);

/** A budget at a moment: of a new day, week or month nothing is used. It never goes back to one that has ended. */
export function budgetAt(budget: Budget, at: Date): Budget {
  const { window, from } = budget;
  if (window === 'total') return budget;
  const period = periodAt(window, at > from ? at : from);
  return period.from > from ? { ...budget, from: period.from, used: nothing, usedCount: 0 } : budget;
}

/** A budget with its use at a moment, of the shape of a limit's. */
export function budgetUse(budget: Budget, at: Date): LimitUse {
  const { since: _, from, ...use } = budgetAt(budget, at);
  const { window } = use;
  return { ...use, resetsAt: window === 'total' ? null : periodAt(window, at > from ? at : from).to };
}

/**
 * What an order takes counts towards the budgets of the key that made it, leg by leg; what comes from the world outside takes
 * nothing. Pure.
 * @returns the budgets as it leaves them; or which of them it would pass, the first by name, and with which leg.
 */
export function drawOn(
  { budgets, ...key }: KeyBudgets,
  legs: readonly Move[],
  at: Date,
): KeyBudgets | (Failure & { readonly leg: number }) {
  const drafts = new Map(budgets.map((budget) => [budget, budgetAt(budget, at)]));
  const drawn = new Set<Budget>();
  for (const [leg, { sourceWalletId, amount, currency }] of legs.entries()) {
    if (isExternalWalletId(sourceWalletId)) continue;
    for (const [budget, draft] of drafts) {
      if (budget.currency !== currency) continue;
      const ordersMore = drawn.has(budget) ? 0 : 1;
      const limit = budgetUse(draft, at);
      if (passes(limit, amount, ordersMore)) return { name: 'KEY_BUDGET_EXCEEDED', leg, limit };
      drawn.add(budget);
      drafts.set(budget, { ...draft, used: draft.used.plus(amount), usedCount: draft.usedCount + ordersMore });
    }
  }
  return { ...key, budgets: [...drafts.values()] };
}
