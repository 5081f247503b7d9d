import { startRounds } from '../rounds.ts';
import type { Overview } from './overview.ts';
import type { Percentiles } from './recent.ts';

/** One moment of the plots. */
export type HistoryPoint = ReturnType<typeof toPoint>;

const lookEveryMs = 2_000;
const roundMaxMs = 10_000;
/** Ten minutes. */
const pointsMax = 300;

/** Remembers the last minutes of a process's overview, so that a page just opened shows where things come from. */
export function startHistory(overview: () => Promise<Overview>) {
  const points: HistoryPoint[] = [];
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      points.push(toPoint(await overview()));
      if (points.length > pointsMax) points.shift();
    },
  });
  return {
    /** Oldest first; a moment that could not be looked at is a gap in the plots. */
    points: (): readonly HistoryPoint[] => points,
    close: () => rounds.close(),
  };
}

function toPoint({ at, activity, backlog, processes, scaling }: Overview) {
  const latency = latencyOf(processes ?? []);
  return {
    at,
    acceptedPerSecond: activity?.acceptedPerSecond,
    postedPerSecond: activity?.postedPerSecond,
    pending: backlog?.pending,
    latencyP50Ms: latency?.p50,
    latencyP95Ms: latency?.p95,
    conflictsPerSecond: processes?.reduce((sum, { conflictsPerSecond }) => sum + conflictsPerSecond, 0),
    workersAlive: activity?.workersAlive,
    workersSuggested: scaling?.suggestedWorkers,
  };
}

/** Latency over all workers: the median one's p50, the worst one's p95 and p99. */
export function latencyOf(processes: NonNullable<Overview['processes']>): Percentiles | undefined {
  const all = processes.flatMap(({ latencyMs }) => latencyMs ?? []);
  const medians = all.map(({ p50 }) => p50).sort((a, b) => a - b);
  const p50 = medians[Math.floor(medians.length / 2)];
  if (p50 === undefined) return undefined;
  return { p50, p95: Math.max(...all.map(({ p95 }) => p95)), p99: Math.max(...all.map(({ p99 }) => p99)) };
}
