import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { systemClock, type Clock } from '../../clock.ts';
import type { Order } from '../../orders/order.ts';
import { createChanges } from '../shared/changes.ts';
import { byId, inOneReply } from '../shared/commands.ts';
import { unwrapped } from '../shared/transaction.ts';
import { cancelledTotals, type TotalsDocument } from '../wallets/totals.ts';
import type { WalletDocument } from '../wallets/documents.ts';
import { openWebhookEndpoints } from '../webhooks/endpoints.ts';
import { newEntry, type OutboxEntry } from '../webhooks/outbox.ts';
import { toOrder, type OrderDocument } from './documents.ts';

interface OrderName {
  readonly workspaceId: string;
  readonly id: string;
  /** Until whoever asks is told that it took too long; absent for the administrator, who waits. */
  readonly timeLeftMs?: () => number;
}

/** An order as it was cancelled, and what that leaves for webhooks. */
export interface Cancelled {
  readonly order: Order;
  /** Undefined if no endpoint asked for it. One entry may be that of several orders. */
  readonly entry: OutboxEntry | undefined;
}

/**
 * Cancels an order that is SCHEDULED, for good, with all that counts it and tells of it, or does nothing. Of several cancels,
 * and of a cancel and the order's time, exactly one wins. Those of a workspace that come at once share a transaction, because
 * they are often of one source. A posting that knew their wallets before is folded again.
 * @returns undefined if the order is not SCHEDULED; a repetition finds it so, if the first was made and its answer was lost.
 * @throws ContendedError a wallet was posted too often meanwhile; TimeoutError no time was left: nothing was then changed, nor
 * will be, unless the commit was sent by then.
 */
export type CancelOrder = (order: OrderName) => Promise<Cancelled | undefined>;

export function openCancels(db: Db, clock: Clock = systemClock): CancelOrder {
  return createChanges(db.client, (asked: readonly OrderName[], session) => cancelAll(db, asked, clock, session));
}

/** @param asked of one workspace. */
async function cancelAll(
  db: Db,
  asked: readonly OrderName[],
  clock: Clock,
  session: ClientSession,
): Promise<(Cancelled | undefined)[]> {
  const [first] = asked;
  if (first === undefined) return [];
  const { workspaceId } = first;
  const ids = [...new Set(asked.map(({ id }) => id))];
  const orders = db.collection<OrderDocument>('orders');
  // Asked in each run, which may come seconds later, and at once, because a wallet may be posted as long as this takes.
  const subscribing = openWebhookEndpoints(db, clock).subscribers([workspaceId]);
  // If a read below fails first, nobody awaits this.
  subscribing.catch(() => undefined);
  const scheduled = { workspaceId, _id: { $in: ids }, status: 'SCHEDULED' as const };
  const found = await orders.find(scheduled, { session, ...inOneReply(ids.length), ...byId }).toArray();
  if (found.length === 0) return asked.map(() => undefined);
  // None is cancelled before it was made, if this clock is behind.
  const at = new Date(Math.max(clock().getTime(), ...found.map(({ createdAt }) => createdAt.getTime())));
  const changed = { status: 'CANCELLED', dueAt: null, updatedAt: at } as const;
  await orders.updateMany(scheduled, { $set: changed }, { session, ...byId });
  const wallets = db.collection<WalletDocument | TotalsDocument>('wallets');
  await unwrapped(wallets.bulkWrite(countsOf(workspaceId, found, at), { session }));
  const cancelled = found.map(({ _id }) => _id);
  const entry = newEntry(workspaceId, { completed: [], failed: [], cancelled }, await subscribing, at);
  if (entry !== undefined) await db.collection<OutboxEntry>('webhookOutbox').insertOne(entry, { session });
  const toTell = new Map(found.map((document) => [document._id, document]));
  return asked.map(({ id }) => {
    const document = toTell.get(id);
    // Of two that ask for one order, the first has cancelled it.
    toTell.delete(id);
    return document === undefined ? undefined : { order: toOrder({ ...document, ...changed }), entry };
  });
}

/** Each wallet that an order names has one order more that is CANCELLED, and so has its workspace. */
function countsOf(
  workspaceId: string,
  orders: readonly OrderDocument[],
  at: Date,
): AnyBulkWriteOperation<WalletDocument | TotalsDocument>[] {
  const byWallet = new Map<string, Record<string, number>>();
  for (const { type, wallets } of orders) {
    const count = `orders.${type}.CANCELLED`;
    for (const id of wallets) {
      const ofWallet = byWallet.get(id) ?? { version: 1 };
      ofWallet[count] = (ofWallet[count] ?? 0) + 1;
      byWallet.set(id, ofWallet);
    }
  }
  const ofWallets = [...byWallet].map(([_id, by]) => ({
    updateOne: { filter: { workspaceId, _id }, update: { $inc: by, $max: { updatedAt: at } }, ...byId },
  }));
  const { filter, update } = cancelledTotals(workspaceId, orders);
  return [...ofWallets, { updateOne: { filter, update, upsert: true, ...byId } }];
}
