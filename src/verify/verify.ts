import { orderStatuses } from '../orders/order.ts';
import type { BookedFlow, BookedOrder } from '../storage/booked.ts';
import type { BookName, Books } from '../storage/books.ts';
import type { Breach, Report } from './breach.ts';
import { drawCut, type Cut, createSums, type Sums } from './cut.ts';
import { verifyBatches } from './batches.ts';
import { verifyReleasing } from './due.ts';
import { createFlowless } from './flowless.ts';
import { verifyNames } from './names.ts';
import { disagreement, earliness, faultOf, isAsOrdered, movesOf } from './order.ts';
import { verifyWebhookEvents } from './webhook-events.ts';
import { createBudgetRecount } from './budgets.ts';
import { createHeld } from './held.ts';
import { createRecount } from './recount.ts';
import { findUnmatched, FlowChecksum } from './flow-checksum.ts';
import { verifyUses } from './uses.ts';
import { verifyWallets } from './wallets.ts';

/** @param total about; undefined where it is not known. */
type OnProgress = (book: BookName, done: number, total: number | undefined) => void;

/** Times are MongoDB's, in ISO 8601. */
export type VerifySummary = Awaited<ReturnType<typeof verify>>;

/**
 * Checks the invariants of the books, from what is stored alone, in one pass over flows and wallets and one over orders. Its
 * memory grows with the number of workspaces, and not with their books. It may run while orders are posted; it neither misses
 * nor invents a breach in what was posted before it began. Why that is: docs/architecture.md, "Decisions worth knowing".
 * Source: docs/contract.md, "Invariants".
 */
export async function verify(books: Books, onBreach: (breach: Breach) => void, onProgress?: OnProgress) {
  let breaches = 0;
  const report: Report = (kind, id, message) => {
    breaches += 1;
    onBreach({ kind, id, message });
  };
  const cut = await drawCut(books);
  for (const book of ['wallets', 'flows', 'orders'] as const) {
    for (const id of await books.strayIds(book))
      report('stray-id', id, `a document of ${book} has an id that is not text`);
  }
  const checksum = new FlowChecksum();
  const sums = createSums(cut);
  const counts = await createRecount(books);
  const held = createHeld(books, cut.newFrom);
  const flowless = createFlowless(books);
  const budgets = await createBudgetRecount(books);
  let flows = 0;
  const flowTotal = await books.count('flows');
  const wallets = await verifyWallets(books, report, {
    onWallet: (wallet) => {
      sums.addWallet(wallet);
      counts.addWallet(wallet);
      held.addWallet(wallet);
      flowless.addWallet(wallet);
    },
    onFlow: (booked) => {
      sums.addFlow(booked.flow);
      return verifyFlowOrder(books, booked, cut, checksum, report);
    },
    onPage: (done) => {
      flows = done;
      onProgress?.('flows', done, flowTotal);
    },
  });
  const flowsReadUntil = await books.now();
  const sumsByCurrency = verifySums(sums, report);
  const orderTotal = await books.count('orders');
  const orders = await verifyOrders(
    books,
    cut,
    report,
    (order, isInCut) => {
      counts.addOrder(order);
      held.addOrder(order);
      flowless.addOrder(order);
      budgets.addOrder(order);
      if (order.status === 'COMPLETED' && isInCut) checksum.subtractOrder(order.id, movesOf(order).length);
    },
    (done) => onProgress?.('orders', done, orderTotal),
  );
  const ordersReadUntil = await books.now();
  await counts.compare(report);
  await held.compare(report);
  await flowless.compare(report);
  await budgets.compare(report);
  await verifyWebhookEvents(books, report);
  const unmatched = checksum.unmatchedBuckets();
  if (unmatched.length > 0) await findUnmatched(books, unmatched, orders.count, cut, report);
  const { count, byStatus, completedSince } = orders;
  return {
    /** The moment of the cut, as of which the sums, and the flows of the orders, are checked. */
    asOf: cut.asOf.toISOString(),
    /** Wallets and flows as they were found between `asOf` and `flowsReadUntil`. */
    wallets,
    flows,
    flowsReadUntil: flowsReadUntil.toISOString(),
    /** As they were found between `flowsReadUntil` and `ordersReadUntil`. */
    orders: count,
    byStatus,
    /** Orders COMPLETED after `asOf`. Their flows were checked as far as they were seen. */
    ordersSince: completedSince,
    ordersReadUntil: ordersReadUntil.toISOString(),
    /** Sums of all balances, as of `asOf`, as exact decimals. In sound books each is 0. */
    sumsByCurrency,
    breaches,
  };
}

function verifySums(sums: Sums, report: Report): Record<string, string> {
  const byCurrency = sums.byCurrency();
  for (const [currency, sum] of byCurrency) {
    if (!sum.isZero()) report('currency-sum', currency, `the balances of all wallets sum to ${sum.toFixed()}`);
  }
  return Object.fromEntries(byCurrency.map(([currency, sum]) => [currency, sum.toFixed()]));
}

/** Synchronous unless something is wrong, since it runs for every flow. */
function verifyFlowOrder(
  books: Books,
  { flow, order }: BookedFlow,
  cut: Cut,
  checksum: FlowChecksum,
  report: Report,
): void | Promise<void> {
  if (order?.status === 'COMPLETED' && cut.has(order.id)) checksum.addFlow(flow);
  // The order's own times are checked with it.
  if (order?.executeAt !== undefined && flow.createdAt < order.executeAt && earliness(order) === undefined)
    report('posted-early', order.id, `has a flow of ${flow.createdAt.toISOString()}, before its time`);
  if (order?.status === 'COMPLETED' && isAsOrdered(flow, order)) return;
  return books.findOrder(flow.transferId).then((again) => {
    const confirmed = disagreement(flow, again);
    if (confirmed !== undefined) report(confirmed.kind, flow.id, confirmed.message);
  });
}

async function verifyOrders(
  books: Books,
  cut: Cut,
  report: Report,
  onOrder: (order: BookedOrder, isInCut: boolean) => void,
  onPage: (done: number) => void,
): Promise<{ count: number; byStatus: Record<string, number>; completedSince: number }> {
  const byStatus: Record<string, number> = Object.fromEntries(orderStatuses.map((status) => [status, 0]));
  let count = 0;
  let completedSince = 0;
  for await (const page of books.orders()) {
    for (const order of page) {
      byStatus[order.status] = (byStatus[order.status] ?? 0) + 1;
      const isInCut = cut.has(order.id);
      if (order.status === 'COMPLETED' && !isInCut) completedSince += 1;
      onOrder(order, isInCut);
      const fault = faultOf(order);
      if (fault !== undefined) report(fault.kind, order.id, fault.message);
      const early = earliness(order);
      if (early !== undefined) report('posted-early', order.id, early);
    }
    // Read after them, so that each is as it was then, or further on.
    const parents = await books.findOrders([...new Set(page.flatMap(({ parentId = [] }) => parentId))]);
    await verifyNames(books, page, parents, report);
    await verifyReleasing(books, page, report);
    await verifyUses(books, page, parents, report);
    await verifyBatches(books, page, report);
    count += page.length;
    onPage(count);
  }
  return { count, byStatus, completedSince };
}
