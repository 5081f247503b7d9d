import { createWorkspaceBatcher } from '../batcher.ts';
import type { ThroughFailover } from '../storage/shared/failover.ts';
import type { Turns } from '../turns.ts';

/**
 * Reads that arrive together share a query, whatever keys they come from; see {@link createWorkspaceBatcher}. They wait only
 * for other reads, never for creates. A read begins after its request arrived, so a client never sees less than an earlier
 * answer showed it. Each waits out an election for as long as its own request has time.
 * @param findMany answers each reference, in order; undefined if it finds nothing.
 * @param turns present on a sharded cluster: each query is then for one workspace, and waits for its turn.
 */
export function createSingleReads<Reference extends { readonly workspaceId: string }, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  throughFailover: ThroughFailover,
  turns?: Turns,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createWorkspaceBatcher<Reference, Found | undefined>(turns, { flush: findMany });
  return (reference, timeLeftMs) => throughFailover(reference.workspaceId, () => find(reference), timeLeftMs);
}
