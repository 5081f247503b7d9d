import { setTimeout as delay } from 'node:timers/promises';
import type { BookedFlow, BookName, Books } from '../storage/books.ts';
import type { Breach, Report } from './verifyBreach.ts';
import { disagreement, isCompletedBy, unfitFields } from './verifyOrder.ts';
import { createTally } from './verifyTally.ts';
import type { Tally } from './verifyTally.ts';
import { findUnmatched } from './verifyUnmatched.ts';
import { verifyWallets } from './verifyWallets.ts';

export interface VerifyOptions {
  readonly books: Books;
  readonly onBreach: (breach: Breach) => void;
  /** @param total about; undefined where it is not known. */
  readonly onProgress?: (book: BookName, done: number, total: number | undefined) => void;
}

export interface VerifySummary {
  readonly wallets: number;
  readonly flows: number;
  readonly orders: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Exact decimals; every one is 0 in sound books. */
  readonly sumsByCurrency: Readonly<Record<string, string>>;
  /** Completed since the verification began: their flows were checked as far as they were seen. */
  readonly ordersSince: number;
  readonly breaches: number;
}

const settleMs = 2_000;

/**
 * Checks the five invariants of the books, from what is stored alone: it shares no code with posting but the hash's
 * definition. One pass over flows and wallets, one over orders; memory does not grow with either.
 *
 * It may run while orders are posted, and then neither misses nor invents a breach in what was posted before it began:
 * sums are taken in one snapshot; flows never change and are committed together with their wallets and orders, so a
 * wallet or order that does not fit its flows is read again, in a snapshot, before it counts as a breach; an order
 * must have both its flows if it was completed when the verification began. The times of completion are the workers':
 * one whose clock is ahead leaves its last orders to the next run, counted in `ordersSince`. Source: decisions,
 * "Invariants"; of the fifth, that every accepted order ends, the books can show only the counts by status.
 */
export async function verify({ books, onBreach, onProgress }: VerifyOptions): Promise<VerifySummary> {
  let breaches = 0;
  const report: Report = (kind, id, message) => {
    breaches += 1;
    onBreach({ kind, id, message });
  };
  const began = new Date();
  // An order whose posting is under way may be given an earlier time than this: let it land before its flows are read.
  if (await books.hasPending()) await delay(settleMs);

  const sumsByCurrency = await verifySums(books, report);
  for (const book of ['wallets', 'flows', 'orders'] as const) {
    for (const id of await books.strayIds(book))
      report('stray-id', id, `a document of ${book} has an id that is not text`);
  }
  const tally = createTally();
  let flows = 0;
  const flowTotal = await books.count('flows');
  const wallets = await verifyWallets({
    books,
    report,
    onFlow: (flow) => verifyFlowOrder(books, flow, began, tally, report),
    onPage: (done) => {
      flows = done;
      onProgress?.('flows', done, flowTotal);
    },
  });
  const orders = await verifyOrders(books, began, tally, report, onProgress);
  const unmatched = tally.unmatchedBuckets();
  if (unmatched.length > 0) await findUnmatched(books, unmatched, orders.count, began, report);
  const { count, byStatus, since } = orders;
  return { wallets, flows, orders: count, byStatus, sumsByCurrency, ordersSince: since, breaches };
}

async function verifySums(books: Books, report: Report): Promise<Record<string, string>> {
  const sums = [...(await books.sumsByCurrency())].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [currency, sum] of sums) {
    if (!sum.isZero()) report('currency-sum', currency, `the balances of all wallets sum to ${sum.toFixed()}`);
  }
  return Object.fromEntries(sums.map(([currency, sum]) => [currency, sum.toFixed()]));
}

/** Synchronous unless something is wrong, since it runs for every flow. */
function verifyFlowOrder(
  books: Books,
  { flow, order }: BookedFlow,
  began: Date,
  tally: Tally,
  report: Report,
): void | Promise<void> {
  if (order !== undefined && isCompletedBy(order, began)) tally.addFlow(order.id, flow.direction);
  if (disagreement(flow, order) === undefined) return;
  return books.findOrder(flow.transferId).then((again) => {
    const confirmed = disagreement(flow, again);
    if (confirmed !== undefined) report(confirmed.kind, flow.id, confirmed.message);
  });
}

async function verifyOrders(
  books: Books,
  began: Date,
  tally: Tally,
  report: Report,
  onProgress: VerifyOptions['onProgress'],
): Promise<{ count: number; byStatus: Record<string, number>; since: number }> {
  const total = await books.count('orders');
  const byStatus: Record<string, number> = { PENDING: 0, COMPLETED: 0, FAILED: 0 };
  let count = 0;
  let since = 0;
  for await (const page of books.orders()) {
    for (const order of page) {
      byStatus[order.status] = (byStatus[order.status] ?? 0) + 1;
      if (isCompletedBy(order, began)) tally.subtractOrder(order.id);
      else if (order.status === 'COMPLETED') since += 1;
      const unfit = unfitFields(order);
      if (unfit !== undefined) report('order-fields', order.id, unfit);
    }
    count += page.length;
    onProgress?.('orders', count, total);
  }
  return { count, byStatus, since };
}
