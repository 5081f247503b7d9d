import { MongoServerError, type ClientSession, type Db, type Document } from 'mongodb';
import type { OrderToPost } from '../domain/order.ts';
import type { Posting } from '../domain/fold-orders.ts';
import type { Flow } from '../domain/wallet.ts';
import { errorCodes } from './error-codes.ts';
import { toFlowDocuments, type FlowDocument } from './flows.ts';
import type { GuardedUpdate, PostedDocument } from './guarded-update.ts';
import { settlements, type PostedBy, type Settlement, type Settling } from './orders.ts';
import { byId } from './shard-key.ts';
import { isDocumentFault, StaleReadError } from './transaction.ts';
import { balanceUpdates } from './wallets.ts';
import type { OutboxEntry } from './webhook-outbox.ts';

/**
 * Writes what a posting changes, in a transaction: orders out of PENDING, wallets where nobody wrote them since they were
 * read, flows, and last what webhooks are to tell. In this order what somebody else has done meanwhile shows before most of
 * the work.
 * @param settling 'together' is the ordinary way; 'one by one' is slower, and names the order that MongoDB refuses.
 * @throws StaleReadError an order or a wallet is no longer as it was read: the transaction must be folded again.
 * @throws RefusedWriteError MongoDB refuses a document for what is in it; nothing of the transaction is then written.
 * @throws MongoError a write conflict, with its label, and whatever else is not the documents' own fault; likewise.
 */
export type WritePosted = (
  posting: Posting,
  postedBy: PostedBy,
  session: ClientSession,
  settling: Settling,
  outbox?: readonly OutboxEntry[],
) => Promise<void>;

/** MongoDB refuses one of a posting's documents; its `cause` is what it says. */
export class RefusedWriteError extends Error {
  override readonly name = 'RefusedWriteError';
  /** The orders that this document stands or falls with; none where it is one of several, written by one update. */
  readonly orderIds: readonly string[];

  constructor(orderIds: readonly string[], cause: MongoServerError) {
    super(cause.message, { cause });
    this.orderIds = orderIds;
  }
}

/**
 * Writes with one command a collection. Sent as they are, because the driver's calls for many writes measure and copy every
 * document first, a tenth of a worker's time, to divide what would be too much for one command; a group never is.
 */
export function createPostedWrites(db: Db): WritePosted {
  return async (posting, postedBy, session, settling, outbox = []) => {
    const writes = writesOf(posting, postedBy, settling);
    const { orders, wallets, flows } = writes;
    const run = (command: WriteCommand, writesBefore: number): Promise<number> =>
      runWrite(db, command, session).catch((error: unknown) => {
        throw error instanceof WriteError ? refusal(writes, writesBefore + error.index, error) : error;
      });
    if (orders.length > 0) {
      const matchedCount = await run(updateOf('orders', orders), 0);
      if (matchedCount !== totalCount(orders)) throw new StaleReadError('an order is no longer PENDING');
    }
    if (wallets.length > 0) {
      const matchedCount = await run(updateOf('wallets', wallets), orders.length);
      if (matchedCount !== totalCount(wallets)) throw new StaleReadError('a wallet changed since it was read');
    }
    if (flows.length > 0) await run({ insert: 'flows', documents: flows }, orders.length + wallets.length);
    if (outbox.length > 0) {
      await run({ insert: 'webhookOutbox', documents: outbox }, orders.length + wallets.length + flows.length);
    }
  };
}

/** What one posting writes, in its order: first the orders, then the wallets, then the flows. */
interface Writes {
  readonly posting: Posting;
  readonly orders: readonly Settlement[];
  readonly wallets: readonly GuardedUpdate[];
  readonly flows: readonly FlowDocument[];
}

function writesOf(posting: Posting, postedBy: PostedBy, settling: Settling): Writes {
  return {
    posting,
    orders: settlements(posting, postedBy, settling),
    wallets: balanceUpdates(posting.wallets),
    flows: toFlowDocuments(posting.flows),
  };
}

type WriteCommand =
  | { readonly insert: string; readonly documents: readonly PostedDocument[] }
  | { readonly update: string; readonly updates: readonly Document[] };

function updateOf(collection: string, updates: readonly GuardedUpdate[]): WriteCommand {
  return {
    update: collection,
    updates: updates.map(({ filter, set, count }) => ({ q: filter, u: { $set: set }, multi: count > 1, ...byId })),
  };
}

interface WriteReply {
  readonly n: number;
  /** In a transaction at most one: it ends the command, and the transaction. */
  readonly writeErrors?: readonly { readonly index: number; readonly code: number; readonly errmsg: string }[];
}

/** One write of a command failed. */
class WriteError extends MongoServerError {
  readonly index: number;

  constructor({ index, code, errmsg }: NonNullable<WriteReply['writeErrors']>[number]) {
    super({ code, errmsg });
    this.index = index;
  }
}

/**
 * @returns how many documents were inserted or matched.
 * @throws MongoServerError what failed the command; WriteError its first write that failed. Source: MongoDB manual,
 * "update".
 */
async function runWrite(db: Db, command: WriteCommand, session: ClientSession): Promise<number> {
  const options = { session, ignoreUndefined: true };
  const { n, writeErrors = [] } = (await db.command({ ...command, ordered: true }, options)) as WriteReply;
  const [first] = writeErrors;
  if (first !== undefined) throw new WriteError(first);
  return n;
}

function totalCount(updates: readonly GuardedUpdate[]): number {
  return updates.reduce((total, { count }) => total + count, 0);
}

/** @param index of the write that failed, among all writes of the posting. */
function refusal(writes: Writes, index: number, error: WriteError): WriteError | RefusedWriteError {
  return isDocumentFault(error) ? new RefusedWriteError(ordersBehind(writes, index, error), error) : error;
}

function ordersBehind({ posting, orders, wallets }: Writes, index: number, { code }: WriteError): readonly string[] {
  const settlement = orders[index];
  if (settlement !== undefined) return settlement.count === 1 ? settlement.orderIds : [];
  const wallet = posting.wallets[index - orders.length];
  const flow = posting.flows[index - orders.length - wallets.length];
  if (wallet !== undefined) {
    // It is refused whatever order changes it.
    const isOfWallet = (order: OrderToPost): boolean =>
      order.sourceWalletId === wallet.id || order.targetWalletId === wallet.id;
    return [...posting.settled.values()].filter(isOfWallet).map(({ id }) => id);
  }
  const isBehind = ({ id, walletId, sequence }: Flow): boolean => {
    // Whatever is posted on a wallet takes its next number: one that is taken is so for all that follow.
    if (code === errorCodes.DuplicateKey) return walletId === flow?.walletId && sequence >= flow.sequence;
    return id === flow?.id;
  };
  return [...new Set(posting.flows.filter(isBehind).map(({ transferId }) => transferId))];
}
