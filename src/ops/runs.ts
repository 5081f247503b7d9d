import type { ProcessReport } from '../storage/processes/reports.ts';
import type { ProcessKind, ProcessRun } from '../storage/processes/runs.ts';

/** A process that fell silent without having stopped: killed, crashed, or its machine is gone. */
export type LostProcess = ProcessRun & Required<Pick<ProcessRun, 'lostAt'>>;

const kinds: readonly ProcessKind[] = ['web', 'worker'];
/**
 * Who was lost within this counts. A supervisor waits for up to five minutes before it starts again what crashes at once: in half
 * an hour that is several times.
 */
export const knownMs = 1_800_000;
/** Longer than a process that starts is silent, while MongoDB answers. */
const startingSilentMs = 10_000;
/** Longer than a supervisor waits: if no other one was lost since, it is over. */
const goesOnMs = 600_000;

/**
 * Which processes were lost within the last {@link knownMs}, by kind, the last one first; none if that one was lost more than
 * {@link goesOnMs} ago. One that died before it had begun was listed nowhere, so that nobody found it silent.
 * @param runs those that started or were lost within the last {@link knownMs}.
 * @param alive what is reported now. A process that was silent only for a while, as after an outage of MongoDB, is not lost.
 */
export function lostOf(runs: readonly ProcessRun[], alive: readonly ProcessReport[], at: Date) {
  const aliveIds = new Set(alive.map(({ id }) => id));
  const isWithin = (ms: number, time: Date): boolean => at.getTime() - time.getTime() < ms;
  const lostAtStart = ({ startingAt, begunAt }: ProcessRun): Date | undefined =>
    startingAt === undefined || begunAt !== undefined || isWithin(startingSilentMs, startingAt)
      ? undefined
      : startingAt;
  const lost = runs
    .map((run) => ({ ...run, lostAt: run.lostAt ?? lostAtStart(run) }))
    .filter((run): run is LostProcess => run.lostAt !== undefined)
    .filter(({ id, lostAt, endedAt }) => isWithin(knownMs, lostAt) && endedAt === undefined && !aliveIds.has(id))
    .sort((a, b) => b.lostAt.getTime() - a.lostAt.getTime());
  return kinds.map((kind) => {
    const ofKind = lost.filter((run) => run.kind === kind);
    const [last] = ofKind;
    return { kind, lost: last !== undefined && isWithin(goesOnMs, last.lostAt) ? ofKind : [] };
  });
}
