import { createWorkspaceBatcher } from '../waiting/batcher.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { Bulkhead } from '../waiting/bulkhead.ts';

/**
 * Reads that arrive together share a query, whatever keys they come from; see {@link createWorkspaceBatcher}. They wait only
 * for other reads, never for creates. A read begins after its request arrived, so a client never sees less than an earlier
 * answer showed it. Each waits out an election for as long as its own request has time.
 * @param findMany answers each reference, in order; undefined if it finds nothing.
 * @param bulkhead present on a sharded cluster: each query is then for one workspace, and waits for a permit.
 */
export function createSingleReads<Reference extends { readonly workspaceId: string }, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  throughFailover: ThroughFailover,
  bulkhead?: Bulkhead,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createWorkspaceBatcher<Reference, Found | undefined>(bulkhead, findMany);
  return (reference, timeLeftMs) => throughFailover(reference.workspaceId, () => find(reference), timeLeftMs);
}
