import { stdSerializers } from 'pino';
import { isNetworkFault } from './connection-faults.ts';

/** What ioredis says if a connection is lost or silent. These errors have no name or code of their own. */
const redisFault =
  /^(Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries per request)/;

/**
 * What the log says about an error and its causes: kind, message, code and stack. Other properties are left out, because
 * those of a driver's errors can be pages long, or a client's own documents. An error of the way to a server, or of a time
 * that is over, has no stack: it says nothing of the code, and in an outage there are many.
 */
export function describeError(error: unknown): Record<string, unknown> {
  // Anything may be thrown.
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: String(error) };
  // It was described already, in the thread that it comes from.
  if (!(error instanceof Error)) return { ...error };
  const { type, message, stack, code } = stdSerializers.err(error);
  const isBrief = isOfServer(error);
  return {
    type,
    // The causes of such an error say the same once more.
    message: isBrief ? error.message : message,
    ...(code === undefined ? {} : { code: code as unknown }),
    ...(isBrief ? {} : { stack }),
  };
}

/** Whether an error says no more than that a server is away or slow; one of a thread was described already. */
export function isOfServer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (!(error instanceof Error)) return !('stack' in error);
  return isNetworkFault(error) || error.name === 'TimeoutError' || redisFault.test(error.message);
}
