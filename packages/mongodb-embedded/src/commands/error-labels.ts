import type { Document } from '../semantics/values.ts';
import type { SessionFields } from '../sessions/numbers.ts';

/** What the labels of an error depend on. */
export interface Failure {
  name: string;
  fields: SessionFields | undefined;
  code: number;
  /** The command was carried out, and only its write concern was not. */
  isWriteConcernError: boolean;
  failPoint: Document | undefined;
}

/**
 * The label that tells a client what it may repeat: the whole transaction, or this command alone. Labels of a fail point
 * stand for those of its errors. Source: MongoDB 4.4, `src/mongo/db/error_labels.cpp`; manual, "Transaction Error
 * Handling"; driver specification, "Retryable Writes".
 */
export function errorLabels({ name, fields, code, isWriteConcernError, failPoint }: Failure): string[] {
  const given = failPoint?.['errorLabels'];
  if (Array.isArray(given)) return given.map(String);
  if (fields?.number === undefined) return [];
  const isEnd = name === 'commitTransaction' || name === 'abortTransaction';
  if (fields.isTransaction) {
    const isUndone = undone.has(code) || (retryable.has(code) && !isEnd);
    if (isUndone && !isWriteConcernError) return ['TransientTransactionError'];
    if (!isEnd) return [];
  }
  return retryable.has(code) ? ['RetryableWriteError'] : [];
}

/** LockTimeout, WriteConflict, SnapshotUnavailable, NoSuchTransaction: nothing of the transaction is left. */
const undone = new Set([24, 112, 246, 251]);
/** Errors of a node that goes away or is no longer primary. */
const retryable = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
