import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { flowId } from '../../domain/ids.ts';
import { remainingOf } from '../../domain/progress.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { firstLeg, usedLegs } from '../../orders/parent.ts';
import type { FlowDocument } from '../flows/flows.ts';
import { flowsBefore } from '../flows/search.ts';
import { toOrder, type OrderDocument } from '../orders/documents.ts';
import { byId, inOneReply } from '../shared/commands.ts';
import { pagesById } from '../shared/page.ts';
import { toWallet, type WalletDocument } from '../wallets/documents.ts';
import { orderIndexes } from './schema.ts';

const pageSize = 1_000;
/** A day more than any window reaches back. */
const reachMs = 32 * 24 * 3_600_000;

/**
 * Counts what wallets need for limits on numbers of orders, in a database from before they could have any: of each wallet the flows
 * that a window can reach, and its open holds. To be repeated until it succeeds; a wallet that is counted is passed over. Nothing may
 * be posted meanwhile.
 */
export async function countDebitOrders(db: Db): Promise<void> {
  const wallets = db.collection<WalletDocument>('wallets');
  const filter = { kind: 'STANDARD', debitOrders: { $exists: false } } as const;
  for await (const page of pagesById(wallets, pageSize, { filter })) {
    for (const wallet of page.map(toWallet)) {
      const debitOrders = await countInFlows(db, wallet);
      const openHolds = wallet.held.isZero() ? {} : { openHolds: await countOpenHolds(db, wallet) };
      const { workspaceId, id: _id } = wallet;
      await wallets.updateOne({ workspaceId, _id }, { $set: { debitOrders, ...openHolds } }, byId);
    }
  }
}

/** Numbers the orders with a debit among a wallet's last flows, from 1. @returns how many there are. */
async function countInFlows(db: Db, wallet: Wallet): Promise<number> {
  const { workspaceId, id, lastFlowAt, sequence } = wallet;
  const flows = db.collection<FlowDocument>('flows');
  const [before] = await flowsBefore(flows, wallet, [new Date(lastFlowAt.getTime() - reachMs)], {});
  let count = 0;
  let counted: string | undefined;
  for (let first = (before?.sequence ?? 0) + 1; first <= sequence; first += pageSize) {
    const _id = { $gte: flowId(id, first), $lt: flowId(id, first + pageSize) };
    const options = { projection: { direction: 1, transferId: 1 }, ...inOneReply(pageSize), ...byId } as const;
    const page = await flows.find({ workspaceId, _id }, options).sort({ _id: 1 }).toArray();
    const updates = page.map((flow): AnyBulkWriteOperation<FlowDocument> => {
      // The flows of an order follow one another.
      if (flow.direction === 'DEBIT' && flow.transferId !== counted) {
        count += 1;
        counted = flow.transferId;
      }
      return {
        updateOne: { filter: { workspaceId, _id: flow._id }, update: { $set: { debitOrders: count } }, ...byId },
      };
    });
    await flows.bulkWrite(updates, { ordered: false });
  }
  return count;
}

/** How many holds reserve what is held on a wallet: the newest ones are looked at until they come to that. */
async function countOpenHolds(db: Db, { workspaceId, id, held }: Wallet): Promise<number> {
  const orders = db.collection<OrderDocument>('orders');
  const filter = { workspaceId, wallets: id, type: 'HOLD', status: 'COMPLETED', sourceWalletId: id } as const;
  let [count, left] = [0, held];
  for await (const document of orders.find(filter, { hint: orderIndexes.ofWallet }).sort({ _id: -1 })) {
    const remaining = remainingOf(firstLeg(usedLegs(toOrder(document))));
    if (remaining.isZero()) continue;
    count += 1;
    left = left.minus(remaining);
    if (!left.greaterThan(0)) break;
  }
  return count;
}
