import { LRUCache } from 'lru-cache';
import {
  destination,
  pino,
  stdSerializers,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
} from 'pino';
import { isOfServer } from './errors.ts';
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

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;
type LogFields = Readonly<Record<string, unknown>>;

/** Of one kind of warning or error, one line is written in so long. */
export const kindEveryMs = 60_000;
const states: ReadonlySet<unknown> = new Set(['away', 'recovered']);
const kindsMax = 500;
const [warnLevel, fatalLevel] = [40, 60];
/** What tells kinds of one message apart: fields of few values, of which none is chosen by whoever sends requests. */
const circumstances = ['event', 'server', 'node', 'why', 'step', 'code', 'work', 'workspaceId', 'endpointId'] as const;

/**
 * While a server is known to be away, nothing is written of what fails for that: that it is away, why, and that it is back are
 * a line each. Of each other kind of warning and error one line is written in {@link kindEveryMs}, so that nobody's requests can
 * fill the log; the metrics count them all.
 */
export function createLogLimit(clock: { now(): number } = performance) {
  const away = new Set<string>();
  const written = new LRUCache<string, true>({ max: kindsMax, ttl: kindEveryMs, ttlResolution: 0, perf: clock });

  const logMethod: LogMethod = function (args, method, level) {
    const [first, second] = args as unknown as [unknown, unknown];
    const fields = typeof first === 'object' && first !== null ? (first as LogFields) : {};
    const isLimited = level >= warnLevel && level < fatalLevel && !states.has(fields['event']);
    if (isLimited) {
      if (isOfOutage(fields, away)) return;
      const kind = kindOf(level, String(fields === first ? second : first), fields);
      if (written.has(kind)) return;
      written.set(kind, true);
    }
    Reflect.apply(method, this, args);
  };

  return {
    logMethod,
    /** Whether a server is known to be away. */
    note: (server: string, isAway: boolean): void => {
      if (isAway) away.add(server);
      else away.delete(server);
    },
  };
}

/** Whether a line says no more than that a server is away, which is known. */
function isOfOutage({ server, err }: LogFields, away: ReadonlySet<string>): boolean {
  return away.size > 0 && (away.has(String(server)) || isOfServer(err));
}

/** An error is told apart by its kind and where it was made: its text may hold what a client sent. */
function kindOf(level: number, message: string, fields: LogFields): string {
  const { name, stack } = fields['err'] instanceof Error ? fields['err'] : {};
  const [, madeAt] = stack?.split('\n    at ') ?? [];
  return JSON.stringify([level, message.slice(0, 200), circumstances.map((each) => fields[each]), name, madeAt]);
}
