import pTimeout from 'p-timeout';
import type { Start } from '../lifecycle.ts';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import { systemClock, type Clock } from '../clock.ts';
import { createSharedRead } from '../cache.ts';
import { toError } from '../errors.ts';

/** Each server behind this process, by name. A check rejects if the service cannot use the server; its error says why. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

export interface ServerHealth {
  readonly name: string;
  readonly isUp: boolean;
  /** Why it is down. */
  readonly reason?: string;
  /** Since when it is up or down, as far as this process knows. */
  readonly since: Date;
  readonly pingMs: number;
}

interface ProcessHealth {
  readonly isStarting: () => boolean;
  readonly isDraining: () => boolean;
  /** What keeps this process from its work although the servers answer, for a person; undefined if nothing does. */
  readonly wrongSetting: () => string | undefined;
}

export type Health = ReturnType<typeof createHealth>;

const shownNames: Readonly<Record<string, string>> = { mongodb: 'MongoDB', redis: 'Redis' };
/** As people call a server. */
export const nameOf = (server: string): string => shownNames[server] ?? server;

const checkTimeoutMs = 2_000;
const checkTimeout = { milliseconds: checkTimeoutMs, message: `no answer within ${checkTimeoutMs / 1_000} s` };
const rememberedMs = 1_000;
const lookEveryMs = 500;

/**
 * Asks the servers behind this process, at most once a second, and remembers since when each is up or down. Never throws, and
 * takes at most {@link checkTimeoutMs}.
 */
export function createHealth(checks: Checks, state: ProcessHealth, clock: Clock = systemClock) {
  const last = new Map<string, ServerHealth>();

  async function ask(name: string, check: () => Promise<unknown>): Promise<ServerHealth> {
    const startedAt = performance.now();
    const reason = await pTimeout(check(), checkTimeout).then(
      () => undefined,
      (error: unknown) => toError(error).message,
    );
    const isUp = reason === undefined;
    const before = last.get(name);
    const since = before?.isUp === isUp ? before.since : clock();
    const seen = { name, isUp, since, pingMs: performance.now() - startedAt, ...(!isUp && { reason }) };
    last.set(name, seen);
    return seen;
  }

  const askAll = () => Promise.all(Object.entries(checks).map(([name, check]) => ask(name, check)));
  return { ...state, servers: createSharedRead(askAll, rememberedMs) };
}

/** Longer than servers take to answer, or are counted as away. */
const lookMaxMs = 5_000;
/** A server that has never answered this process is told of after this long. */
const firstAnswerMaxMs = 3_000;

/**
 * Keeps looking which servers behind this process answer, and logs each that is away and each that answers again, as
 * `/readyz` has it. What else fails for that meanwhile is left out of the log (log.ts).
 */
export function startServerLog(
  { servers, isDraining }: Pick<Health, 'servers' | 'isDraining'>,
  { log, noteServer }: Pick<Start<unknown>, 'log' | 'noteServer'>,
  clock: Clock,
): Rounds {
  const answered = new Set<string>();
  const awaySince = new Map<string, Date>();

  async function round(): Promise<void> {
    const seen = await servers();
    // Then connections are closed on purpose.
    if (isDraining()) return;
    for (const { name: server, isUp, since, reason } of seen) {
      const away = awaySince.get(server);
      const isKnown = answered.has(server) || clock().getTime() - since.getTime() > firstAnswerMaxMs;
      noteServer(server, !isUp);
      if (isUp) {
        answered.add(server);
        if (away === undefined) continue;
        awaySince.delete(server);
        const awayMs = Math.max(0, since.getTime() - away.getTime());
        log.warn({ event: 'recovered', server, awayMs }, `${nameOf(server)} answers again`);
      } else if (away === undefined && isKnown) {
        awaySince.set(server, since);
        log.warn({ event: 'away', server, reason }, `${nameOf(server)} is away`);
      }
    }
  }

  return startRounds({ everyMs: lookEveryMs, roundMaxMs: lookMaxMs, round });
}
