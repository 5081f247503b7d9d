import { destination, pino, stdTimeFunctions } from 'pino';
import type { Logger } from 'pino';

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
 * JSON lines on standard output, for a collector; one logger a process, named after it.
 * @param processName `web`, `worker` or `admin`.
 */
export function createLogger(processName: string, level: string): Logger {
  return pino(
    {
      name: processName,
      level,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: [...redactedPaths, ...redactedPaths.map((path) => `*.${path}`)], censor: '[redacted]' },
    },
    // Buffered, a process whose log nobody reads any more would try for ever to flush it before it ends.
    destination({ fd: 1, sync: true }),
  );
}
