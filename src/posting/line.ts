import { unitOf, type OrderToPost } from '../orders/order.ts';
import { changedIdsOf } from '../orders/types.ts';
import type { PostedCounts } from '../queue/posting-queue.ts';
import type { Outcome } from './post-group.ts';

/** What became of a workspace's orders. */
export interface PostedWorkspace extends PostedCounts {
  /** Why orders of it wait that could not be posted; undefined if none do. */
  readonly error: Error | undefined;
}

/** An order that is read, and in no group yet. */
export interface Candidate {
  readonly order: OrderToPost;
  /** Ids of what it changes. No two groups in flight have one in common. */
  readonly lockKeys: readonly string[];
  /** How many orders it is: more than one if it is the first of an atomic batch. */
  readonly size: number;
}

/**
 * A workspace that is posted, from its first read until nothing of it waits. Its orders are read from MongoDB, wait here until a
 * group can take them, are in flight, and are forgotten once they have ended.
 */
export interface Line {
  readonly workspaceId: string;
  /** In the order in which they are to be posted. */
  waiting: Candidate[];
  inFlight: number;
  /** Ids of all orders that wait here, are in flight, or were left PENDING: they are not read again. */
  readonly known: Set<string>;
  isReading: boolean;
  /** Where more may wait in MongoDB: behind an order's id, or '' for anywhere; undefined if nowhere. */
  from: string | undefined;
  /** Nothing more of it is read. */
  isLeaving: boolean;
  error: Error | undefined;
  readonly counts: Record<Outcome, number>;
  readonly ended: PromiseWithResolvers<PostedWorkspace>;
  /** Called each time something of it was read or posted. */
  onProgress: () => void;
}

/** The workspaces that are posted, in the order in which they are served. */
export type Lines = Map<string, Line>;

export function newLine(workspaceId: string): Line {
  return {
    ...{ workspaceId, waiting: [], inFlight: 0, known: new Set(), isReading: false, from: '', isLeaving: false },
    ...{ error: undefined, counts: { completed: 0, failed: 0, skipped: 0, setAside: 0 } },
    ended: Promise.withResolvers<PostedWorkspace>(),
    onProgress: () => undefined,
  };
}

/** How many orders wait here. */
export function sizeOf({ waiting }: Line): number {
  return waiting.reduce((sum, { size }) => sum + size, 0);
}

export function addOrder(line: Line, order: OrderToPost): void {
  line.waiting.push({ order, lockKeys: changedIdsOf(order), size: unitOf(order).length });
}

/** An order's group has ended. What may still be PENDING stays known, so that it is not read again before the next run. */
export function settleOrder(line: Line, order: OrderToPost, outcome: Outcome | Error): void {
  if (outcome instanceof Error) line.error ??= outcome;
  else line.counts[outcome] += 1;
  if (outcome === 'skipped' || outcome instanceof Error) return;
  for (const { id } of unitOf(order)) line.known.delete(id);
}

/** Nothing more of it begins. What is in flight goes on. */
export function stopLine(line: Line, error?: Error): void {
  line.isLeaving = true;
  line.error ??= error;
  line.waiting = [];
}

/** Tells of progress, and ends the line if nothing of it is left. */
export function progressLine(lines: Lines, line: Line): void {
  line.onProgress();
  const hasMore = line.from !== undefined && !line.isLeaving;
  if (hasMore || line.waiting.length > 0 || line.inFlight > 0 || line.isReading) return;
  lines.delete(line.workspaceId);
  line.ended.resolve({ ...line.counts, error: line.error });
}
