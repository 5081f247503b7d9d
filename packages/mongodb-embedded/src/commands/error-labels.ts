import type { SessionFields } from '../sessions/numbers.ts';

/** What the labels of an error depend on. */
export interface Failure {
  name: string;
  fields: SessionFields | undefined;
  code: number;
  isWriteConcernError: boolean;
}

/**
 * The label that tells a client that it may repeat the whole transaction; that it may repeat one command is left to the
 * drivers by 4.2. Source: manual, "Transaction Error Handling".
 */
export function errorLabels({ name, fields, code, isWriteConcernError }: Failure): string[] {
  const labels: string[] = [];
  const isEnd = name === 'commitTransaction' || name === 'abortTransaction';
  const isTransient =
    alwaysTransient.has(code) ||
    (code === noSuchTransaction && !(isEnd && isWriteConcernError)) ||
    (retryable.has(code) && name !== 'commitTransaction');
  if (fields?.isTransaction && isTransient && !isWriteConcernError) labels.push('TransientTransactionError');
  return labels;
}

const noSuchTransaction = 251;
/** LockTimeout, WriteConflict, SnapshotUnavailable: nothing of the transaction is left. */
const alwaysTransient = new Set([24, 112, 246]);
/** Errors of a node that goes away or is no longer primary. */
const retryable = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
