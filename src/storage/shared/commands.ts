import {
  MongoServerError,
  WriteConcern,
  type ClientSession,
  type Db,
  type Document,
  type Filter,
  type MatchKeysAndValues,
} from 'mongodb';
import { idPrefixes } from '../../domain/ids.ts';
import { isServerError } from './error-codes.ts';
import { describeRefusedDocument } from './refused-document.ts';

/** What every write waits for, unless it says otherwise: a majority has it in its journal. */
export const majorityJournaled = new WriteConcern('majority', undefined, true);

/**
 * Options of a `find` of at most `countMax` documents, so that all come in the first reply, which closes the cursor. By
 * default the first reply has 101 documents, and the rest costs another round trip. Source: MongoDB manual, "Cursor Batches".
 */
export function inOneReply(countMax: number): { readonly batchSize: number } {
  return { batchSize: countMax + 1 };
}

/** How long a command for the operator may take. It is short, because the service's work comes first. */
export const operatorMaxMs = 1_000;

/**
 * For what processes say of themselves, which needs no majority: what a failover rolls back is repeated within a second. If
 * heartbeats waited for the majority, every worker would look silent while the secondaries lag.
 */
export const ofPrimary = { readConcern: { level: 'local' } } as const;
export const toPrimary = { writeConcern: { w: 1 } } as const;

/**
 * A condition that a field has one of these values. If all are the same, it is that value itself, because a sharded
 * collection refuses to change a single document unless the filter has the shard key's exact value.
 * Source: MongoDB manual 4.4, "updateOne", "Sharded Collections".
 */
export function anyOf(values: readonly string[]): string | { readonly $in: string[] } {
  const distinct = [...new Set(values)];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { $in: distinct };
}

/** A condition that a workspace is no test workspace, whose times are not the operator's. */
export const ofRealTime = { $gte: idPrefixes.workspace } as const;

/**
 * For a command that names ids and workspaces: the ids alone find its documents. Without the hint the server would also try
 * every index that begins with the workspace. Source: MongoDB manual, "update", `hint`.
 */
export const byId = { hint: '_id_' } as const;

/**
 * Runs an upsert by `_id` that several processes may run at once. If two find no document, both insert one, and the second
 * meets the first one's key. Run again, it finds the document.
 * Source: MongoDB manual, "Upsert with Duplicate Values".
 * @throws whatever else `run` throws.
 */
export async function upsert<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isServerError(error, 'DuplicateKey')) throw error;
    return run();
  }
}

/** A document of any collection that a posting writes. */
export interface PostedDocument extends Document {
  readonly _id: string;
}

export type WriteCommand =
  | { readonly insert: string; readonly documents: readonly PostedDocument[] }
  | { readonly update: string; readonly updates: readonly Document[] };

/** One write of a command failed; the message names its document. */
export class WriteError extends MongoServerError {
  /** Its place in the command. */
  readonly index: number;

  constructor({ index, code, errmsg, errInfo }: WriteFault, command: WriteCommand) {
    const of =
      'insert' in command
        ? { collection: command.insert, ids: [command.documents[index]?._id] }
        : { collection: command.update, ids: idsIn(command.updates[index]) };
    super({ code, errmsg: describeRefusedDocument(errmsg, { ...of, errInfo }) });
    this.index = index;
  }
}

interface WriteFault {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
  /** What exactly a validator refuses, from MongoDB 5.0 on. */
  readonly errInfo?: unknown;
}

function idsIn(update: Document | undefined): unknown[] {
  const { _id } = (update?.['q'] ?? {}) as { readonly _id?: unknown };
  return typeof _id === 'string' ? [_id] : ((_id as { readonly $in?: unknown[] } | undefined)?.$in ?? []);
}

interface WriteReply {
  readonly n: number;
  readonly writeErrors?: readonly WriteFault[];
  readonly writeConcernError?: { readonly code: number; readonly errmsg: string };
}

/**
 * Sends a write as one command, and only once: the driver repeats its own writes after a lost answer, and of a repeated insert a
 * server up to 5.0 may keep silent about documents that its first attempt refused. It also measures and copies every document
 * before, to split what is too large for a command; that took a tenth of a worker's time.
 * @param session one in a transaction; without one, what is written is on a majority, journaled, when this returns.
 * @returns how many documents were inserted or matched, and the writes that failed: in a transaction at most one, which ends it.
 * @throws MongoServerError what failed the command, or its write concern; MongoNetworkError the answer was lost. What was
 * written then is not known.
 * Source: MongoDB manual, "insert", "update"; driver specification "Retryable Writes".
 */
export async function runWrite(
  db: Db,
  command: WriteCommand & { readonly ordered: boolean },
  session?: ClientSession,
): Promise<{ readonly n: number; readonly writeErrors: readonly WriteError[] }> {
  const {
    n,
    writeErrors = [],
    writeConcernError,
  } = (await (session === undefined
    ? db.command({ ...command, writeConcern: { w: 'majority', j: true } }, { ignoreUndefined: true })
    : db.command(command, { ignoreUndefined: true, session }))) as WriteReply;
  if (writeConcernError !== undefined) throw new MongoServerError({ ...writeConcernError });
  return { n, writeErrors: writeErrors.map((error) => new WriteError(error, command)) };
}

/** Sets fields of documents by their ids and workspaces. All of them must still be as they were read. */
export interface GuardedUpdate {
  readonly filter: Filter<PostedDocument>;
  readonly set: MatchKeysAndValues<PostedDocument>;
  /** How many documents the filter names. Fewer match if another writer was faster. */
  readonly count: number;
}
