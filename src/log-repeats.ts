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
 * Keeps one cause from filling the log: of warnings and errors that say the same of the same error, the first is written at
 * once, and the others as one entry a window: the last of them, with how many it stands for in `repeated`. What differs in
 * numbers, ids and addresses alone is the same. Entries without an error (`err` or `reason`) are all written.
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

/** Undefined where an entry tells of no error. */
function causeOf([fields, message]: Parameters<LogFn>, level: number): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const { err, reason } = fields as { err?: unknown; reason?: unknown };
  const said = err instanceof Error ? `${err.name}: ${err.message}` : reason;
  if (typeof said !== 'string') return undefined;
  return `${level} ${String(message)} ${said.replaceAll(hasDigit, '#')}`;
}
