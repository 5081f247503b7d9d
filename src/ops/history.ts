import { systemClock, type Clock } from '../clock.ts';
import type { RedisClient } from '../redis/connection.ts';
import { startRounds } from '../rounds.ts';
import type { Overview } from './overview.ts';
import type { Percentiles } from '../storage/processes/reports.ts';

/** One moment of the plots. */
export type HistoryPoint = ReturnType<typeof toPoint>;

/** Rates are averages over this time, so more frequent points would show no more. */
export const slotMs = 5_000;
const slotsMax = 360;
const historyMs = slotMs * slotsMax;
/** Shorter than a slot, so that a slow reading leaves none empty. */
const readEveryMs = 2_000;
const roundMaxMs = 10_000;

/**
 * Remembers the last half hour of the service, so that a page just opened shows how things developed. It is kept in Redis
 * too, to survive a restart. There each slot is overwritten half an hour later, so the history never grows, and several
 * processes can write it. While Redis is away, it is what this process saw.
 */
export function startHistory(
  overview: () => Promise<Overview>,
  redis: RedisClient,
  prefix: string,
  clock: Clock = systemClock,
) {
  const key = `${prefix}:history`;
  const points = new Map<number, HistoryPoint>();
  let isLoaded = false;

  function add(point: HistoryPoint): void {
    points.set(slotOf(point), point);
    const oldest = slotOf({ at: clock() }) - slotsMax;
    for (const slot of points.keys()) if (slot <= oldest) points.delete(slot);
  }

  async function load(): Promise<void> {
    for (const text of Object.values(await redis.hgetall(key))) {
      const stored = JSON.parse(text) as Omit<HistoryPoint, 'at'> & { readonly at: string };
      const point = { ...stored, at: new Date(stored.at) };
      if (!points.has(slotOf(point))) add(point);
    }
    isLoaded = true;
  }

  const rounds = startRounds({
    everyMs: readEveryMs,
    roundMaxMs,
    round: async () => {
      const point = toPoint(await overview());
      add(point);
      if (!isLoaded) await load();
      await redis.hset(key, String(slotOf(point) % slotsMax), JSON.stringify(point));
      await redis.pexpire(key, historyMs);
    },
  });
  return {
    /** Points of the last {@link historyMs}, oldest first; at most one for each {@link slotMs}, none if nothing was read then. */
    points: (): readonly HistoryPoint[] => [...points.values()].sort((a, b) => a.at.getTime() - b.at.getTime()),
    close: () => rounds.close(),
  };
}

function slotOf({ at }: Pick<HistoryPoint, 'at'>): number {
  return Math.floor(at.getTime() / slotMs);
}

/**
 * The points on a time axis that ends now; undefined where a slot has none.
 * @param placesMin the least number of slots, so that a young service's few points do not fill the whole width.
 */
export function onTimeAxis(
  points: readonly HistoryPoint[],
  now: Date,
  placesMin: number,
): readonly (HistoryPoint | undefined)[] {
  const bySlot = new Map(points.map((point) => [slotOf(point), point]));
  const last = slotOf({ at: now });
  const first = Math.min(last - placesMin + 1, ...bySlot.keys());
  return Array.from({ length: last - first + 1 }, (_, index) => bySlot.get(first + index));
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

/** Latency over all workers: the median of their p50, and the worst of their p95 and p99. */
export function latencyOf(processes: NonNullable<Overview['processes']>): Percentiles | undefined {
  const all = processes.flatMap(({ latencyMs }) => latencyMs ?? []);
  const medians = all.map(({ p50 }) => p50).sort((a, b) => a - b);
  const p50 = medians[Math.floor(medians.length / 2)];
  if (p50 === undefined) return undefined;
  return { p50, p95: Math.max(...all.map(({ p95 }) => p95)), p99: Math.max(...all.map(({ p99 }) => p99)) };
}
