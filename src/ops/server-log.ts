import type { Clock } from '../clock.ts';
import type { Start } from '../lifecycle.ts';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import { nameOf, type Health } from './health.ts';

const lookEveryMs = 500;
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
    const found = await servers();
    // Then connections are closed on purpose.
    if (isDraining()) return;
    for (const { name: server, isUp, since, reason } of found) {
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
