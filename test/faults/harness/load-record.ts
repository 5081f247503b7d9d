import type { Sent } from './sent.ts';

/** What all clients of a run saw, shared by them. */
export interface LoadRecord {
  sent: Sent[];
  /** How often each status was answered; `broken` counts connections. */
  answers: Map<string, number>;
  /** The longest that any request took to be answered or broken. */
  slowestMs: number;
  /** What no client may ever see. */
  breaches: string[];
  /** When and how each request ended, by the harness's monotonic clock. */
  requests: { startedAtMs: number; endedAtMs: number; result: string }[];
}
