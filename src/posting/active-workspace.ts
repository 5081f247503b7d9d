import { isTestWorkspace } from '../domain/ids.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { isKnownType, changedIdsOf } from '../orders/types.ts';
import type { PostedCounts } from '../queue/posting-queue.ts';
import type { Outcome } from './post-group.ts';

/** What became of a workspace's orders. */
export interface PostedWorkspace extends PostedCounts {
  /** Why orders of it wait that could not be posted; undefined if none do. */
  readonly error: Error | undefined;
  /** Behind which id orders may wait that it left unread; undefined if nowhere. */
  readonly unreadBehind: string | undefined;
}

/** An order that is read, and in no group yet. */
export interface WaitingOrder {
  readonly order: OrderToPost;
  /** Ids of what it changes. No two groups in flight have one in common. */
  readonly lockKeys: readonly string[];
  /** How many legs it has, those of its atomic batch included. */
  readonly size: number;
}

/** The workspaces that are posted, in the order in which they are served. */
export type ActiveWorkspaces = Map<string, ActiveWorkspace>;

/**
 * A workspace that is posted, from its first read until nothing of it waits. Its orders are in MongoDB (`unreadBehind`), are read
 * and wait here until a group can take them (`waiting`), are in a group (`inFlight`), and are forgotten once they have ended.
 *
 * It leaves when its run ends, or when reading or posting fails: nothing more is read, what waits is dropped or goes on as
 * whoever asks says, and what is in flight ends. With the last of it the workspace has ended.
 */
export class ActiveWorkspace {
  readonly id: string;
  /** In the order in which they are to be posted. */
  waiting: WaitingOrder[] = [];
  /** Where more may wait in MongoDB: behind an order's id, or '' for anywhere; undefined if nowhere. */
  unreadBehind: string | undefined;
  /** Whether that is where a page ended. */
  isNextPage = false;
  isReading = false;
  isLeaving = false;
  /** Called each time something of it was read or posted. */
  onProgress: () => void = () => undefined;
  /** Ids of all orders that wait here, are in flight, or were left PENDING: they are not read again. */
  readonly seenIds = new Set<string>();
  readonly #isTest: boolean;
  readonly #all: ActiveWorkspaces;
  readonly #ended = Promise.withResolvers<PostedWorkspace>();
  readonly #counts: Record<Outcome, number> = { completed: 0, failed: 0, skipped: 0, setAside: 0 };
  #inFlight = 0;
  #error: Error | undefined;

  constructor(id: string, all: ActiveWorkspaces) {
    this.id = id;
    this.#isTest = isTestWorkspace(id);
    this.#all = all;
  }

  /** Resolves once nothing of it is left; never rejects. */
  get ended(): Promise<PostedWorkspace> {
    return this.#ended.promise;
  }

  /** How many legs wait here. */
  get size(): number {
    return this.waiting.reduce((sum, { size }) => sum + size, 0);
  }

  /** More may wait behind an id. @param isNextPage whether a page ended with it. */
  wake(behind: string, isNextPage = false): void {
    if (this.unreadBehind !== undefined && this.unreadBehind <= behind) return;
    this.unreadBehind = behind;
    this.isNextPage = isNextPage;
  }

  /** Has an order wait that was read. @returns one of its batch, or it, whose type this release does not know: all stay PENDING. */
  add(order: OrderToPost): OrderToPost | undefined {
    if (this.isLeaving || this.seenIds.has(order.id)) return undefined;
    const unit = unitOf(order);
    for (const { id } of unit) this.seenIds.add(id);
    const unknown = unit.find(({ type }) => !isKnownType(type));
    if (unknown !== undefined) return unknown;
    this.waiting.push({
      order,
      // The clock, by which they are dated, is what all orders of a test workspace change.
      lockKeys: this.#isTest ? [...changedIdsOf(order), this.id] : changedIdsOf(order),
      size: unit.reduce((sum, { legs }) => sum + legs.length, 0),
    });
    return undefined;
  }

  /** A group takes some of those that wait. The other workspaces are served before this one's next group. */
  beginGroup(picked: readonly WaitingOrder[]): void {
    const taken = new Set(picked);
    this.waiting = this.waiting.filter((order) => !taken.has(order));
    this.#inFlight += picked.length;
    this.#all.delete(this.id);
    this.#all.set(this.id, this);
  }

  /** A group has ended, with an outcome of each order by id, or not at all. An order without one was no longer PENDING. */
  endGroup(picked: readonly WaitingOrder[], outcomes: ReadonlyMap<string, Outcome | Error> | Error): void {
    this.#inFlight -= picked.length;
    if (outcomes instanceof Error) this.stop(outcomes);
    else for (const { order } of picked) this.#settle(order, outcomes.get(order.id) ?? 'skipped');
    this.progress();
  }

  /** What may still be PENDING stays seen, so that it is not read again before the next run. */
  #settle(order: OrderToPost, outcome: Outcome | Error): void {
    if (outcome instanceof Error) this.#error ??= outcome;
    else this.#counts[outcome] += 1;
    if (outcome === 'skipped' || outcome instanceof Error) return;
    for (const { id } of unitOf(order)) this.seenIds.delete(id);
  }

  /** Nothing more of it is read or begun. What is in flight goes on. */
  stop(error?: Error): void {
    this.isLeaving = true;
    this.#error ??= error;
    if (this.waiting.length > 0) this.wake('');
    this.waiting = [];
  }

  /** Tells of progress, and ends the workspace if nothing of it is left. */
  progress(): void {
    this.onProgress();
    const hasUnread = this.unreadBehind !== undefined && !this.isLeaving;
    if (hasUnread || this.waiting.length > 0 || this.#inFlight > 0 || this.isReading) return;
    this.#all.delete(this.id);
    this.#ended.resolve({ ...this.#counts, error: this.#error, unreadBehind: this.unreadBehind });
  }
}
