import type { Collection, Db } from 'mongodb';
import { flowId, leastIdAt } from '../domain/ids.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import { toFlow, type FlowDocument } from './flows/flows.ts';
import type { Order } from '../orders/order.ts';
import { toOrder, type OrderDocument } from './orders/documents.ts';
import { byId, inOneReply, operatorMaxMs } from './shared/commands.ts';
import { orderIndexes } from './schema/schema.ts';

const rowsMax = 20;
const workspacesMax = 10_000;
export const countedMax = 10_000;

/** What the operator looks up by an id; each question is bounded in rows and in time. */
export function openLookups(db: Db) {
  const orders: Collection<OrderDocument> = db.collection('orders');
  const flows: Collection<FlowDocument> = db.collection('flows');
  const workspaces: Collection<{ readonly _id: string }> = db.collection('workspaces');

  return {
    /** Orders of any workspace by their bizId, at most {@link rowsMax}. */
    async ordersByBizId(bizId: string): Promise<Order[]> {
      // The index is by workspace and bizId; there is none by bizId alone.
      const all = { projection: { _id: 1 }, limit: workspacesMax, maxTimeMS: operatorMaxMs } as const;
      const workspaceIds = (await workspaces.find({}, all).toArray()).map(({ _id }) => _id);
      const options = { limit: rowsMax, hint: 'biz_id_once', maxTimeMS: operatorMaxMs } as const;
      const documents = await orders.find({ workspaceId: { $in: workspaceIds }, bizId }, options).toArray();
      return documents.map(toOrder);
    },

    /** How many orders of a workspace were accepted since then, counted up to {@link countedMax}. */
    async accepted(workspaceId: string, since: Date): Promise<number> {
      const options = { limit: countedMax, hint: orderIndexes.ofWorkspace, maxTimeMS: operatorMaxMs };
      return orders.countDocuments({ workspaceId, _id: { $gte: leastIdAt('order', since) } }, options);
    },

    /**
     * A wallet's last flows, oldest first, at most `countMax`, as they were when the wallet was read: what was posted since
     * is left out.
     */
    async lastFlows({ workspaceId, id, sequence }: Wallet, countMax: number): Promise<Flow[]> {
      const _id = { $gt: flowId(id, Math.max(0, sequence - countMax)), $lte: flowId(id, sequence) };
      const options = { ...byId, ...inOneReply(countMax), sort: { _id: 1 }, maxTimeMS: operatorMaxMs } as const;
      return (await flows.find({ workspaceId, _id }, options).toArray()).map(toFlow);
    },
  };
}
