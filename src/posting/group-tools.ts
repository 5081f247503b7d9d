import type { Clock } from '../clock.ts';
import type { Currencies } from '../domain/currency.ts';
import type { Posting } from '../domain/fold-orders.ts';
import type { OrderToPost } from '../domain/order.ts';
import type { Logger } from '../log.ts';
import type { Collections } from '../storage/collections.ts';
import type { WritePosted } from '../storage/group-writes.ts';
import type { OutboxEntry, Subscribers } from '../storage/webhooks/outbox.ts';

export interface GroupTools {
  readonly collections: Collections;
  readonly writePosted: WritePosted;
  readonly currencies: Currencies;
  /** Brings `currencies` up to date, because an order may have one that another process has added a moment ago. */
  readonly readCurrencies?: () => Promise<unknown>;
  readonly log: Logger;
  /** Dates what is posted. */
  readonly clock: Clock;
  /** Told after each commit which orders reached a terminal state. */
  readonly onPosted: (orderIds: readonly string[]) => void;
  /** Called if MongoDB's driver gives no answer at all; ends the process. */
  readonly onHung: (what: string) => never;
  /** Recorded as the worker of the orders that it posts. */
  readonly instanceId: string;
  readonly observe?: PostObserver;
  /** Absent if no webhooks are told of what is posted. */
  readonly webhooks?: WebhookOutbox;
}

/** Who is to be told of what is posted. */
export interface WebhookOutbox {
  /** The endpoints of these workspaces as of a moment ago; a workspace without any is absent. */
  readonly subscribersOf: (workspaceIds: readonly string[]) => Promise<Subscribers>;
  /** Told after each commit which entries it wrote to the outbox. */
  readonly onWritten: (entries: readonly OutboxEntry[]) => void;
}

/** Told what the poster does, for the operator. */
export interface PostObserver {
  groupPosted(group: PostedGroup): void;
  /** A group that was not posted: its jobs are tried again. */
  groupFailed(): void;
  orderSetAside(): void;
  /** For this long until now at least one group was in flight. Called each time a group begins or ends. */
  busyFor(durationMs: number): void;
}

export interface PostedGroup {
  readonly orders: readonly OrderToPost[];
  readonly posting: Posting;
  /** Runs of the transaction. Each one before the last met a write conflict, another transient error or a stale read. */
  readonly attempts: number;
  readonly durationMs: number;
}
