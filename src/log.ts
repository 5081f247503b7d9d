import {
  destination,
  pino,
  stdSerializers,
  stdTimeFunctions,
  type DestinationStream,
  type LogFn,
  type Logger,
  type LoggerOptions,
} from 'pino';
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

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** One cause, in the words of its entries. */
interface Repeated {
  /** Writes the last entry that was withheld. */
  write: (repeated: number) => void;
  withheld: number;
}

const usualWindowMs = 15_000;
/** Causes of one window; entries of further ones are all written. */
const causesMax = 200;
const [warnLevel, fatalLevel] = [40, 60];
const hasDigit = /[\w.-]*\d[\w.-]*/g;

/**
 * Keeps one cause from filling the log. The first warning or error of a cause is written at once. After that, the last
 * one of each window is written, with the number that it stands for in `repeated`. Entries have the same cause if they
 * have the same level and message, and errors that differ only in numbers, ids and addresses. Entries without an error
 * (`err` or `reason`) are all written.
 */
export function createRepeatLimit(windowMs = usualWindowMs) {
  const known = new Map<string, Repeated>();

  function flushOne(repeated: Repeated): boolean {
    const { withheld } = repeated;
    if (withheld === 0) return false;
    repeated.withheld = 0;
    repeated.write(withheld);
    return true;
  }

  function watch(cause: string): void {
    setTimeout(() => {
      const repeated = known.get(cause);
      if (repeated !== undefined && flushOne(repeated)) watch(cause);
      else known.delete(cause);
    }, windowMs).unref();
  }

  const logMethod: LogMethod = function (args, method, level) {
    const cause = level < warnLevel || level >= fatalLevel ? undefined : causeOf(args, level);
    const before = cause === undefined ? undefined : known.get(cause);
    if (before !== undefined) {
      before.withheld += 1;
      before.write = (repeated) => {
        Reflect.apply(method, this, [{ ...(args[0] as object), repeated }, ...args.slice(1)]);
      };
      return;
    }
    if (cause !== undefined && known.size < causesMax) {
      known.set(cause, { withheld: 0, write: () => undefined });
      watch(cause);
    }
    Reflect.apply(method, this, args);
  };

  return {
    logMethod,
    /** Writes now what was withheld, as a process that ends must. */
    flush: (): void => {
      for (const repeated of known.values()) flushOne(repeated);
    },
  };
}

/** Undefined for an entry without an error. */
function causeOf([fields, message]: Parameters<LogFn>, level: number): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const { err, reason } = fields as { err?: unknown; reason?: unknown };
  const said = err instanceof Error ? `${err.name}: ${err.message}` : reason;
  if (typeof said !== 'string') return undefined;
  return `${level} ${String(message)} ${said.replaceAll(hasDigit, '#')}`;
}
