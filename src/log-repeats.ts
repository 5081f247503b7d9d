import type { LoggerOptions } from 'pino';
import { systemClock } from './clock.ts';
import { describeError } from './logged-error.ts';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;
type Fields = Readonly<Record<string, unknown>>;

/** Repeats of a line are counted for so long, and then written as one line. */
export const repeatWindowMs = 60_000;
/** The same for lines that say that something goes or comes (see {@link Event}), so that a second outage shows at once. */
export const stateWindowMs = 10_000;
/** Kinds of one message that are told apart by all that they are about; further ones by {@link circumstances} alone. */
export const kindsOfMessageMax = 20;
/** Of a text, so many characters tell its kind. Some hold what a client sent, and the time that they take has to be bounded. */
const kindTextMax = 500;

const [warnLevel, fatalLevel] = [40, 60];
/** Fields that say how something came about; each has few values. Lines that differ in one of them are never one kind. */
const circumstances = ['server', 'node', 'why', 'step', 'code'] as const;
/** Fields that say whom a line is about. */
const subjects = ['keyId', 'workspaceId', 'endpointId'] as const;
/** Fields that are left out of a line which stands for many subjects: it would blame the last of them for all. */
const ofOne: ReadonlySet<string> = new Set([...subjects, 'address']);
const hasDigit = /[\w.-]*\d[\w.-]*/g;

/**
 * Values of the field `event` by which lines end or begin a state. Before one that ends, the repeats of its `work` are
 * written, or all if it is of no work in particular.
 */
type Event = 'away' | 'recovered' | 'stopping' | 'stopped' | 'crashed';
const endings: ReadonlySet<unknown> = new Set<Event>(['recovered', 'stopping', 'stopped', 'crashed']);
const states: ReadonlySet<unknown> = new Set<Event>(['away', 'recovered']);

/** A kind of line within its window. */
interface Kind {
  readonly message: string;
  readonly windowMs: number;
  readonly isEnding: boolean;
  readonly work: unknown;
  /** Lines that were not written. */
  count: number;
  firstAt: string;
  lastAt: string;
  /** Writes the last of them. */
  write: (more: Fields) => void;
}

/**
 * Keeps what happens again and again, such as everything that fails in an outage, from filling the log. The first line of
 * a kind is written at once. Those that follow within a window are written as one at its end: the last of them, with their
 * number (`count`) and when the first and the last of them came (`firstAt`, `lastAt`). That line comes earlier if another
 * one says that something has recovered or that the process ends, so that it stands before that.
 *
 * Lines are of one kind if level and message are the same, what they are about ({@link circumstances}, {@link subjects}), and
 * the error, but for numbers, ids and addresses in its text; all errors that are logged without a stack are the same. Beyond
 * {@link kindsOfMessageMax} kinds of a message, subjects and errors are not told apart. Only warnings and errors are counted.
 */
export function createRepeatLimit(windowMs = repeatWindowMs) {
  const known = new Map<string, Kind>();
  const kindsOf = new Map<string, number>();

  function tell(kind: Kind): void {
    const { count, firstAt, lastAt } = kind;
    if (count === 0) return;
    kind.count = 0;
    kind.write({ count, firstAt, lastAt });
  }

  /** What ends comes last. */
  function flush(work?: unknown): void {
    const kinds = [...known.values()].filter((kind) => work === undefined || kind.work === work);
    for (const kind of kinds.sort((a, b) => Number(a.isEnding) - Number(b.isEnding))) tell(kind);
  }

  function endWindow(name: string, kind: Kind): void {
    if (kind.count === 0) {
      known.delete(name);
      const left = (kindsOf.get(kind.message) ?? 1) - 1;
      if (left > 0) kindsOf.set(kind.message, left);
      else kindsOf.delete(kind.message);
      return;
    }
    if (kind.isEnding) flush(kind.work);
    else tell(kind);
    beginWindow(name, kind);
  }

  function beginWindow(name: string, kind: Kind): void {
    setTimeout(() => {
      endWindow(name, kind);
    }, kind.windowMs).unref();
  }

  /** The kind's name, and whether it is of any subject, because too many kinds of the message are known. */
  function nameOf(fields: Fields, message: string): { readonly name: string; readonly isOfAny: boolean } {
    const textOf = (field: string): string => JSON.stringify(fields[field] ?? null).slice(0, kindTextMax);
    const ofAny = [message, ...circumstances.map(textOf)].join('\n');
    const name = [ofAny, ...subjects.map(textOf), causeOf(fields)].join('\n');
    const isOfAny = !known.has(name) && (kindsOf.get(message) ?? 0) >= kindsOfMessageMax;
    return { name: isOfAny ? ofAny : name, isOfAny };
  }

  const logMethod: LogMethod = function (args, method, level) {
    const [first, second] = args as unknown as [unknown, unknown];
    const isWithFields = typeof first === 'object' && first !== null;
    const fields = isWithFields ? (first as Fields) : {};
    const { event, work } = fields;
    const isEnding = endings.has(event);
    if (level < warnLevel || level >= fatalLevel) {
      if (isEnding) flush(work);
      Reflect.apply(method, this, args);
      return;
    }
    const text = isWithFields ? second : first;
    const message = `${level} ${kindText(String(text))}`;
    const { name, isOfAny } = nameOf(fields, message);
    const before = known.get(name);
    if (before !== undefined) {
      before.lastAt = systemClock().toISOString();
      if (before.count === 0) before.firstAt = before.lastAt;
      before.count += 1;
      before.write = (more) => {
        Reflect.apply(method, this, [{ ...(isOfAny ? withoutSubjects(fields) : fields), ...more }, text]);
      };
      return;
    }
    const kind: Kind = {
      message,
      windowMs: states.has(event) ? Math.min(windowMs, stateWindowMs) : windowMs,
      ...{ isEnding, work },
      ...{ count: 0, firstAt: '', lastAt: '', write: () => undefined },
    };
    known.set(name, kind);
    kindsOf.set(message, (kindsOf.get(message) ?? 0) + 1);
    beginWindow(name, kind);
    if (isEnding) flush(work);
    Reflect.apply(method, this, args);
  };

  return {
    logMethod,
    /** Writes now what was counted, as a process that ends must. */
    flush: (): void => {
      flush();
    },
  };
}

/** The error without what differs from one time to the next; empty without one, and for one of the way to a server. */
function causeOf({ err }: Fields): string {
  if (typeof err !== 'object' || err === null) return '';
  const { type, message, stack } = describeError(err);
  return stack === undefined ? '' : kindText(`${String(type)}: ${String(message)}`);
}

/** A text without numbers, ids and addresses. */
function kindText(text: string): string {
  return text.slice(0, kindTextMax).replaceAll(hasDigit, '#');
}

function withoutSubjects(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ofOne.has(name)));
}
