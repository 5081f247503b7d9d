/** Codes of errors of the system, a socket or TLS: no descriptors, no ports, no route, a broken connection. */
const systemFault = /^(E(?!RR_)[A-Z0-9_]+|ERR_(SOCKET|SSL|STREAM|TLS)_\w+)$/;

/** Those of them that only the way to a server has. The others may be of a file, or of this machine. */
const networkFault =
  /^(E(AI_[A-Z]+|ADDRNOTAVAIL|CONN[A-Z]+|HOST[A-Z]+|NET[A-Z]+|NODATA|NOTFOUND|PIPE|PROTO|REFUSED|SERVFAIL|TIMEDOUT|TIMEOUT)|ERR_(SOCKET|SSL|STREAM|TLS)_\w+)$/;

/** Names of the MongoDB driver's own errors if it finds no server or loses its connection. */
const driverFaults: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
]);

/** Whether an error came from the system, the network or the way to MongoDB. */
export function isConnectionFault(error: unknown): boolean {
  return isOf(systemFault, error);
}

/** What ioredis says if a connection is lost or silent. These errors have no name or code of their own. */
const redisFault =
  /^(Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries per request)/;

/** Whether an error says no more than that a server is away or slow. */
export function isOfServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isOf(networkFault, error) || error.name === 'TimeoutError' || redisFault.test(error.message);
}

function isOf(codes: RegExp, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The driver passes some errors of the system on unwrapped.
  return driverFaults.has(error.name) || ('code' in error && codes.test(String(error.code)));
}
