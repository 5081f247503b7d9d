import type { Collection, Db, MongoClient } from 'mongodb';
import type { KeyBudgets } from '../domain/budgets.ts';
import { flowId } from '../domain/ids.ts';
import type { Given } from '../domain/limits.ts';
import type { Flow } from '../domain/wallet.ts';
import { toKeyBudgets, toMoney, type BookedWallet, type Row } from './booked.ts';
import type { FlowDocument } from './flows/flows.ts';
import { flowsBefore } from './flows/search.ts';
import { pagesById } from './shared/page.ts';
import { inTransaction } from './shared/transaction.ts';

/** What of a flow the limits of its wallet are judged by. */
export type GivenByFlow = Pick<Flow, 'id' | 'sequence' | 'direction' | 'transferId' | 'createdAt' | keyof Given>;

const projection = { sequence: 1, direction: 1, transferId: 1, createdAt: 1, debits: 1, debitOrders: 1 };

/** What verification reads of limits of wallets and budgets of keys. */
export function usesOfLimits(client: MongoClient, db: Db, pageSize: number) {
  const flows: Collection<FlowDocument> = db.collection('flows');
  const keyBudgets: Collection<Row> = db.collection('keyBudgets');
  return {
    /** The budgets of one key, or of all, each page in a snapshot, as totals are. */
    async *keyBudgets(apiKey?: string): AsyncGenerator<KeyBudgets[], void, undefined> {
      for (let after = ''; ;) {
        const _id = apiKey === undefined ? { $gt: after } : { $eq: apiKey, $gt: after };
        const page = await inTransaction(client, (session) =>
          keyBudgets.find({ _id }, { session, sort: { _id: 1 }, limit: pageSize }).toArray(),
        );
        const last = page.at(-1);
        if (last === undefined) return;
        after = last._id;
        yield page.map(toKeyBudgets);
      }
    },

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
