/**
 * Constant arrival: the n-th request is due n / rate seconds after the start, whatever became of those before it. A
 * latency counted from that moment includes what a late server makes the next ones wait.
 */
export interface Schedule {
  /** Requests in all. */
  readonly count: number;
  /** When a request is due, in milliseconds from the start. */
  dueAtMs(index: number): number;
  /** How many requests are due by then. */
  countDueBy(elapsedMs: number): number;
}

/** @param ratePerSecond arrivals a second. */
export function createSchedule(ratePerSecond: number, seconds: number): Schedule {
  const count = Math.max(1, Math.round(ratePerSecond * seconds));
  const dueAtMs = (index: number): number => (index * 1000) / ratePerSecond;
  return {
    count,
    dueAtMs,
    countDueBy: (elapsedMs) =>
      elapsedMs < 0 ? 0 : Math.min(count, Math.floor((elapsedMs * ratePerSecond) / 1000 + roundingTolerance) + 1),
  };
}

/** `index * 1000 / rate * rate / 1000` may come out a hair below `index`. */
const roundingTolerance = 1e-9;

/** Beyond what one web process on one machine answers: what arrives too much is dropped, and counted. */
export const saturatingRate = 20_000;
