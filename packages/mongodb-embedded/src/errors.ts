import type { Document } from 'bson';

/**
 * A failure as MongoDB reports it in a reply: a number that drivers act on, its name, and the labels that say
 * what may be repeated. `extra` fields (`keyPattern`, `keyValue`, ...) stand beside them in the reply.
 * Source: MongoDB 4.4's error codes, https://github.com/mongodb/mongo/blob/v4.4/src/mongo/base/error_codes.yml
 */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: string[];
  readonly extra: Document | undefined;

  constructor(code: number, message: string, details: { labels?: string[]; extra?: Document } = {}) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.codeName = codeNameOf(code);
    this.labels = details.labels ?? [];
    this.extra = details.extra;
  }
}

/** The name of an error code; codes that never got a name of their own are called `LocationNNNNN`. */
export function codeNameOf(code: number): string {
  return codeNames[code] ?? `Location${code}`;
}

/** A value for an error message. */
export function shown(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  return '_bsontype' in value && 'toString' in value
    ? (value as { toString(): string }).toString()
    : JSON.stringify(value);
}

const codeNames: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  4: 'NoSuchKey',
  5: 'GraphContainsCycle',
  6: 'HostUnreachable',
  7: 'HostNotFound',
  8: 'UnknownError',
  9: 'FailedToParse',
  10: 'CannotMutateObject',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  16: 'InvalidLength',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  24: 'LockTimeout',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  64: 'WriteConcernFailed',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  89: 'NetworkTimeout',
  91: 'ShutdownInProgress',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  117: 'ConflictingOperationInProgress',
  121: 'DocumentValidationFailure',
  125: 'CommandFailed',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  189: 'PrimarySteppedDown',
  196: 'InvalidOptions',
  197: 'InvalidIndexSpecificationOption',
  201: 'ReplicaSetNotFound',
  225: 'TransactionTooOld',
  241: 'ConversionFailure',
  246: 'SnapshotUnavailable',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  262: 'ExceededTimeLimit',
  263: 'OperationNotSupportedInTransaction',
  266: 'FailPointSetFailed',
  9001: 'SocketException',
  10107: 'NotMaster',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  11602: 'InterruptedDueToReplStateChange',
  13388: 'StaleConfig',
  13435: 'NotMasterNoSlaveOk',
  13436: 'NotMasterOrSecondary',
};
