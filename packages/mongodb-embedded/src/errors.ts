import type { Document } from 'bson';

/**
 * A failure as MongoDB reports it in a reply: a number that drivers act on, its name, and the labels that say
 * what may be repeated. `extra` fields (`keyPattern`, `keyValue`, ...) stand beside them in the reply.
 * Source: MongoDB 4.2's error codes, https://github.com/mongodb/mongo/blob/v4.2/src/mongo/base/error_codes.err
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
  11: 'UserNotFound',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  16: 'InvalidLength',
  17: 'ProtocolError',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  24: 'LockTimeout',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  31: 'RoleNotFound',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  51: 'ManualInterventionRequired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  55: 'InvalidDBRef',
  56: 'EmptyFieldName',
  57: 'DottedFieldName',
  59: 'CommandNotFound',
  61: 'ShardKeyNotFound',
  62: 'OplogOperationUnsupported',
  64: 'WriteConcernFailed',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  70: 'ShardNotFound',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  76: 'NoReplicationEnabled',
  79: 'UnknownReplWriteConcern',
  82: 'NodeNotFound',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  89: 'NetworkTimeout',
  90: 'CallbackCanceled',
  91: 'ShutdownInProgress',
  96: 'OperationFailed',
  100: 'UnsatisfiableWriteConcern',
  104: 'AmbiguousIndexKeyPattern',
  105: 'RuntimeConstantError',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  116: 'DocTooLargeForCapped',
  117: 'ConflictingOperationInProgress',
  118: 'NamespaceNotSharded',
  120: 'NetworkInterfaceExceededTimeLimit',
  121: 'DocumentValidationFailure',
  123: 'NotAReplicaSet',
  125: 'CommandFailed',
  136: 'CappedPositionLost',
  146: 'ExceededMemoryLimit',
  148: 'ReadConcernMajorityNotEnabled',
  159: 'DurationOverflow',
  165: 'ViewDepthLimitExceeded',
  166: 'CommandNotSupportedOnView',
  167: 'OptionNotSupportedOnView',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  173: 'InvalidPipelineOperatorBeforeMatch',
  175: 'QueryPlanKilled',
  180: 'InvalidViewDefinition',
  189: 'PrimarySteppedDown',
  195: 'InvalidResumeToken',
  196: 'InvalidOptions',
  197: 'InvalidIndexSpecificationOption',
  201: 'ReplicaSetNotFound',
  202: 'NetworkInterfaceExceededTimeLimit',
  206: 'NoSuchSession',
  207: 'ConfigurationInProgress',
  210: 'InvalidUUID',
  213: 'DuplicateSession',
  217: 'IncompleteTransactionHistory',
  223: 'PeriodicJobIsStopped',
  225: 'TransactionTooOld',
  226: 'AtomicityFailure',
  227: 'CannotImplicitlyCreateCollection',
  228: 'SessionTransferIncomplete',
  229: 'MustUpgrade',
  234: 'RetryChangeStream',
  237: 'CursorKilled',
  238: 'NotImplemented',
  239: 'SnapshotTooOld',
  241: 'ConversionFailure',
  244: 'TransactionCoordinatorSteppingDown',
  246: 'SnapshotUnavailable',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  257: 'TransactionTooLarge',
  262: 'ExceededTimeLimit',
  263: 'OperationNotSupportedInTransaction',
  266: 'FailPointSetFailed',
  267: 'TransactionCoordinatorReachedAbortDecision',
  9001: 'SocketException',
  10003: 'CannotGrowDocumentInCappedNamespace',
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
