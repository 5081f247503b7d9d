import { startRounds, type Rounds } from '../rounds.ts';
import type { ProcessReport, ProcessReports, Vitals } from '../storage/processes/reports.ts';
import type { Health } from './health.ts';
import type { Observers } from './observers.ts';

type Seen = Pick<Observers, 'recent' | 'clockAheadMs' | 'unknownTypes' | 'certificates' | 'wrongSettings'>;
type Self = Pick<ProcessReport, 'id' | 'kind' | 'startedAt'> &
  Pick<Vitals, 'version'> & { readonly partitions: () => readonly number[]; readonly servers: Health['servers'] };

const reportEveryMs = 1_000;
const roundMaxMs = 10_000;

/** Keeps reporting the state of a process. While MongoDB is away nothing is reported, and nothing waits. */
export function startReporting(reports: Pick<ProcessReports, 'record'>, self: Self, observers: Seen): Rounds {
  const readUse = createUse();
  return startRounds({
    everyMs: reportEveryMs,
    roundMaxMs,
    round: async () => {
      const report = await reportOf(self, observers);
      await reports.record({ ...report, vitals: { version: self.version, ...readUse() } });
    },
  });
}

/** What this process uses, since the time before. */
function createUse() {
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  let at = performance.now();
  return (): Omit<Vitals, 'version'> => {
    const [before, loopBefore, elapsedMs] = [cpu, loop, Math.max(1, performance.now() - at)];
    [cpu, loop, at] = [process.cpuUsage(), performance.eventLoopUtilization(), performance.now()];
    const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage();
    const usedMs = (cpu.user + cpu.system - before.user - before.system) / 1000;
    const loopShare = performance.eventLoopUtilization(loop, loopBefore).utilization;
    return { cpu: usedMs / elapsedMs, loopShare, rssBytes, heapBytes };
  };
}

async function reportOf(
  { id, kind, startedAt, partitions, servers }: Self,
  { recent, clockAheadMs, unknownTypes, certificates, wrongSettings }: Seen,
): Promise<ProcessReport> {
  const down = (await servers()).filter(({ isUp }) => !isUp);
  return {
    id,
    kind,
    startedAt,
    clockAheadMs: clockAheadMs(),
    unknownTypes: unknownTypes(),
    answeredPerSecond: recent.perSecond('answered'),
    acceptedPerSecond: recent.perSecond('accepted'),
    postedPerSecond: recent.perSecond('posted'),
    conflictsPerSecond: recent.perSecond('conflicts'),
    busyShare: recent.perSecond('busyMs') / 1000,
    answerMs: recent.percentiles('answerMs'),
    latencyMs: recent.percentiles('latencyMs'),
    partitions: partitions(),
    sentPerSecond: recent.perSecond('sent'),
    deliveredPerSecond: recent.perSecond('delivered'),
    lately: recent.lately(),
    down: Object.fromEntries(down.map(({ name, since }) => [name, since])),
    certificates: certificates(),
    wrongSettings: wrongSettings(),
  };
}
