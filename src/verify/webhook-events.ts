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
 * says; each event of an alert is one that its wallet has counted. Which endpoints had asked for it then is not known, so an entry
 * that is missing is not seen.
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
    await verifyAlertEvents(books, page, report);
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

/** An event of an alert, and the entry that tells it. */
type BookedAlert = NonNullable<BookedEntry['alerts']>[number] & { readonly entryId: string };

/** Of the entries that are read together: each wallet counts its events once, and an alert is cleared only after it was raised. */
async function verifyAlertEvents(books: Books, page: readonly BookedEntry[], report: Report): Promise<void> {
  const events = page.flatMap(({ id: entryId, workspaceId, alerts = [] }) =>
    alerts.map((event): BookedAlert => ({ ...event, workspaceId, entryId })),
  );
  if (events.length === 0) return;
  const byWallet = Map.groupBy(events, ({ walletId }) => walletId);
  const wallets = await books.inSnapshot((session) => books.findWallets([...byWallet.keys()], session));
  for (const [walletId, ofWallet] of byWallet) {
    const wallet = wallets.get(walletId);
    for (const { entryId, workspaceId, number } of ofWallet)
      if (wallet?.workspaceId !== workspaceId || !(number <= (wallet.alertEvents ?? 0)))
        report('outbox', entryId, `tells ${workspaceId} of alert event ${number} of ${walletId}, which it has not`);
    for (const { entryId, number, name, state } of outOfTurn(ofWallet))
      report('outbox', entryId, `tells that ${name} of ${walletId} was ${state} by its event ${number}, out of turn`);
  }
}

/**
 * Those whose number an earlier one has, and those that clear what was not raised, as far as all events in between are there. An
 * alert that is set anew begins as cleared without an event, so it may be raised twice.
 */
function outOfTurn(ofWallet: readonly BookedAlert[]): BookedAlert[] {
  const states = new Map<string, string>();
  let [last, areAll] = [0, true];
  return ofWallet
    .toSorted((a, b) => a.number - b.number)
    .filter(({ number, name, state }) => {
      if (number === last) return true;
      if (number !== last + 1) {
        states.clear();
        areAll = false;
      }
      const was = states.get(name) ?? (areAll ? 'cleared' : undefined);
      last = number;
      states.set(name, state);
      return state === 'cleared' && was === 'cleared';
    });
}
