import type { Binary } from 'bson';
import { CommandError } from '../errors.ts';
import { asDocument, isBson, typeName, type Document, type Value } from '../semantics/values.ts';
import type { ClientTransaction, Session, Sessions } from './sessions.ts';

/** The session fields of a command. `number` without `autocommit` belongs to a retryable write. */
export interface SessionFields {
  lsid: Binary | undefined;
  number: bigint | undefined;
  isTransaction: boolean;
  starts: boolean;
}

/** Reads and checks `lsid`, `txnNumber`, `autocommit` and `startTransaction` (recordings: transactions, retryable). */
export function readSessionFields(command: Document): SessionFields {
  const lsid = readSessionId(command['lsid']);
  const number = readNumber(command['txnNumber']);
  const autocommit = readBoolean(command, 'autocommit');
  const starts = readBoolean(command, 'startTransaction');
  const refuse = (message: string): never => {
    throw new CommandError(72, message);
  };
  if (number !== undefined && lsid === undefined)
    refuse('Transaction number requires a session ID to also be specified');
  if (number !== undefined && number < 0n) refuse('Transaction number cannot be negative');
  if (autocommit !== undefined) {
    if (number === undefined) refuse("'autocommit' field requires a transaction number to also be specified");
    if (autocommit) refuse('Specifying autocommit=true is not allowed.');
  }
  if (starts !== undefined) {
    if (autocommit === undefined) refuse("'startTransaction' field requires 'autocommit' field to also be specified");
    if (!starts) refuse('Specifying startTransaction=false is not allowed.');
  }
  return { lsid, number, isTransaction: autocommit === false, starts: starts === true };
}

/** The UUID of a session id document. */
export function readSessionId(lsid: Value): Binary | undefined {
  if (lsid === undefined) return undefined;
  const id = asDocument(lsid)?.['id'];
  if (isBson(id, 'Binary')) return id;
  throw wrongType(id === undefined ? 'lsid' : 'lsid.id', id ?? lsid, id === undefined ? 'object' : 'binData');
}

/**
 * Takes up a command's number in its session: a retryable write goes on or begins anew; a transaction is continued or
 * started. Gives the open transaction, if it is one. Throws 225, 117, 251, 256 or 72, which end no transaction.
 */
export function takeNumber(
  sessions: Sessions,
  session: Session,
  fields: SessionFields & { number: bigint },
  options: { lifetimeMs: number; isCommit: boolean },
): ClientTransaction | undefined {
  const { number, isTransaction, starts } = fields;
  if (number < session.number) {
    const active = `a newer transaction ${session.number} has already started.`;
    throw new CommandError(225, `Cannot start transaction ${number} on session ${session.key} because ${active}`);
  }
  if (!isTransaction) {
    if (number > session.number) sessions.renumber(session, number, 'retryable');
    else if (session.kind === 'transaction') {
      throw new CommandError(72, 'Must specify autocommit=false on all operations of a multi-statement transaction.');
    }
    return undefined;
  }
  if (starts) {
    if (number > session.number) return sessions.begin(session, number, options.lifetimeMs);
    const message = 'Only servers in a sharded cluster can start a new transaction at the active transaction number';
    throw new CommandError(117, message);
  }
  const { transaction } = session;
  if (number !== session.number || transaction === undefined) {
    const active = `The active transaction number is ${session.number}`;
    throw new CommandError(
      251,
      `Given transaction number ${number} does not match any in-progress transactions. ${active}`,
    );
  }
  if (transaction.state === 'aborted') throw new CommandError(251, `Transaction ${number} has been aborted.`);
  if (transaction.state === 'committed' && !options.isCommit) {
    throw new CommandError(256, `Transaction ${number} has been committed.`);
  }
  return transaction;
}

function readNumber(value: Value): bigint | undefined {
  if (value === undefined) return undefined;
  if (!isBson(value, 'Long')) throw wrongType('txnNumber', value, 'long');
  return value.toBigInt();
}

function readBoolean(command: Document, field: string): boolean | undefined {
  const value = command[field];
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(field, value, 'bool');
}

function wrongType(field: string, value: Value, expected: string): CommandError {
  const found = `is the wrong type '${typeName(value)}', expected type '${expected}'`;
  return new CommandError(14, `BSON field 'OperationSessionInfo.${field}' ${found}`);
}
