import type { BookedEntry } from '../storage/booked.ts';
import type { Books } from '../storage/books.ts';
import type { Report } from './breach.ts';
import { isLongBefore, shown, timeIn } from './times.ts';

/** Orders that one command looks up. */
const readAtOnceMax = 2_000;

/** An order, and how an entry says that it ended. */
interface Told {
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
  let waiting: Told[] = [];
  for await (const page of books.outbox()) {
    for (const entry of page) {
      const madeAt = timeIn('webhookBatch', entry.id);
      if (madeAt === undefined || isLongBefore(entry.createdAt, madeAt) || isLongBefore(madeAt, entry.createdAt))
        report('outbox', entry.id, `was written at ${shown(entry.createdAt)}, its id says ${shown(madeAt)}`);
      waiting.push(...toldBy(entry));
      if (waiting.length < readAtOnceMax) continue;
      await verifyTold(books, waiting, report);
      waiting = [];
    }
  }
  await verifyTold(books, waiting, report);
}

function toldBy({ id: entryId, workspaceId, completed, failed, cancelled = [] }: BookedEntry): Told[] {
  const ended = { COMPLETED: completed, FAILED: failed, CANCELLED: cancelled };
  return Object.entries(ended).flatMap(([status, ids]) =>
    ids.map((orderId) => ({ entryId, workspaceId, orderId, status })),
  );
}

async function verifyTold(books: Books, told: readonly Told[], report: Report): Promise<void> {
  const ids = [...new Set(told.map(({ orderId }) => orderId))];
  const orders = await books.findOrders(ids);
  for (const each of told) {
    const { entryId, workspaceId, orderId, status } = each;
    const isSo = (order: { readonly status: string; readonly workspaceId: string } | undefined): boolean =>
      order?.status === status && order.workspaceId === workspaceId;
    if (isSo(orders.get(orderId)) || isSo(await books.findOrder(orderId))) continue;
    const is = orders.get(orderId);
    report('outbox', entryId, `tells ${workspaceId} that ${orderId} is ${status}; it ${describe(is)}`);
  }
}

function describe(order: { readonly status: string; readonly workspaceId: string } | undefined): string {
  return order === undefined ? 'does not exist' : `is ${order.status}, of ${order.workspaceId}`;
}
