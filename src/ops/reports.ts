import pTimeout from 'p-timeout';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import type { ProcessReport, ProcessReports, StartedWith } from '../storage/processes/reports.ts';
import type { Health, ServerHealth } from './health.ts';
import type { Observers } from './observers.ts';

type Seen = Pick<Observers, 'recent' | 'clockAheadMs' | 'unknownTypes' | 'certificates'>;
type Self = Pick<ProcessReport, 'id' | 'kind' | 'version'> & {
  readonly servers: Health['servers'];
  readonly startedWith: StartedWith;
  /** Undefined while it starts: until then it says only that it runs. */
  readonly startedAt: () => Date | undefined;
};

const reportEveryMs = 1_000;
const roundMaxMs = 10_000;
/** A stop waits no longer for what it has to say to the others. */
const endedMaxMs = 2_000;

/** Where a process says what it does. */
type ReportedTo = Pick<ProcessReports, 'record' | 'ended'>;

/**
 * Keeps reporting the state of a process until `close`, from the start on, so that one which dies before it has started counts as
 * lost too. While MongoDB is away nothing is reported, and nothing waits.
 * @param reports undefined before MongoDB is connected to.
 */
export function startReporting(
  reports: () => ReportedTo | undefined,
  self: Self,
  observers: Seen,
): Pick<Rounds, 'close' | 'runNow'> {
  let servers: readonly ServerHealth[] = [];
  const rounds = startRounds({
    everyMs: reportEveryMs,
    roundMaxMs,
    round: async () => {
      // What a look finds is for the next report: a server that hangs must not make this process look silent.
      void self.servers().then((current) => {
        servers = current;
      });
      const startedAt = self.startedAt();
      const report = startedAt && reportOf(self, startedAt, servers, observers);
      await reports()?.record(self.id, self.kind, report);
    },
  });
  return {
    ...rounds,
    async close() {
      await rounds.close();
      await pTimeout(Promise.resolve(reports()?.ended(self.id)), { milliseconds: endedMaxMs }).catch(() => undefined);
    },
  };
}

function reportOf(
  { id, kind, version, startedWith }: Self,
  startedAt: Date,
  servers: readonly ServerHealth[],
  { recent, clockAheadMs, unknownTypes, certificates }: Seen,
): ProcessReport {
  const down = servers.filter(({ isUp }) => !isUp);
  return {
    id,
    kind,
    startedAt,
    version,
    clockAheadMs: clockAheadMs(),
    unknownTypes: unknownTypes(),
    answeredPerSecond: recent.perSecond('answered'),
    acceptedPerSecond: recent.perSecond('accepted'),
    postedPerSecond: recent.perSecond('posted'),
    busyShare: recent.perSecond('busyMs') / 1000,
    sentPerSecond: recent.perSecond('sent'),
    deliveredPerSecond: recent.perSecond('delivered'),
    lately: recent.lately(),
    down: Object.fromEntries(down.map(({ name, since }) => [name, since])),
    certificates: certificates(),
    startedWith,
  };
}
