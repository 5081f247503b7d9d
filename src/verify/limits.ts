import { areAboutLimits, isTrue } from '../domain/alerts.ts';
import {
  firstMomentOf,
  nothingGiven,
  passes,
  usesOf,
  type Given,
  type Limit,
  type LimitUse,
} from '../domain/limits.ts';
import { availableOf, dateOn } from '../domain/wallet.ts';
import { findType } from '../orders/types.ts';
import type { BookedWallet } from '../storage/booked.ts';
import type { GivenByFlow } from '../storage/booked-limits.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';

/**
 * Checks of a wallet's limits that no order that they judged since they were set passed them by its debits, and of its alerts that they
 * are as the wallet's last change left them. What was held is in no flow, so a limit that was passed with that alone is not seen.
 * Only the wallet's own flows up to its sequence are read, which never change, once for all limits and once more for each; so
 * nothing that is posted meanwhile makes a breach. What is held in memory is a page for each.
 */
export async function verifyLimits(books: Books, wallet: BookedWallet, report: Report): Promise<void> {
  const { limits = [], alerts = [] } = wallet;
  if (limits.length === 0 && alerts.length === 0) return;
  try {
    const windows = limits.map((limit) => createWindow(books, wallet, limit));
    await verifyJudged(books, wallet, windows, report);
    await verifyAlerts(wallet, windows, report);
  } catch (error) {
    // Of a time zone that is not known, and of what is no decimal.
    if (!(error instanceof RangeError || String(error).includes('DecimalError'))) throw error;
    report('wallet-fields', wallet.id, `has a limit or an alert that cannot be read: ${String(error)}`);
  }
}

/** A limit, and what its wallet had given before its window, which only goes forward. */
interface Window {
  readonly limit: Limit;
  readonly before: (at: Date) => Promise<Given>;
}

function createWindow(books: Books, wallet: BookedWallet, limit: Limit): Window {
  let reader: ReturnType<typeof createReader> | undefined;
  let last: Given = nothingGiven;
  return {
    limit,
    async before(at) {
      const first = firstMomentOf(limit.window, at);
      if (first === undefined) return nothingGiven;
      reader ??= createReader(books.givenByFlows(wallet, await books.lastFlowBefore(wallet, first)));
      for (let flow = await reader.takeIf(first); flow !== undefined; flow = await reader.takeIf(first)) last = flow;
      return last;
    },
  };
}

function createReader(pages: AsyncGenerator<GivenByFlow[], void, undefined>) {
  let [page, index]: [readonly GivenByFlow[], number] = [[], 0];
  return {
    /** The next flow, if it is dated before a time. */
    async takeIf(before: Date): Promise<GivenByFlow | undefined> {
      if (index === page.length) [page, index] = [(await pages.next()).value ?? [], 0];
      const next = page[index];
      if (next === undefined || next.createdAt >= before) return undefined;
      index += 1;
      return next;
    },
  };
}

async function verifyJudged(
  books: Books,
  wallet: BookedWallet,
  windows: readonly Window[],
  report: Report,
): Promise<void> {
  const judgedFrom = Math.min(...windows.map(({ limit: { since = 0 } }) => since)) + 1;
  if (judgedFrom > wallet.sequence) return;
  let last: GivenByFlow | undefined;
  let beforeOrder: Given = nothingGiven;
  for await (const page of books.givenByFlows(wallet, judgedFrom - 1)) {
    const passing: { readonly flow: GivenByFlow; readonly limit: Limit; readonly message: string }[] = [];
    for (const flow of page) {
      if (flow.transferId !== last?.transferId) beforeOrder = last ?? nothingGiven;
      last = flow;
      if (flow.direction !== 'DEBIT') continue;
      for (const { limit, before } of windows) {
        if (flow.sequence <= (limit.since ?? 0)) continue;
        const start = limit.window === 'order' ? beforeOrder : await before(flow.createdAt);
        const taken = takenSince(start, flow);
        if (passes({ ...limit, ...taken }, nothingGiven.debits, 0))
          passing.push({ flow, limit, message: shown(taken) });
      }
    }
    const orders = await books.findOrders([...new Set(passing.map(({ flow }) => flow.transferId))]);
    for (const { flow, limit, message } of passing) {
      const order = orders.get(flow.transferId);
      if (order === undefined || findType(order.type)?.isOverLimits?.(order) === true) continue;
      report('limit-passed', flow.id, `the limit ${limit.name} of ${wallet.id} let ${order.id} pass: ${message}`);
    }
  }
}

function takenSince(start: Given, { debits, debitOrders }: Given): Pick<LimitUse, 'used' | 'usedCount'> {
  return { used: debits.minus(start.debits), usedCount: debitOrders - start.debitOrders };
}

function shown({ used, usedCount }: Pick<LimitUse, 'used' | 'usedCount'>): string {
  return `with it ${used.toFixed()} had gone out by ${usedCount} orders`;
}

/**
 * When alerts were judged last is not stored: not before the last flow, and not after the wallet was changed last. Until a change what
 * a limit has used only falls. So one that is true then still must have been raised, and one that was not true before cleared.
 */
async function verifyAlerts(wallet: BookedWallet, windows: readonly Window[], report: Report): Promise<void> {
  const { alerts = [], lastFlowAt, updatedAt } = wallet;
  const usesAt = async (at: Date): Promise<readonly LimitUse[]> => {
    if (!areAboutLimits(alerts)) return [];
    const before: Given[] = [];
    for (const window of windows) before.push(await window.before(at));
    return usesOf(wallet, before, at);
  };
  const [most, least] = [await usesAt(lastFlowAt), await usesAt(dateOn(wallet, updatedAt))];
  const available = availableOf(wallet);
  for (const alert of alerts) {
    const isTrueBy = (uses: readonly LimitUse[]): boolean =>
      isTrue(
        alert,
        available,
        uses.find(({ name }) => name === alert.limitUsed?.limit),
      );
    const right = isTrueBy(least) ? 'raised' : isTrueBy(most) ? alert.state : 'cleared';
    if (alert.state !== right) report('wallet-alerts', wallet.id, `${alert.name} is ${alert.state}, not ${right}`);
  }
}
