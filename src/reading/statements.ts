import type { Collection, Db } from 'mongodb';
import { flowId } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import type { ListedFlow, Standing, Wallet } from '../domain/wallet.ts';
import type { Leg, StatementEntry } from '../orders/order.ts';
import { byId, ofPrimary } from '../storage/shared/commands.ts';
import { fromDecimal128 } from '../storage/shared/decimal.ts';
import { bounded, findRows, timeLimit, type ReadTime } from '../storage/shared/page.ts';
import { transactionMaxMs, IndeterminateError } from '../storage/shared/transaction.ts';
import type { OrderDocument } from '../storage/orders/documents.ts';
import { listedFlow, type FlowDocument } from '../storage/flows/flows.ts';
import { flowsBefore, type FlowsBefore } from '../storage/flows/search.ts';

export type Statements = ReturnType<typeof openStatements>;

/** What of an order stands beside its flow. */
const neededOfOrder = { type: 1, bizId: 1, reference: 1, description: 1, 'legs.description': 1 } as const;
type DocumentOfEntry = Pick<OrderDocument, '_id' | 'type' | 'bizId' | 'reference' | 'description'> & {
  readonly legs?: readonly Pick<Leg, 'description'>[];
};

/**
 * What wallets held at moments, and what moved in between. Each takes a wallet as it was just read, and looks only at flows up
 * to its sequence, so that all figures of one wallet are of one moment, whatever is posted meanwhile.
 */
export function openStatements(db: Db) {
  const flows: Collection<FlowDocument> = db.collection('flows');
  const orders: Collection<OrderDocument> = db.collection('orders');

  async function ordersOf(
    workspaceId: string,
    of: readonly ListedFlow[],
    time: ReadTime,
  ): Promise<Map<string, DocumentOfEntry>> {
    const ids = [...new Set(of.map(({ transferId }) => transferId))];
    const asked = { filter: { workspaceId, _id: { $in: ids } }, limit: ids.length, projection: neededOfOrder };
    const rows = await findRows(orders, asked, { ...byId, ...time });
    return new Map(rows.map((document) => [document._id, document]));
  }

  return {
    /**
     * Where a wallet stood right before each of some times; see {@link flowsBefore} for what it costs.
     * @throws ServiceError ANSWER_TOO_LATE no time is left.
     */
    async standingsBefore<Times extends readonly Date[]>(
      wallet: Wallet,
      times: Times,
      time: ReadTime = {},
    ): Promise<{ [Index in keyof Times]: Standing }> {
      const ends = await flowsBefore(flows, wallet, times, time);
      return ends.map((end) => standingAt(wallet, end)) as { [Index in keyof Times]: Standing };
    },

    /**
     * The flows of some sequences of a wallet, both ends inclusive, oldest first, each with its order: in two round trips.
     * @param onOrders told of each order's legs, if it names any.
     * @throws ServiceError ANSWER_TOO_LATE no time is left. IndeterminateError a flow or an order is missing: its shard has not yet
     * what the wallet's has.
     */
    async entries(
      { workspaceId, id }: Pick<Wallet, 'workspaceId' | 'id'>,
      { first, last }: { readonly first: number; readonly last: number },
      time: ReadTime = {},
      onOrders?: (legs: readonly (readonly unknown[] | undefined)[]) => Promise<void>,
    ): Promise<StatementEntry[]> {
      if (last < first) return [];
      const limit = last - first + 1;
      const filter = { workspaceId, _id: { $gte: flowId(id, first), $lt: flowId(id, last + 1) } };
      const asked = { filter, sort: { _id: 1 }, limit, projection: listedFlow.without } as const;
      const rows = await findRows(flows, asked, { ...byId, ...time });
      if (rows.length < limit) throw new IndeterminateError(`wallet ${id} lacks flows from ${first} to ${last}`);
      const listed = rows.map(listedFlow.convert);
      const behind = await ordersOf(workspaceId, listed, time);
      await onOrders?.([...behind.values()].map(({ legs }) => legs));
      return listed.map((flow) => toEntry(flow, behind.get(flow.transferId)));
    },

    /**
     * Up to when, inclusive, all flows of a wallet are in what was read of it; what is dated later may still grow. No later
     * flow is dated before the wallet's last one. And whatever was dated {@link transactionMaxMs} ago has been committed,
     * or never will be:
     * - A flow is dated at the fold, in the run of the transaction that writes it (posting/group-transaction.ts), by a clock
     *   that is corrected by MongoDB's, as `now` is. It may be dated later than that, never earlier.
     * - No commit is sent that is older than that: not for the first time (the age of the fold is looked at right before), nor
     *   again (a worker whose group has not ended by then ends itself). If it hangs as a whole in between, other processes or
     *   the server's own limit for transactions have ended its transaction.
     *
     * A commit is read once a majority has it, and that may take any time while secondaries lag. So the primary is asked
     * whether it has a later flow of this wallet: what is dated before that one is final too.
     * @param now the time before the wallet was read. @throws ServiceError ANSWER_TOO_LATE no time is left.
     */
    async settledUntil(wallet: Wallet, now: Date, time: ReadTime = {}): Promise<Date> {
      const { workspaceId, id, sequence } = wallet;
      const byLastFlow = Math.min(wallet.lastFlowAt.getTime() - 1, now.getTime());
      const byTime = now.getTime() - transactionMaxMs;
      if (byLastFlow >= byTime) return new Date(byLastFlow);
      const options = { projection: { createdAt: 1 }, ...ofPrimary, ...byId, ...timeLimit(time) };
      const next = await bounded(flows.findOne({ workspaceId, _id: flowId(id, sequence + 1) }, options));
      const beforeNext = next === null ? byTime : next.createdAt.getTime() - 1;
      return new Date(Math.max(byLastFlow, Math.min(byTime, beforeNext)));
    },
  };
}

const zero = new Money(0);

function standingAt({ sequence, balance, debits }: Wallet, end: FlowsBefore): Standing {
  if (end.sequence === sequence) return { sequence, balance, debits };
  if (end.mark === undefined) return { sequence: 0, balance: zero, debits: zero };
  return {
    sequence: end.sequence,
    balance: fromDecimal128(end.mark.balanceAfter),
    debits: new Money(end.mark.debits),
  };
}

/** @throws IndeterminateError the order is missing. */
function toEntry(flow: ListedFlow, order: DocumentOfEntry | undefined): StatementEntry {
  if (order === undefined) throw new IndeterminateError(`flow ${flow.id} of wallet ${flow.walletId} lacks its order`);
  const { type, bizId, reference, legs } = order;
  const description = legs?.[flow.leg]?.description ?? order.description;
  return {
    ...flow,
    type,
    bizId,
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
  };
}
