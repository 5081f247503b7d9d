import type { Db } from 'mongodb';
import { systemClock } from '../../clock.ts';
import { foldCancels } from '../../orders/fold.ts';
import type { Order } from '../../orders/order.ts';
import { createPostedWrites } from '../group-writes.ts';
import { createChanges, type WorkspaceChange } from '../shared/changes.ts';
import { byId, inOneReply } from '../shared/commands.ts';
import type { DateIn } from '../test-clocks.ts';
import { openWallets } from '../wallets/wallets.ts';
import { openWebhookEndpoints } from '../webhooks/endpoints.ts';
import { entriesOf, type OutboxEntry } from '../webhooks/outbox.ts';
import { toOrder, toOrderToPost, type OrderDocument } from './documents.ts';

/** The part of a workspace's totals that all cancels share. */
const ofCancels = 'cancelled';

interface OrderName extends WorkspaceChange {
  readonly id: string;
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

/** @param dateIn dates them. */
export function openCancels(db: Db, dateIn: DateIn = () => Promise.resolve(systemClock())): CancelOrder {
  return createChanges(db.client, async (workspaceId, names: readonly OrderName[], session) => {
    // Asked in each run, which may come seconds later, and at once, because a wallet may be posted as long as this takes.
    const subscribing = openWebhookEndpoints(db).subscribers([workspaceId]);
    // If a read below fails first, nobody awaits this.
    subscribing.catch(() => undefined);
    const ids = [...new Set(names.map(({ id }) => id))];
    const scheduled = await db
      .collection<OrderDocument>('orders')
      .find(
        { workspaceId, _id: { $in: ids }, status: 'SCHEDULED' as const },
        { session, ...inOneReply(ids.length), ...byId },
      )
      .toArray();
    if (scheduled.length === 0) return names.map(() => undefined);
    const walletIds = [...new Set(scheduled.flatMap(({ wallets }) => wallets))];
    const wallets = await openWallets(db).findByIds(walletIds, [workspaceId], session);
    const documents = new Map(scheduled.map((document) => [document._id, document]));
    const orders = scheduled.map((document) => toOrderToPost(document));
    const posting = foldCancels(orders, wallets, await dateIn(workspaceId, session));
    const outbox = entriesOf(posting, new Map([[workspaceId, await subscribing]]));
    await createPostedWrites(db)(posting, { session, attempts: 1, totals: ofCancels, settling: 'together', outbox });
    const cancelled = new Map(posting.ended.map((ending) => [ending.order.id, ending]));
    return names.map(({ id }) => {
      const [document, ending] = [documents.get(id), cancelled.get(id)];
      // Of two that ask for one order, the first has cancelled it.
      documents.delete(id);
      if (document === undefined || ending === undefined) return undefined;
      const { status, at: updatedAt } = ending;
      return { order: toOrder({ ...document, status, updatedAt, dueAt: null }), entry: outbox[0] };
    });
  });
}
