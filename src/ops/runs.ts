import type { ProcessReport } from '../storage/processes/reports.ts';
import type { ProcessKind, ProcessRun } from '../storage/processes/runs.ts';

const kinds: readonly ProcessKind[] = ['web', 'worker'];
/**
 * Who was lost within this counts. A supervisor waits for up to five minutes before it starts again what crashes at once: in half
 * an hour that is several times.
 */
export const knownMs = 1_800_000;
/** Longer than a process that runs is silent, while MongoDB answers. */
const silentMs = 15_000;
/** Longer than a supervisor waits: if no other one was lost since, it is over. */
const goesOnMs = 600_000;

/**
 * Which processes fell silent without having stopped within the last {@link knownMs}, by kind, the last one first: they were killed,
 * crashed, or their machines are gone. None if the last one did so more than {@link goesOnMs} ago.
 * @param runs those that were heard of within the last {@link knownMs}.
 * @param alive what is reported now. After an outage of MongoDB a process may not have said here yet that it runs.
 */
export function lostOf(runs: readonly ProcessRun[], alive: readonly ProcessReport[], at: Date) {
  const aliveIds = new Set(alive.map(({ id }) => id));
  const silentForMs = ({ seenAt }: ProcessRun): number => at.getTime() - seenAt.getTime();
  const lost = runs
    .filter((run) => run.endedAt === undefined && silentForMs(run) > silentMs && silentForMs(run) < knownMs)
    .filter(({ id }) => !aliveIds.has(id))
    .sort((a, b) => b.seenAt.getTime() - a.seenAt.getTime());
  return kinds.map((kind) => {
    const ofKind = lost.filter((run) => run.kind === kind);
    const [last] = ofKind;
    return { kind, lost: last !== undefined && silentForMs(last) < goesOnMs ? ofKind : [] };
  });
}
