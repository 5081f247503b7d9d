import { MongoServerError } from 'mongodb';

// The MongoDB error codes that the code distinguishes, under MongoDB's names. Source: MongoDB's `error_codes.yml`.

/** What a document itself can be refused for: a duplicate key, a validator, a value or a size that is not allowed. */
export const documentFaults = {
  BadValue: 2,
  TypeMismatch: 14,
  DocumentValidationFailure: 121,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const;

/** What a server answers while it stops, steps down or looks for a primary. Errors of reads have no label that says so. */
export const serverFaults = {
  HostUnreachable: 6,
  HostNotFound: 7,
  WriteConcernFailed: 64,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  ReadConcernMajorityNotAvailableYet: 134,
  PrimarySteppedDown: 189,
  NetworkInterfaceExceededTimeLimit: 202,
  ExceededTimeLimit: 262,
  SocketException: 9001,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
  // From a router: a shard has no primary at the moment, or its documents are being moved.
  StaleShardVersion: 63,
  NoProgressMade: 82,
  FailedToSatisfyReadPreference: 133,
  StaleEpoch: 150,
  StaleDbVersion: 249,
  StaleConfig: 13388,
} as const;

export const errorCodes = {
  ...documentFaults,
  ...serverFaults,
  UserNotFound: 11,
  Unauthorized: 13,
  AuthenticationFailed: 18,
  AlreadyInitialized: 23,
  IndexNotFound: 27,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  CommandNotFound: 59,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  MechanismUnavailable: 334,
  AtlasError: 8000,
} as const;

/** Whether MongoDB answered with this error. */
export function isServerError(error: unknown, name: keyof typeof errorCodes): error is MongoServerError {
  return error instanceof MongoServerError && error.code === errorCodes[name];
}
