import type { IncomingMessage } from 'node:http';
import { clientAddress, type Network } from '../address.ts';
import { shownKeyId } from '../auth/signing-headers.ts';
import { catalogue, toError, type ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { forwardedFor, signingHeader } from './headers.ts';

const [limitExceeded, internalError] = [429, 500];

/**
 * Logs each request that is answered with an error, as what it is. `why` is the reason that the client is told.
 * - a fault of the service (500), with the error;
 * - `request not served` (503): a server is away or too slow, which `server` names, or too much is under way;
 * - `request over its rate` (429), with the key and the address;
 * - any other only at `debug`, and one that a test workspace asked for: it is the client's affair. Failed authentications are logged by the operator's observer.
 */
export function createFailureLog(log: Logger, trustedProxies: readonly Network[]) {
  return (error: ServiceError, req: IncomingMessage, requestId: unknown): void => {
    const { errorName: why, server, cause, isSimulated } = error;
    const { status, code } = catalogue[why];
    if (status === limitExceeded) {
      const keyId = shownKeyId(signingHeader(req.rawHeaders, 'x-api-key'));
      const address = clientAddress(req.socket.remoteAddress, forwardedFor(req.rawHeaders), trustedProxies) ?? null;
      log.warn({ why, code, keyId, address, requestId }, 'request over its rate');
    } else if (status < internalError || isSimulated) log.debug({ why, code, requestId }, 'request refused');
    else if (status === internalError) log.error({ err: cause ?? error, code, requestId }, 'request failed');
    else if (server === undefined && cause !== undefined) {
      log.error({ why, code, err: cause, requestId }, 'request not served');
    } else log.error({ why, code, server, reason: reasonOf(cause), requestId }, 'request not served');
  };
}

/** The message of the first error that led to others. */
function reasonOf(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  const error = toError(cause);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
