import { MongoClientBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import type { ClientBulkWriteModel, ClientSession, Db, Document } from 'mongodb';
import type { Posting } from '../domain/posting.ts';
import { errorCodes } from './errorCodes.ts';
import { toFlowDocuments } from './flows.ts';
import type { GuardedUpdate, PostedDocument } from './guardedUpdate.ts';
import { settlements } from './orders.ts';
import type { PostedBy } from './orders.ts';
import { StaleReadError } from './transaction.ts';
import { balanceUpdates } from './wallets.ts';

/**
 * Writes what a posting changes, in a transaction: orders out of PENDING, wallets where nobody wrote them since they were
 * read, flows. In this order what somebody else has done meanwhile shows before most of the work.
 * @throws StaleReadError an order or a wallet is no longer as it was read: the transaction must be folded again.
 * @throws MongoError a write conflict, with its label, or a document's own fault; nothing of the transaction is then written.
 */
export type WritePosted = (posting: Posting, postedBy: PostedBy, session: ClientSession) => Promise<void>;

/** The first major version with `bulkWrite`. */
const bulkWriteSinceMajor = 8;
/** A server of 8.0 whose feature compatibility version is older, or an older one that became primary. */
const refusals: ReadonlySet<unknown> = new Set([errorCodes.CommandNotFound, errorCodes.CommandNotSupported]);

/**
 * Asks the server for its version, once: from 8.0 on a posting is written with one command, before with one a collection.
 * A server that refuses the one command all the same is not asked again; the group is folded again and written with three.
 * Source: MongoDB manual, "bulkWrite"; "Feature Compatibility Version".
 */
export async function openPostedWrites(db: Db): Promise<WritePosted> {
  const { versionArray } = (await db.admin().buildInfo()) as { versionArray?: readonly number[] };
  let isOneOffered = (versionArray?.[0] ?? 0) >= bulkWriteSinceMajor;
  const inThree = withThreeCommands(db);
  const inOne = withOneCommand(db);
  return async (posting, postedBy, session) => {
    if (!isOneOffered) return inThree(posting, postedBy, session);
    try {
      await inOne(posting, postedBy, session);
    } catch (error) {
      if (!(error instanceof MongoError) || !refusals.has(error.code)) throw error;
      isOneOffered = false;
      // The refusal has ended the transaction.
      throw new StaleReadError('the server refuses one command for several collections', { cause: error });
    }
  };
}

/**
 * For every server before 8.0: one command a collection. Sent as they are, because the driver's calls for many writes
 * measure and copy every document first, a tenth of a worker's time, to divide what would be too much for one command;
 * a group never is.
 */
function withThreeCommands(db: Db): WritePosted {
  return async (posting, postedBy, session) => {
    const run = (command: WriteCommand): Promise<number> => runWrite(db, command, session);
    await updateAll(run, 'orders', settlements(posting, postedBy), 'an order is no longer PENDING');
    await updateAll(run, 'wallets', balanceUpdates(posting.wallets), 'a wallet changed since it was read');
    if (posting.flows.length > 0) await run({ insert: 'flows', documents: toFlowDocuments(posting.flows) });
  };
}

type WriteCommand =
  | { readonly insert: string; readonly documents: readonly PostedDocument[] }
  | { readonly update: string; readonly updates: readonly Document[] };

async function updateAll(
  run: (command: WriteCommand) => Promise<number>,
  collection: string,
  updates: readonly GuardedUpdate[],
  otherwise: string,
): Promise<void> {
  if (updates.length === 0) return;
  const matchedCount = await run({
    update: collection,
    updates: updates.map(({ filter, set, count }) => ({ q: filter, u: { $set: set }, multi: count > 1 })),
  });
  if (matchedCount !== totalCount(updates)) throw new StaleReadError(otherwise);
}

interface WriteReply {
  readonly n: number;
  /** In a transaction at most one: it ends the command, and the transaction. */
  readonly writeErrors?: readonly { readonly code: number; readonly errmsg: string }[];
}

/**
 * @returns how many documents were inserted or matched.
 * @throws MongoServerError what failed the command, or its first write that failed. Source: MongoDB manual, "update".
 */
async function runWrite(db: Db, command: WriteCommand, session: ClientSession): Promise<number> {
  const options = { session, ignoreUndefined: true };
  const { n, writeErrors = [] } = (await db.command({ ...command, ordered: true }, options)) as WriteReply;
  const [first] = writeErrors;
  if (first !== undefined) throw new MongoServerError({ code: first.code, errmsg: first.errmsg });
  return n;
}

type PostedModel = ClientBulkWriteModel<Record<string, PostedDocument>>;

/** For servers of 8.0: all in one command. No update matches more than it names, so that their sum guards each of them. */
function withOneCommand(db: Db): WritePosted {
  const name = db.databaseName;
  return async (posting, postedBy, session) => {
    const settled = settlements(posting, postedBy);
    const balances = balanceUpdates(posting.wallets);
    const models: PostedModel[] = [
      ...settled.map((update) => toModel(`${name}.orders`, update)),
      ...balances.map((update) => toModel(`${name}.wallets`, update)),
      ...toFlowDocuments(posting.flows).map((document) => {
        return { name: 'insertOne', namespace: `${name}.flows`, document } as const;
      }),
    ];
    if (models.length === 0) return;
    const updates = [...settled, ...balances];
    const { matchedCount, insertedCount } = await db.client
      .bulkWrite<Record<string, PostedDocument>>(models, { session, ordered: true })
      .catch((error: unknown) => {
        throw unwrapped(error, updates);
      });
    if (matchedCount !== totalCount(updates) || insertedCount !== posting.flows.length) throw changedSinceRead();
  };
}

function toModel(namespace: string, { filter, set, count }: GuardedUpdate): PostedModel {
  const change = { namespace, filter, update: { $set: set } };
  return count === 1 ? { name: 'updateOne', ...change } : { name: 'updateMany', ...change };
}

/**
 * The error that the same writes meet in commands of their own. The driver wraps what failed the whole command, and its
 * labels with it; of a single write it gives code and text apart. Where an update before that write matched too little,
 * that is what counts: the write may have failed because of it.
 */
function unwrapped(error: unknown, updates: readonly GuardedUpdate[]): unknown {
  if (!(error instanceof MongoClientBulkWriteError)) return error;
  if (error.cause !== undefined) return error.cause;
  const [first] = error.writeErrors;
  if (first === undefined) return error;
  const [index, { code, message }] = first;
  if (error.partialResult?.matchedCount !== totalCount(updates.slice(0, index))) return changedSinceRead(error);
  const single = new MongoServerError({ code, errmsg: message });
  single.cause = error;
  return single;
}

function changedSinceRead(cause?: Error): StaleReadError {
  return new StaleReadError('an order is no longer PENDING, or a wallet changed since it was read', { cause });
}

function totalCount(updates: readonly GuardedUpdate[]): number {
  return updates.reduce((total, { count }) => total + count, 0);
}
