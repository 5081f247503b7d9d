import { startRounds, type Rounds } from '../rounds.ts';
import type { ProcessReport, ProcessReports } from '../storage/processes/reports.ts';
import type { Observers } from './observers.ts';

type Seen = Pick<Observers, 'recent' | 'clockAheadMs' | 'unknownTypes' | 'certificates' | 'wrongSettings'>;
type Self = Pick<ProcessReport, 'id' | 'kind' | 'startedAt'> & { readonly partitions: () => readonly number[] };

const reportEveryMs = 1_000;
const roundMaxMs = 10_000;

/** Keeps reporting the state of a process. While MongoDB is away nothing is reported, and nothing waits. */
export function startReporting(reports: Pick<ProcessReports, 'record'>, self: Self, observers: Seen): Rounds {
  return startRounds({
    everyMs: reportEveryMs,
    roundMaxMs,
    round: () => reports.record(reportOf(self, observers)),
  });
}

function reportOf(
  { id, kind, startedAt, partitions }: Self,
  { recent, clockAheadMs, unknownTypes, certificates, wrongSettings }: Seen,
): ProcessReport {
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
    certificates: certificates(),
    wrongSettings: wrongSettings(),
  };
}
