import type { Currencies } from '../domain/currency.ts';
import type { Posting } from '../domain/fold-orders.ts';
import type { OrderToPost } from '../domain/order.ts';
import type { Logger } from '../log.ts';
import type { Collections } from '../storage/collections.ts';
import type { WritePosted } from '../storage/group-writes.ts';
import type { OutboxEntry, Subscribers } from '../storage/webhook-outbox.ts';

export interface GroupTools {
  readonly collections: Collections;
  readonly writePosted: WritePosted;
  readonly currencies: Currencies;
  readonly log: Logger;
  /** Told after each commit which orders reached a terminal state. */
  readonly onPosted: (orderIds: readonly string[]) => void;
  /** Told where MongoDB's driver gives no answer at all; ends the process. */
  readonly onHung: (what: string) => never;
  /** Of this process, for the orders that it posts. */
  readonly instanceId: string;
  readonly observe?: PostObserver;
  /** Absent where no webhooks are told of anything. */
  readonly webhooks?: WebhookOutbox;
}

/** Who is to be told of what is posted. */
export interface WebhookOutbox {
  /** The endpoints of those of the workspaces that have any; as of a moment ago. */
  readonly subscribersOf: (workspaceIds: readonly string[]) => Promise<Subscribers>;
  /** Told after each commit what it left in the outbox. */
  readonly onWritten: (entries: readonly OutboxEntry[]) => void;
}

/** Told what the poster does, for the operator. */
export interface PostObserver {
  groupPosted(group: PostedGroup): void;
  /** A group that was not posted: its jobs are tried again. */
  groupFailed(): void;
  orderSetAside(): void;
  /** So much of the time until now at least one group was in flight; told again and again while that lasts. */
  busyFor(durationMs: number): void;
}

export interface PostedGroup {
  readonly orders: readonly OrderToPost[];
  readonly posting: Posting;
  /** Runs of the transaction; each beyond the first met a write conflict or another transient error. */
  readonly attempts: number;
  readonly durationMs: number;
}
