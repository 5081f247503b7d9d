import { LRUCache } from 'lru-cache';
import type { LoggerOptions } from 'pino';
import { describeError, isOfServer } from './logged-error.ts';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;
type Fields = Readonly<Record<string, unknown>>;

/** Of one kind of warning or error, one line is written in so long. */
export const kindEveryMs = 60_000;
/** Of a server that goes or comes, so that a second outage shows. */
export const stateEveryMs = 5_000;
const states: ReadonlySet<unknown> = new Set(['away', 'recovered']);
const kindsMax = 500;
const [warnLevel, fatalLevel] = [40, 60];
/** What tells kinds of one message apart: fields of few values, of which none is chosen by whoever sends requests. */
const circumstances = ['event', 'server', 'node', 'why', 'step', 'code', 'work', 'workspaceId', 'endpointId'] as const;

interface Kind {
  readonly writtenAt: number;
  /** How many came since, and what writes the last of them. */
  left: number;
  writeLast: () => void;
}

/**
 * Keeps what happens again and again from filling the log. Of each kind of warning and error one line is written in
 * {@link kindEveryMs}; the next one that is written says how many were left out since (`leftOut`). While a server is known to be
 * away, nothing is written of what fails for that: that it is away, why, and that it is back are a line each.
 */
export function createLogLimit(now: () => number = () => performance.now()) {
  const away = new Set<string>();
  const kinds = new LRUCache<string, Kind>({ max: kindsMax });

  const logMethod: LogMethod = function (args, method, level) {
    const write = (more?: Fields): void => {
      const [first, ...rest] = args as unknown as [unknown, ...unknown[]];
      const isBare = typeof first !== 'object' || first === null;
      const withMore = more === undefined ? args : isBare ? [more, first, ...rest] : [{ ...first, ...more }, ...rest];
      Reflect.apply(method, this, withMore);
    };
    if (level < warnLevel || level >= fatalLevel) {
      write();
      return;
    }
    const [first, second] = args as unknown as [unknown, unknown];
    const fields = typeof first === 'object' && first !== null ? (first as Fields) : {};
    if (isOfOutage(fields, away)) return;
    const name = kindOf(level, String(fields === first ? second : first), fields);
    const known = kinds.get(name);
    const everyMs = states.has(fields['event']) ? stateEveryMs : kindEveryMs;
    if (known !== undefined && now() - known.writtenAt < everyMs) {
      known.left += 1;
      known.writeLast = () => {
        write({ leftOut: known.left - 1 });
      };
      return;
    }
    kinds.set(name, { writtenAt: now(), left: 0, writeLast: () => undefined });
    write(known === undefined || known.left === 0 ? undefined : { leftOut: known.left });
  };

  return {
    logMethod,
    /** Whether a server is known to be away. */
    note: (server: string, isAway: boolean): void => {
      if (isAway) away.add(server);
      else away.delete(server);
    },
    /** Writes the last line of each kind that was left out, as a process that ends must. */
    flush: (): void => {
      for (const kind of kinds.values()) if (kind.left > 0) kind.writeLast();
      kinds.clear();
    },
  };
}

/** Whether a line says no more than that a server is away, which is known. */
function isOfOutage({ event, server, err }: Fields, away: ReadonlySet<string>): boolean {
  if (away.size === 0 || states.has(event)) return false;
  return away.has(String(server)) || isOfServer(err);
}

/** An error is told apart by where it was made: its text may hold what a client sent. */
function kindOf(level: number, message: string, fields: Fields): string {
  const { err } = fields;
  const { type, code, stack } = err === undefined ? {} : describeError(err);
  const [, madeAt] = typeof stack === 'string' ? stack.split('\n    at ') : [];
  return JSON.stringify([level, message.slice(0, 200), circumstances.map((name) => fields[name]), type, code, madeAt]);
}
