import { catalogue, namedField } from './error-catalogue.ts';

export { catalogue, namedField };

/** A reason: what `error.reason` of a failure is. */
export type ErrorName = keyof typeof catalogue;

/** Every reason, in the order of the catalogue. */
export const errorNames = Object.keys(catalogue) as readonly ErrorName[];

/** What is wrong with one field of a request. */
export interface FieldFault {
  readonly reason: ErrorName;
  readonly field: string;
}

interface ServiceErrorOptions {
  /** The field, path part, query parameter or header at fault, where the catalogue does not name it. */
  readonly field?: string;
  /** What helps the owner of the request, as the catalogue has it. */
  readonly value?: string | undefined;
  /** All that is wrong with the request, this first, where more is known. */
  readonly faults?: readonly FieldFault[];
  /** After how many seconds a retry makes sense; sent as `Retry-After`. Of a 503 one, if nothing is said. */
  readonly retryAfterSeconds?: number;
  /** The value of the `RateLimit` header. */
  readonly rateLimit?: string;
  /** Why, for the log alone; never sent to a client. */
  readonly cause?: unknown;
  /** Which server did not answer, or too late; for the log alone. */
  readonly server?: ServerName | undefined;
  /** A test workspace's request asked for it: the service is well. */
  readonly isSimulated?: true;
}

const unavailableStatus = 503;
const usualRetryAfterSeconds = 1;

/** What metrics have in place of the code of a failure for which a test workspace asked. */
export const simulatedCode = 'simulated';

/** What the service needs to be there. */
export type ServerName = 'mongodb' | 'redis';

/**
 * An error of the catalogue. The client sees the catalogue's code, status and message; the reason, `field`, `value` and
 * `faults` in the body's `error` and in headers.
 */
export class ServiceError extends Error {
  readonly errorName: ErrorName;
  readonly field: string | undefined;
  readonly value: string | undefined;
  readonly faults: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: string | undefined;
  readonly server: ServerName | undefined;
  readonly isSimulated: boolean;

  constructor(errorName: ErrorName, options: ServiceErrorOptions = {}) {
    const { message, field, status } = catalogue[errorName];
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.errorName = errorName;
    this.field = options.field ?? (field === namedField ? undefined : field);
    this.value = options.value;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds =
      options.retryAfterSeconds ?? (status === unavailableStatus ? usualRetryAfterSeconds : undefined);
    this.rateLimit = options.rateLimit;
    this.server = options.server;
    this.isSimulated = options.isSimulated ?? false;
  }
}

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The reason of a custom zod check, so that the answer says more than that the field is malformed. */
export function because(reason: ErrorName, value?: string): { params: { reason: ErrorName; value?: string } } {
  return { params: { reason, ...(value === undefined ? {} : { value }) } };
}

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
