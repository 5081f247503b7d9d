import { destination, pino, stdSerializers, stdTimeFunctions, type Logger } from 'pino';
import { createRepeatLimit } from './log-repeats.ts';

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
 * What a log says of an error: its kind, message, code, and where it came from, with those of its causes. What a driver
 * hangs on its errors besides can be pages long, or a client's own documents.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack, code } = stdSerializers.err(error);
  return { type, message, ...(code === undefined ? {} : { code: code as unknown }), stack };
}

/**
 * JSON lines on standard output, for a collector; one logger a process, named after it. An error that comes again and again
 * is written once and then counted.
 * @param processName `web`, `worker` or `admin`.
 */
export function createLogger(processName: string, level: string): Logger {
  const repeats = createRepeatLimit();
  process.once('exit', repeats.flush);
  return pino(
    {
      name: processName,
      level,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { logMethod: repeats.logMethod },
      redact: { paths: [...redactedPaths, ...redactedPaths.map((path) => `*.${path}`)], censor: '[redacted]' },
    },
    // Buffered, a process whose log nobody reads any more would try for ever to flush it before it ends.
    destination({ fd: 1, sync: true }),
  );
}
