/** Orders of a bucket that were heard of as posted, at one moment. */
export interface Posted {
  /** In milliseconds, as the others' of its list. */
  readonly at: number;
  readonly bucket: number;
  readonly orders: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How far the rate is looked at apart. */
export const stepMs = 250;
const smoothedMs = 1_000;
const dipBelow = 0.9;

/**
 * Orders a second within a span: the slope of the line through their count, by least squares. They come a group at a time,
 * of which the edges of a span would cut one.
 */
export function rateWithin(posted: readonly Posted[], span: Span): number {
  const times = steps(span);
  const counts = times.map((time) => ordersWithin(posted, { from: span.from, to: time }));
  const [meanTime, meanCount] = [mean(times), mean(counts)];
  const spread = times.reduce((sum, time) => sum + (time - meanTime) ** 2, 0);
  const together = times.reduce((sum, time, index) => sum + (time - meanTime) * ((counts[index] ?? 0) - meanCount), 0);
  return (1000 * together) / spread;
}

/** Orders after `from`, up to and including `to`. @param buckets undefined: all. */
export function ordersWithin(posted: readonly Posted[], { from, to }: Span, buckets?: ReadonlySet<number>): number {
  return posted
    .filter(({ at, bucket }) => at > from && at <= to && (buckets?.has(bucket) ?? true))
    .reduce((sum, { orders }) => sum + orders, 0);
}

/** Orders a second in each step of a span. */
export function ratesOf(posted: readonly Posted[], span: Span): number[] {
  return steps(span).map((to) => (ordersWithin(posted, { from: to - stepMs, to }) * 1000) / stepMs);
}

export interface Dip {
  /** For how long the rate was below nine tenths of the usual one, a second at a time, looked at in steps. */
  readonly seconds: number;
  /** The lowest rate of a second as a share of the usual one. */
  readonly lowest: number;
}

/** @param usual orders a second. */
export function dipOf(posted: readonly Posted[], span: Span, usual: number): Dip {
  const shares = steps(span).map(
    (to) => ((ordersWithin(posted, { from: to - smoothedMs, to }) / smoothedMs) * 1000) / usual,
  );
  return {
    seconds: (shares.filter((share) => share < dipBelow).length * stepMs) / 1000,
    lowest: Math.min(...shares),
  };
}

/** When each of the buckets was first heard of after that moment; Infinity for one that was not. */
export function heardAgain(posted: readonly Posted[], buckets: ReadonlySet<number>, after: number): number[] {
  return [...buckets].map((bucket) =>
    Math.min(...posted.filter((each) => each.bucket === bucket && each.at > after).map(({ at }) => at)),
  );
}

/** The ends of its steps. A difference of moments in parts of a millisecond may be just below the whole number that it is. */
function steps({ from, to }: Span): number[] {
  return Array.from({ length: Math.floor(Math.round(to - from) / stepMs) }, (_, index) => from + (index + 1) * stepMs);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
