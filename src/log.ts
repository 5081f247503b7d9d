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
import { createLogLimit } from './log-limit.ts';
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
 * happens again and again is left out ({@link createLogLimit}).
 * @param processName `web` or `worker`.
 * @param output given each line; standard output if absent.
 * @returns the logger, what it is to be told of servers that are away, and what writes at the end what was left out.
 */
export function createLogger(processName: string, level: string, output: DestinationStream = standardOutput()) {
  const { logMethod, note, flush } = createLogLimit();
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
  return { log, noteServer: note, flushLog: flush };
}

/** The logger of a thread. @param tell passes each line on to the process, which logs it ({@link logFromThread}). */
export function createThreadLogger(level: string, tell: (line: string) => void): Logger {
  const options: LoggerOptions = { level, base: null, timestamp: false, serializers: { err: describeError }, redact };
  return pino(options, { write: tell });
}

/** Logs a line of a thread as the process's own, so that all lines are in order. */
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
