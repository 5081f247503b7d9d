import type { ClientSession, Db, Document, MongoServerError } from 'mongodb';
import type { OrderToPost } from '../orders/order.ts';
import type { Posting } from '../orders/fold.ts';
import { walletIdsOf } from '../orders/types.ts';
import type { Flow } from '../domain/wallet.ts';
import { errorCodes } from './shared/error-codes.ts';
import { budgetUpdates } from './keys/budgets.ts';
import { toFlowDocuments } from './flows/flows.ts';
import { byId, runWrite, type GuardedUpdate, type WriteCommand, type WriteError } from './shared/commands.ts';
import { settlements, type Settling } from './orders/orders.ts';
import { progressUpdates } from './orders/progress.ts';
import { orderTotals, type TotalsUpdate } from './wallets/totals.ts';
import { isDocumentFault, StaleReadError } from './shared/transaction.ts';
import { balanceUpdates } from './wallets/wallets.ts';
import type { OutboxEntry } from './webhooks/outbox.ts';

/**
 * Writes in a transaction what a posting changes: orders that end, wallets if nobody wrote them since they were read,
 * the totals of their workspaces, the budgets of keys, flows, and last the events for webhooks. In this order a change by
 * somebody else shows before most of the work.
 * @throws StaleReadError an order or a wallet is no longer as it was read: the group must be folded again.
 * @throws RefusedWriteError MongoDB refuses a document for its content; nothing of the transaction is then written.
 * @throws MongoError a write conflict, with its label, or anything else that is not the documents' own fault; nothing is
 * then written either.
 */
export type WritePosted = (posting: Posting, options: WriteOptions) => Promise<void>;

export interface WriteOptions {
  readonly session: ClientSession;
  /** How often the transaction was run, this time included; recorded with its orders. */
  readonly attempts: number;
  /** The part of the workspaces' totals that it adds to: what is written at once adds to different ones. */
  readonly totals: string;
  /** See {@link orderTotals}. */
  readonly budgetVersions?: ReadonlyMap<string, number>;
  /** 'together' is the usual way; 'one by one' is slower, but names the order that MongoDB refuses. */
  readonly settling: Settling;
  /** May be known later than all else: it is waited for once the orders are written. */
  readonly outbox?: readonly OutboxEntry[] | Promise<readonly OutboxEntry[]>;
}

/** The budgets of some workspace's keys are not those that a posting took for granted: they must be asked for. */
export class StaleBudgetsError extends StaleReadError {}

/** MongoDB refuses one of a posting's documents; `cause` is MongoDB's error. */
export class RefusedWriteError extends Error {
  override readonly name = 'RefusedWriteError';
  /** The orders that cannot be posted without this document; none if one update wrote several orders. */
  readonly orderIds: readonly string[];

  constructor(orderIds: readonly string[], cause: MongoServerError) {
    super(cause.message, { cause });
    this.orderIds = orderIds;
  }
}

/**
 * Writes with one command for each collection, for which a group is never too large.
 * @param worker recorded with the orders that it posts; absent for cancels.
 */
export function createPostedWrites(db: Db, worker?: string): WritePosted {
  return async (posting, { session, attempts, settling, totals: part, budgetVersions, outbox: entries }) => {
    const orders = settlements(posting, worker === undefined ? undefined : { worker, attempts }, settling);
    const parents = progressUpdates(posting);
    const wallets = balanceUpdates(posting);
    const totals = orderTotals(posting, part, budgetVersions);
    const flows = toFlowDocuments(posting.flows);
    const budgets = budgetUpdates(posting.budgets);

    const endedWhere = (isOne: (order: OrderToPost) => boolean): string[] =>
      posting.ended.flatMap(({ order }) => (isOne(order) ? [order.id] : []));

    /** @param ordersBehind what is refused, by its place in the command. @returns how many documents were inserted or matched. */
    async function run(
      command: WriteCommand,
      ordersBehind: (refused: WriteError) => readonly string[] = () => [],
    ): Promise<number> {
      const { n, writeErrors } = await runWrite(db, { ...command, ordered: true }, session);
      const [first] = writeErrors;
      if (first === undefined) return n;
      throw isDocumentFault(first) ? new RefusedWriteError(ordersBehind(first), first) : first;
    }

    if (orders.length > 0) {
      const updates = [...orders, ...parents].map(guarded);
      const matchedCount = await run({ update: 'orders', updates }, ({ index }) => {
        const settlement = orders[index];
        if (settlement !== undefined) return settlement.count === 1 ? settlement.orderIds : [];
        // It is refused whichever of the orders that refer to it is posted.
        const parent = posting.parents[index - orders.length];
        return endedWhere(({ parentId }) => parentId !== undefined && parentId === parent?.id);
      });
      if (matchedCount !== totalCount(orders) + parents.length)
        throw new StaleReadError('an order is not as it was read, or one that it refers to was used since');
    }
    // Awaited before any wallet is written: while a transaction has written one, nobody else can change it.
    const outbox = (await entries) ?? [];
    if (wallets.length > 0) {
      const updates = [...wallets.map(guarded), ...totals.map(adding)];
      const matchedCount = await run({ update: 'wallets', updates }, (error) => {
        const { index, code } = error;
        const wallet = posting.wallets[index];
        // It is refused whichever of the orders that name it is posted.
        if (wallet !== undefined) return endedWhere((order) => walletIdsOf(order).includes(wallet.id));
        // A part of the totals was found by its id, and not by what the posting took for granted.
        if (code === errorCodes.DuplicateKey)
          throw new StaleBudgetsError('budgets of keys changed since they were read', { cause: error });
        const ofTotals = totals[index - wallets.length];
        return endedWhere(({ workspaceId }) => workspaceId === ofTotals?.filter.workspaceId);
      });
      if (matchedCount !== totalCount(wallets) + totals.length)
        throw new StaleReadError('a wallet changed since it was read');
    }
    if (budgets.length > 0) {
      const matchedCount = await run({ update: 'keyBudgets', updates: budgets.map(guarded) });
      if (matchedCount !== budgets.length) throw new StaleReadError('budgets were used since they were read');
    }
    if (flows.length > 0)
      await run({ insert: 'flows', documents: flows }, ({ index, code }) => {
        const refused = posting.flows[index];
        const isBehind = ({ id, walletId, sequence }: Flow): boolean => {
          // Each order on a wallet takes the next sequence. If one is taken already, all later ones of the group fail too.
          if (code === errorCodes.DuplicateKey) return walletId === refused?.walletId && sequence >= refused.sequence;
          return id === refused?.id;
        };
        return [...new Set(posting.flows.filter(isBehind).map(({ transferId }) => transferId))];
      });
    if (outbox.length > 0) await run({ insert: 'webhookOutbox', documents: outbox });
  };
}

function guarded({ filter, set, count }: GuardedUpdate): Document {
  return { q: filter, u: { $set: set }, multi: count > 1, ...byId };
}

/** Matches one document, even if it has to be made. */
function adding({ filter, update }: TotalsUpdate): Document {
  return { q: filter, u: update, upsert: true, ...byId };
}

function totalCount(updates: readonly GuardedUpdate[]): number {
  return updates.reduce((total, { count }) => total + count, 0);
}
