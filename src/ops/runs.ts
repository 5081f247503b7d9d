import type { ProcessKind } from '../storage/processes/queue-sights.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';
import type { ProcessRun } from '../storage/processes/runs.ts';

/** A process that fell silent without having stopped: killed, crashed, or its machine is gone. */
export type LostProcess = ProcessRun & Required<Pick<ProcessRun, 'lostAt'>>;

const kinds: readonly ProcessKind[] = ['web', 'worker'];
/** As far back as the page tells. */
export const knownMs = 3_600_000;
/**
 * What began or ended within this is counted in the metrics. A supervisor waits for up to five minutes before it starts again what
 * crashes at once: in half an hour that is several times. No longer, so that an alert about it ends within that time.
 */
const latelyMs = 1_800_000;

/**
 * What became of the processes of the last {@link knownMs}.
 * @param runs those that started or were lost within the last {@link knownMs}.
 * @param alive what is reported now. A process that was silent only for a while, as after an outage of MongoDB, is not lost.
 */
export function runsOf(runs: readonly ProcessRun[], alive: readonly ProcessReport[], at: Date) {
  const aliveIds = new Set(alive.map(({ id }) => id));
  const isWithin = (ms: number, time: Date): boolean => at.getTime() - time.getTime() < ms;
  const lost = runs
    .filter((run): run is LostProcess => run.lostAt !== undefined)
    .filter(({ id, lostAt, endedAt }) => isWithin(knownMs, lostAt) && endedAt === undefined && !aliveIds.has(id))
    .sort((a, b) => b.lostAt.getTime() - a.lostAt.getTime());
  const started = runs.filter(({ startedAt }) => startedAt !== undefined && isWithin(knownMs, startedAt));
  const lately = kinds.map((kind) => ({
    kind,
    started: started.filter((run) => run.kind === kind && isWithin(latelyMs, run.startedAt ?? at)).length,
    lost: lost.filter((run) => run.kind === kind && isWithin(latelyMs, run.lostAt)),
  }));
  return {
    /** The last one first. */
    lost,
    started,
    /** By kind, within the last half hour. */
    lately,
  };
}
