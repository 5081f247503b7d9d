import { Double } from 'bson';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { readCollation } from '../query/collation.ts';
import { asDocument, isNumeric, type Document } from '../semantics/values.ts';
import { readSessionFields, takeNumber, type SessionFields } from '../sessions/numbers.ts';
import { inTurn } from '../sessions/sessions.ts';
import type { Client } from '../wire/connection.ts';
import type { Reply } from '../wire/reply.ts';
import { clusterTime, latestOf, learnClusterTime } from './clock.ts';
import { checkAfterClusterTime, readConcernLevel, readWriteConcern, type WriteConcern } from './concerns.ts';
import type { Context, Engine } from './context.ts';
import { errorLabels } from './error-labels.ts';
import { blockTimeMs } from './fail-point.ts';
import { checkedDatabase, namespaceOf } from './fields.ts';
import { refuseUnknownFields } from './known-fields.ts';
import { aliases, commands, type CommandEntry } from './table.ts';

/** What is known of a command when its reply or its error is finished. */
interface Outline {
  name: string;
  entry: CommandEntry | undefined;
  fields: SessionFields | undefined;
  writeConcern: WriteConcern;
  failPoint: Document | undefined;
}

/**
 * Runs one command from its checks to its finished reply; undefined if the connection is to be closed without one, for a
 * fail point or because the disk failed, and nobody knows whether what was written is there. The order
 * of the checks is MongoDB's: what fails before the session's number is taken leaves an open transaction as it is.
 */
export async function runCommand(engine: Engine, command: Document, client: Client): Promise<Reply | undefined> {
  const outline: Outline = {
    ...{ name: Object.keys(command)[0] ?? '', entry: undefined, fields: undefined, failPoint: undefined },
    writeConcern: { isUnacknowledged: false, error: undefined },
  };
  try {
    const reply = await checkAndRun(engine, command, client, outline);
    return reply === undefined ? undefined : finish(engine, client, outline, reply);
  } catch (error) {
    if (engine.isDiskFailure(error)) return undefined;
    const failure = error instanceof CommandError ? error : internalError(error);
    const { code, codeName, message, extra } = failure;
    const labels = errorLabels({ ...outline, ...client, code, isWriteConcernError: false });
    const errorReply = { ok: new Double(0), errmsg: message, code, codeName, ...extra };
    return { ...errorReply, ...(labels.length > 0 && { errorLabels: labels }), ...clusterTime(engine) };
  }
}

async function checkAndRun(
  engine: Engine,
  command: Document,
  client: Client,
  outline: Outline,
): Promise<Reply | undefined> {
  const name = aliases.get(outline.name) ?? outline.name;
  const entry = commands.get(name);
  if (entry === undefined) throw new CommandError(59, `no such command: '${outline.name}'`);
  const database = checkedDatabase(command['$db']);
  learnClusterTime(engine, command);
  const fields = readSessionFields(command);
  Object.assign(outline, { name, entry, fields });
  refuseInTransaction(name, entry, fields, database);
  const failPoint = engine.failPoint.trigger(name, client);
  outline.failPoint = failPoint;
  if (failPoint !== undefined) {
    if (blockTimeMs(failPoint) > 0) await sleep(blockTimeMs(failPoint));
    if (failPoint['closeConnection'] === true) return undefined;
    if (isNumeric(failPoint['errorCode'])) {
      throw new CommandError(Number(failPoint['errorCode']), "Failing command due to 'failCommand' failpoint");
    }
  }
  if (entry.isAdminOnly && database !== 'admin') {
    throw new CommandError(13, `${name} may only be run against the admin database.`);
  }
  const readConcern = readConcernLevel(command, fields);
  checkAfterClusterTime(command, readConcern, latestOf(engine));
  if (entry.isWrite) outline.writeConcern = readWriteConcern(command);
  if (fields.isTransaction && entry.inTransaction !== 'ends' && command['writeConcern'] !== undefined) {
    throw new CommandError(72, 'writeConcern is not allowed within a multi-statement transaction');
  }
  const { lsid, number } = fields;
  const context: Context = {
    ...{ engine, client, command, name, database, transaction: undefined, deadline: deadlineOf(command) },
    session: lsid === undefined ? undefined : engine.sessions.of(lsid),
    isRetryable: number !== undefined && !fields.isTransaction,
    stringOrder: entry.isData && !Array.isArray(command['updates']) ? readCollation(command['collation']) : undefined,
  };
  const { session } = context;
  if (session === undefined || number === undefined) return run(context, entry);
  return inTurn(session, async () => {
    const lifetimeMs = engine.parameters.transactionLifetimeLimitSeconds * 1000;
    const isCommit = name === 'commitTransaction';
    const transaction = takeNumber(engine.sessions, session, { ...fields, number }, { lifetimeMs, isCommit });
    if (transaction === undefined) return run(context, entry);
    if (fields.starts) transaction.readConcern = readConcern;
    return runInTransaction({ ...context, transaction }, entry);
  });
}

async function run(context: Context, entry: CommandEntry): Promise<Reply> {
  const { engine, command, name } = context;
  const isNamed = entry.isData && typeof command[Object.keys(command)[0] ?? ''] === 'string';
  if (isNamed && name !== 'explain') await engine.locks.share(namespaceOf(context), context.deadline);
  refuseUnknownFields(name, command);
  return entry.handler(context);
}

/** A statement that fails, be it for a single document, ends the transaction. */
async function runInTransaction(context: Context, entry: CommandEntry): Promise<Reply> {
  const { engine, transaction } = context;
  if (transaction === undefined || entry.inTransaction === 'ends') return entry.handler(context);
  try {
    refuseUnknownFields(context.name, context.command);
    const reply = await entry.handler(context);
    if (reply['writeErrors'] !== undefined) engine.sessions.abort(transaction);
    return reply;
  } catch (error) {
    engine.sessions.abort(transaction);
    throw error;
  }
}

function refuseInTransaction(name: string, entry: CommandEntry, fields: SessionFields, database: string): void {
  const { number, isTransaction, starts } = fields;
  if (number === undefined) return;
  if (!isTransaction) {
    if (entry.isRetryable) return;
    const rule = 'txnNumber may only be provided for multi-document transactions and retryable write commands.';
    throw new CommandError(
      50768,
      `${rule} autocommit:false was not provided, and ${name} is not a retryable write command.`,
    );
  }
  const refuse = (message: string): never => {
    throw new CommandError(263, message);
  };
  if (entry.inTransaction === 'never a session') refuse('This command is not supported in transactions');
  if (entry.inTransaction === 'no') refuse(`Cannot run '${name}' in a multi-document transaction.`);
  if (entry.inTransaction === 'ends') {
    if (starts) refuse(`Cannot start a transaction with ${name === 'commitTransaction' ? 'a commit' : 'an abort'}`);
  } else if (['admin', 'local', 'config'].includes(database)) {
    refuse(`Cannot run command against the '${database}' database in a transaction`);
  }
}

/** Adds what the write concern, a fail point and the set's clock have to say. */
function finish(engine: Engine, client: Client, outline: Outline, reply: Reply): Reply {
  const { writeConcern, failPoint } = outline;
  if (writeConcern.isUnacknowledged) return { ok: new Double(1), ...clusterTime(engine) };
  const writeConcernError = asDocument(failPoint?.['writeConcernError']) ?? writeConcern.error;
  const finished = { ...reply, ok: new Double(Number(reply['ok'])), ...clusterTime(engine) };
  if (writeConcernError === undefined) return finished;
  const code = Number(writeConcernError['code']);
  const labels = errorLabels({ ...outline, ...client, code, isWriteConcernError: true });
  return { ...finished, writeConcernError, ...(labels.length > 0 && { errorLabels: labels }) };
}

function deadlineOf(command: Document): number | undefined {
  const limit = command['maxTimeMS'];
  if (limit === undefined) return undefined;
  if (!isNumeric(limit)) throw new CommandError(2, 'maxTimeMS must be a number');
  const limitMs = Number(limit.toString());
  if (limitMs < 0) throw new CommandError(2, 'maxTimeMS must be non-negative');
  return limitMs === 0 ? undefined : Date.now() + limitMs;
}

/** A fault of the engine itself is told on stderr, for whoever tries out something that it cannot do. */
function internalError(error: unknown): CommandError {
  process.stderr.write(
    `embedded MongoDB: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return new CommandError(1, error instanceof Error ? error.message : 'internal error');
}
