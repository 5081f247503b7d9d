import { createWorkspaceBatcher } from '../batcher.ts';
import type { ThroughFailover } from '../storage/shared/failover.ts';
import type { Turns } from '../turns.ts';

/** How single reads share queries, and wait out an election. */
export interface ReadingTools {
  readonly throughFailover: ThroughFailover;
  /** Present on a sharded cluster: each query is then of one workspace, and waits for its turn. */
  readonly turns?: Turns | undefined;
}

/**
 * Reads that arrive together share a query, whatever keys they come from; see {@link createWorkspaceBatcher}. Each is
 * answered with what its own reference found. They wait only for other reads, never for creates. A read begins after its
 * request arrived, so a client sees at least what it was told before. Each waits out an election for as long as its own
 * request has time.
 * @param findMany answers each reference, in order; undefined if it finds nothing.
 */
export function createSingleReads<Reference extends { readonly workspaceId: string }, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  { throughFailover, turns }: ReadingTools,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createWorkspaceBatcher<Reference, Found | undefined>(turns, { flush: findMany });
  return (reference, timeLeftMs) => throughFailover(reference.workspaceId, () => find(reference), timeLeftMs);
}
