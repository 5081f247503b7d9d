import { LRUCache } from 'lru-cache';
import type { LoggerOptions } from 'pino';
import { isOfServer } from './server-faults.ts';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;
type Fields = Readonly<Record<string, unknown>>;

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
    const fields = typeof first === 'object' && first !== null ? (first as Fields) : {};
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
function isOfOutage({ server, err }: Fields, away: ReadonlySet<string>): boolean {
  return away.size > 0 && (away.has(String(server)) || isOfServer(err));
}

/** An error is told apart by its kind and where it was made: its text may hold what a client sent. */
function kindOf(level: number, message: string, fields: Fields): string {
  const { name, stack } = fields['err'] instanceof Error ? fields['err'] : {};
  const [, madeAt] = stack?.split('\n    at ') ?? [];
  return JSON.stringify([level, message.slice(0, 200), circumstances.map((each) => fields[each]), name, madeAt]);
}
