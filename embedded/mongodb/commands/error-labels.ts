import type { Document } from '../semantics/values.ts';
import { asDocument } from '../semantics/values.ts';
import type { SessionFields } from '../sessions/numbers.ts';

/** What the labels of an error depend on. */
export interface Failure {
  name: string;
  fields: SessionFields | undefined;
  failPoint: Document | undefined;
  shookHands: boolean;
  code: number;
  isWriteConcernError: boolean;
}

/**
 * The labels that tell a client what it may repeat: the whole transaction, or (as of 4.4) the one command. A client
 * that never asked for the server's version is spoken to as 4.2 does, which left the second to the drivers; they
 * leave it to the server once that calls itself 4.4. Source: manual, "Transaction Error Handling", "Error Labels".
 */
export function errorLabels({ name, fields, failPoint, shookHands, code, isWriteConcernError }: Failure): string[] {
  const given = failPoint?.['errorLabels'] ?? asDocument(failPoint?.['writeConcernError'])?.['errorLabels'];
  if (shookHands && Array.isArray(given)) return given.map(String);
  const labels: string[] = [];
  const isEnd = name === 'commitTransaction' || name === 'abortTransaction';
  const isTransient =
    alwaysTransient.has(code) ||
    (code === noSuchTransaction && !(isEnd && isWriteConcernError)) ||
    (retryable.has(code) && name !== 'commitTransaction');
  if (fields?.isTransaction && isTransient && !isWriteConcernError) labels.push('TransientTransactionError');
  const isRetryableWrite = fields?.number !== undefined && (!fields.isTransaction || isEnd);
  if (shookHands && isRetryableWrite && retryable.has(code)) labels.push('RetryableWriteError');
  return labels;
}

const noSuchTransaction = 251;
/** LockTimeout, WriteConflict, SnapshotUnavailable: nothing of the transaction is left. */
const alwaysTransient = new Set([24, 112, 246]);
/** Errors of a node that goes away or is no longer primary. */
const retryable = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
