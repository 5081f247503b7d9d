import type { Collection, Db } from 'mongodb';
import { flowId } from '../domain/ids.ts';
import type { Given } from '../domain/limits.ts';
import type { Flow } from '../domain/wallet.ts';
import { toMoney, type BookedWallet } from './booked.ts';
import type { FlowDocument } from './flows/flows.ts';
import { flowsBefore } from './flows/search.ts';
import { pagesById } from './shared/page.ts';

/** What of a flow the limits of its wallet are judged by. */
export type GivenByFlow = Pick<Flow, 'id' | 'sequence' | 'direction' | 'transferId' | 'createdAt' | keyof Given>;

const projection = { sequence: 1, direction: 1, transferId: 1, createdAt: 1, debits: 1, debitOrders: 1 };

/** What verification reads of a wallet's flows for its limits. */
export function flowsOfLimits(db: Db, pageSize: number) {
  const flows: Collection<FlowDocument> = db.collection('flows');
  return {
    /** What a wallet, as it was read, had given with each of its flows from a number on. */
    async *givenByFlows(
      { id, sequence }: Pick<BookedWallet, 'id' | 'sequence'>,
      from: number,
    ): AsyncGenerator<GivenByFlow[], void, undefined> {
      const ids = { $gte: flowId(id, Math.max(from, 1)), $lt: flowId(id, sequence + 1) };
      for await (const page of pagesById(flows, pageSize, { ids, projection }))
        yield page.map(({ _id, debits, debitOrders = 0, ...flow }) => ({
          ...flow,
          id: _id,
          debits: toMoney(debits),
          debitOrders,
        }));
    },

    /** The number of a wallet's last flow before a time; 0 where flows are missing by which it is searched for. */
    lastFlowBefore: (wallet: Pick<BookedWallet, 'id' | 'workspaceId' | 'sequence'>, time: Date): Promise<number> => {
      const { id, workspaceId, sequence } = wallet;
      return flowsBefore(flows, { id, workspaceId, sequence }, [time], {}).then(
        ([before]) => before?.sequence ?? 0,
        () => 0,
      );
    },
  };
}
