import pTimeout from 'p-timeout';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import type { ProcessReport, ProcessReports, StartedWith, Vitals } from '../storage/processes/reports.ts';
import type { Health, ServerHealth } from './health.ts';
import type { ProcessRuns } from '../storage/processes/runs.ts';
import type { Observers } from './observers.ts';

type Seen = Pick<Observers, 'recent' | 'clockAheadMs' | 'unknownTypes' | 'certificates'>;
type Self = Pick<ProcessReport, 'id' | 'kind' | 'startedAt'> &
  Pick<Vitals, 'version'> & {
    readonly partitions: () => readonly number[];
    readonly servers: Health['servers'];
    readonly startedWith: StartedWith;
  };

const reportEveryMs = 1_000;
const roundMaxMs = 10_000;
/** A stop waits no longer for this. */
export const endedMaxMs = 2_000;

/** Where a process says what it does, and that it has begun and stops. */
export interface ReportedTo {
  readonly reports: Pick<ProcessReports, 'record' | 'remove'>;
  readonly runs: Pick<ProcessRuns, 'begun' | 'ended'>;
}

/**
 * Keeps reporting the state of a process; first that it has begun, and with `close` that it stops. While MongoDB is away nothing
 * is reported, and nothing waits.
 */
export function startReporting({ reports, runs }: ReportedTo, self: Self, observers: Seen): Pick<Rounds, 'close'> {
  const readUse = createUse();
  let isBeginRecorded = false;
  let servers: readonly ServerHealth[] = [];
  const rounds = startRounds({
    everyMs: reportEveryMs,
    roundMaxMs,
    round: async () => {
      // What a look finds is for the next report: a server that hangs must not make this process look silent.
      void self.servers().then((found) => {
        servers = found;
      });
      const report = reportOf(self, servers, observers);
      await reports.record({ ...report, vitals: { version: self.version, ...readUse() } });
      if (!isBeginRecorded) await runs.begun(self.id);
      isBeginRecorded = true;
    },
  });
  return {
    async close() {
      await rounds.close();
      const ended = Promise.all([runs.ended(self.id), reports.remove(self.id)]);
      await pTimeout(ended, { milliseconds: endedMaxMs }).catch(() => undefined);
    },
  };
}

/** What this process uses, since the time before. */
function createUse() {
  let cpu = process.cpuUsage();
  let at = performance.now();
  return (): Omit<Vitals, 'version'> => {
    const [before, elapsedMs] = [cpu, Math.max(1, performance.now() - at)];
    [cpu, at] = [process.cpuUsage(), performance.now()];
    const usedMs = (cpu.user + cpu.system - before.user - before.system) / 1000;
    return { cpu: usedMs / elapsedMs, rssBytes: process.memoryUsage.rss() };
  };
}

function reportOf(
  { id, kind, startedAt, partitions, startedWith }: Self,
  servers: readonly ServerHealth[],
  { recent, clockAheadMs, unknownTypes, certificates }: Seen,
): ProcessReport {
  const down = servers.filter(({ isUp }) => !isUp);
  return {
    id,
    kind,
    startedAt,
    clockAheadMs: clockAheadMs(),
    unknownTypes: unknownTypes(),
    answeredPerSecond: recent.perSecond('answered'),
    acceptedPerSecond: recent.perSecond('accepted'),
    postedPerSecond: recent.perSecond('posted'),
    busyShare: recent.perSecond('busyMs') / 1000,
    answerMs: recent.percentiles('answerMs'),
    latencyMs: recent.percentiles('latencyMs'),
    partitions: partitions(),
    sentPerSecond: recent.perSecond('sent'),
    deliveredPerSecond: recent.perSecond('delivered'),
    lately: recent.lately(),
    down: Object.fromEntries(down.map(({ name, since }) => [name, since])),
    certificates: certificates(),
    startedWith,
  };
}
