import type { Posting } from '../orders/fold.ts';
import type { OutboxEntry } from '../storage/webhooks/outbox.ts';

/** What posting reports, for the operator. */
export interface PostObserver {
  /** A group was committed. */
  groupPosted(group: PostedGroup): void;
  /** A group that was not posted, after so long: it is tried again. */
  groupFailed(durationMs: number): void;
  /** How long, until now, at least one group was in flight. Called each time a group begins or ends. */
  busyFor(durationMs: number): void;
}

export interface PostedGroup {
  /** At least one order of it ended. */
  readonly posting: Posting;
  /** The events for webhooks, as they were written. */
  readonly outbox: readonly OutboxEntry[];
  /** Runs of the transaction. Each one before the last met a write conflict, another transient error or a stale read. */
  readonly attempts: number;
  readonly durationMs: number;
}
