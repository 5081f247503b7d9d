import { createHistogram } from 'node:perf_hooks';

export interface Latency {
  readonly count: number;
  readonly meanMs: number;
  readonly maxMs: number;
  /** Milliseconds by percentile; see {@link percentiles}. */
  readonly byPercentile: readonly { readonly percentile: number; readonly ms: number }[];
}

export interface LatencyRecorder {
  record(latencyMs: number): void;
  /** Undefined where nothing was recorded. */
  summary(): Latency | undefined;
}

const percentiles = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100] as const;
const microsPerMs = 1_000;
const latencyMaxMicros = 600_000_000;
/** Every recorded value is kept to three significant digits. */
const significantDigits = 3;

/** Counts latencies in a high dynamic range histogram (Node's own is HdrHistogram), in microseconds. */
export function createLatencyRecorder(): LatencyRecorder {
  const histogram = createHistogram({ lowest: 1, highest: latencyMaxMicros, figures: significantDigits });
  return {
    record(latencyMs) {
      histogram.record(Math.min(latencyMaxMicros, Math.max(1, Math.round(latencyMs * microsPerMs))));
    },
    summary() {
      if (histogram.count === 0) return undefined;
      return {
        count: histogram.count,
        meanMs: histogram.mean / microsPerMs,
        maxMs: histogram.max / microsPerMs,
        byPercentile: percentiles.map((percentile) => ({
          percentile,
          ms: (percentile === 0 ? histogram.min : histogram.percentile(percentile)) / microsPerMs,
        })),
      };
    },
  };
}

/** One percentile of a summary, in milliseconds. */
export function latencyAt(latency: Latency, percentile: (typeof percentiles)[number]): number {
  return latency.byPercentile.find((entry) => entry.percentile === percentile)?.ms ?? Number.NaN;
}
