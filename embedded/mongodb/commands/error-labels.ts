import type { Document } from '../semantics/values.ts';
import { asDocument } from '../semantics/values.ts';
import type { SessionFields } from '../sessions/numbers.ts';

/** What the labels of an error depend on. */
export interface Failure {
  name: string;
  fields: SessionFields | undefined;
  failPoint: Document | undefined;
  labelsRetryableWrites: boolean;
  code: number;
  isWriteConcernError: boolean;
}

/**
 * The labels that tell a client what it may repeat: the whole transaction, or the one command. The second is left to the
 * drivers by 4.2, and by them to a server that tells them a later version. Source: manual, "Transaction Error Handling",
 * "Error Labels".
 */
export function errorLabels({
  name,
  fields,
  failPoint,
  labelsRetryableWrites,
  code,
  isWriteConcernError,
}: Failure): string[] {
  const given = failPoint?.['errorLabels'] ?? asDocument(failPoint?.['writeConcernError'])?.['errorLabels'];
  if (labelsRetryableWrites && Array.isArray(given)) return given.map(String);
  const labels: string[] = [];
  const isEnd = name === 'commitTransaction' || name === 'abortTransaction';
  const isTransient =
    alwaysTransient.has(code) ||
    (code === noSuchTransaction && !(isEnd && isWriteConcernError)) ||
    (retryable.has(code) && name !== 'commitTransaction');
  if (fields?.isTransaction && isTransient && !isWriteConcernError) labels.push('TransientTransactionError');
  const isRetryableWrite = fields?.number !== undefined && (!fields.isTransaction || isEnd);
  if (labelsRetryableWrites && isRetryableWrite && retryable.has(code)) labels.push('RetryableWriteError');
  return labels;
}

const noSuchTransaction = 251;
/** LockTimeout, WriteConflict, SnapshotUnavailable: nothing of the transaction is left. */
const alwaysTransient = new Set([24, 112, 246]);
/** Errors of a node that goes away or is no longer primary. */
const retryable = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
