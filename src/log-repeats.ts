import type { LogFn, LoggerOptions } from 'pino';

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
