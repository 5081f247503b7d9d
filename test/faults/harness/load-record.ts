import type { OrderData, Sent } from './sent.ts';

/** What all clients of a run saw, shared by them. */
export interface LoadRecord {
  sent: Sent[];
  /** How often each status was answered; `broken` counts connections. */
  answers: Map<string, number>;
  /** The longest that any request took to be answered or broken. */
  slowestMs: number;
  /** What no client may ever see. */
  breaches: string[];
  /** When and how each create ended, by the harness's monotonic clock. */
  requests: { startedAtMs: number; endedAtMs: number; result: string }[];
}

/** Remembers the first terminal state that a client saw, and says so where a later one differs. */
export function observe(record: Pick<LoadRecord, 'breaches'>, sent: Sent, seen: OrderData): void {
  if (sent.observed === undefined) {
    if (seen.status !== 'PENDING') sent.observed = seen;
    return;
  }
  const [before, after] = [sent.observed, seen].map(({ status, failure, completedAt }) =>
    JSON.stringify({ status, failure, completedAt }),
  );
  if (before !== after) record.breaches.push(`order ${seen.transferId} was seen as ${before}, and later as ${after}`);
}
