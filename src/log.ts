import {
  destination,
  levels,
  pino,
  stdTimeFunctions,
  type DestinationStream,
  type Level,
  type Logger,
  type LoggerOptions,
} from 'pino';
import { createRepeatLimit } from './log-repeats.ts';
import { describeError } from './logged-error.ts';
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
 * happens again and again is counted ({@link createRepeatLimit}).
 * @param processName `web` or `worker`.
 * @param output given each line; standard output if absent.
 * @returns the logger, and what writes the repeats that are not written yet, to be called at the end.
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
      redact,
    },
    output,
  );
  return { log, flushRepeats: repeats.flush };
}

/** The logger of a thread. @param tell passes each line on to the process, which logs it ({@link logFromThread}). */
export function createThreadLogger(level: string, tell: (line: string) => void): Logger {
  const options: LoggerOptions = { level, base: null, timestamp: false, serializers: { err: describeError }, redact };
  return pino(options, { write: tell });
}

/** Logs a line of a thread as the process's own, so that its repeats are counted and all lines are in order. */
export function logFromThread(log: Logger, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line) as { readonly level: number; readonly msg: string };
  const name = levels.labels[level] as Level;
  log[name](fields, msg);
}

/**
 * Not buffered: a process whose log is no longer read would never end, because it would retry the last flush for ever. A line
 * that cannot be written, because the disk is full, is lost; the work goes on.
 */
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true }).on('error', () => undefined);
}
