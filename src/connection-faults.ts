/** Codes of errors of the system, a socket or TLS: no descriptors, no ports, no route, a broken connection. */
const systemFault = /^(E(?!RR_)[A-Z0-9_]+|ERR_(SOCKET|SSL|STREAM|TLS)_\w+)$/;

/** Names of the MongoDB driver's own errors if it finds no server or loses its connection. */
const driverFaults: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
]);

/** Whether an error came from the network or the way to MongoDB. */
export function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The driver passes some errors of the system on unwrapped.
  return driverFaults.has(error.name) || ('code' in error && systemFault.test(String(error.code)));
}
