import { destination, pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { createLogLimit } from './log-limit.ts';
import { isOfServer } from './server-faults.ts';
import { terminalJson } from './terminal-text.ts';

export type { Logger };

/** Field names that may hold a secret; whatever a caller logs under them is replaced before it is written. */
const redactedPaths = [
  'apiSecret',
  'secret',
  'signature',
  'masterKeys',
  'headers["x-signature"]',
  'headers.authorization',
];

const redact = { paths: [...redactedPaths, ...redactedPaths.map((path) => `*.${path}`)], censor: '[redacted]' };

/**
 * JSON lines, for a collector; one logger a process, named after it, so that its lines are in the order of their times. What
 * happens again and again is left out ({@link createLogLimit}).
 * @param processName `web` or `worker`.
 * @param output given each line; standard output if absent.
 * @returns the logger, and what it is to be told of servers that are away.
 */
export function createLogger(processName: string, level: string, output: DestinationStream = standardOutput()) {
  const { logMethod, note } = createLogLimit();
  const log: Logger = pino(
    {
      name: processName,
      level,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // Operators read logs on terminals, and a log has text of tenants and receivers.
      hooks: { logMethod, streamWrite: terminalJson },
      redact,
    },
    output,
  );
  return { log, noteServer: note };
}

/**
 * What the log says about an error and its causes: kind, message, code and stack. Other properties are left out, because
 * those of a driver's errors can be pages long, or a client's own documents. An error of the way to a server, or of a time
 * that is over, has no stack: it says nothing of the code, and in an outage there are many.
 */
export function describeError(error: unknown): Record<string, unknown> {
  // Anything may be thrown.
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: String(error) };
  if (!(error instanceof Error)) return { type: 'object', message: 'what was thrown is no error' };
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

/**
 * Not buffered: a process whose log is no longer read would never end, because it would retry the last flush for ever. A line
 * that cannot be written, because the disk is full, is lost; the work goes on.
 */
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true }).on('error', () => undefined);
}
