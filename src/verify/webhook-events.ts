import type { BookedEntry } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import { isLongBefore, shown, timeIn } from './times.ts';

/** Orders that one command looks up. */
const readAtOnceMax = 2_000;

/** How an order ended, as an entry of the outbox says. */
interface ReportedEnd {
  readonly entryId: string;
  readonly workspaceId: string;
  readonly orderId: string;
  readonly status: string;
}

/**
 * Checks that what was written for webhooks is so: each order that an entry tells of is its workspace's, and has ended as it
 * says. Which endpoints had asked for it then is not known, so an entry that is missing is not seen.
 */
export async function verifyWebhookEvents(books: Books, report: Report): Promise<void> {
  let waiting: ReportedEnd[] = [];
  for await (const page of books.outbox()) {
    for (const entry of page) {
      const madeAt = timeIn('webhookBatch', entry.id);
      if (madeAt === undefined || isLongBefore(entry.createdAt, madeAt) || isLongBefore(madeAt, entry.createdAt))
        report('outbox', entry.id, `was written at ${shown(entry.createdAt)}, its id says ${shown(madeAt)}`);
      waiting.push(...endsIn(entry));
      if (waiting.length < readAtOnceMax) continue;
      await verifyEnds(books, waiting, report);
      waiting = [];
    }
  }
  await verifyEnds(books, waiting, report);
}

function endsIn({ id: entryId, workspaceId, completed, failed, cancelled = [] }: BookedEntry): ReportedEnd[] {
  const ended = { COMPLETED: completed, FAILED: failed, CANCELLED: cancelled };
  return Object.entries(ended).flatMap(([status, ids]) =>
    ids.map((orderId) => ({ entryId, workspaceId, orderId, status })),
  );
}

async function verifyEnds(books: Books, ends: readonly ReportedEnd[], report: Report): Promise<void> {
  const ids = [...new Set(ends.map(({ orderId }) => orderId))];
  const orders = await books.findOrders(ids);
  for (const { entryId, workspaceId, orderId, status } of ends) {
    const isSo = (order: { readonly status: string; readonly workspaceId: string } | undefined): boolean =>
      order?.status === status && order.workspaceId === workspaceId;
    if (isSo(orders.get(orderId)) || isSo(await books.findOrder(orderId))) continue;
    report('outbox', entryId, `tells ${workspaceId} that ${orderId} is ${status}; it ${describe(orders.get(orderId))}`);
  }
}

function describe(order: { readonly status: string; readonly workspaceId: string } | undefined): string {
  return order === undefined ? 'does not exist' : `is ${order.status}, of ${order.workspaceId}`;
}
