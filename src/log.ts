import { destination, pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { createRepeatLimit } from './log-repeats.ts';
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

/**
 * What the log says about an error and its causes: kind, message, code and stack. Other properties are left out, because
 * those of a driver's errors can be pages long, or a client's own documents.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack, code } = stdSerializers.err(error);
  return { type, message, ...(code === undefined ? {} : { code: code as unknown }), stack };
}

/**
 * JSON lines, for a collector; one logger a process, named after it. An error that comes again and again is written once
 * and then counted.
 * @param processName `web` or `worker`.
 * @param output given each line; standard output if absent.
 * @returns the logger, and what writes the counts that are still withheld, to be called at the end.
 */
export function createLogger(
  processName: string,
  level: string,
  output: DestinationStream = standardOutput(),
): { readonly log: Logger; readonly flushRepeats: () => void } {
  const repeats = createRepeatLimit();
  const log = pino(
    {
      name: processName,
      level,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // Operators read logs on terminals, and a log has text of tenants and receivers.
      hooks: { logMethod: repeats.logMethod, streamWrite: terminalJson },
      redact: { paths: [...redactedPaths, ...redactedPaths.map((path) => `*.${path}`)], censor: '[redacted]' },
    },
    output,
  );
  return { log, flushRepeats: repeats.flush };
}

/**
 * Not buffered: a process whose log is no longer read would never end, because it would retry the last flush for ever. A line
 * that cannot be written, because the disk is full, is lost; the work goes on.
 */
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true }).on('error', () => undefined);
}
