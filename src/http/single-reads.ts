import { createBatcher } from '../batcher.ts';
import type { ThroughFailover } from '../storage/failover.ts';

/**
 * Reads that arrive together share a query, whatever keys and workspaces they come from. Each is answered with what its own
 * reference found. They wait only for other reads, never for creates. A read begins after its request arrived, so a client
 * sees at least what it was told before. Each waits out an election for as long as its own request has time.
 * @param findMany answers each reference, in order; undefined if it finds nothing.
 */
export function createSingleReads<Reference, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  throughFailover: ThroughFailover,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createBatcher<Reference, Found | undefined>({ flush: findMany });
  return (reference, timeLeftMs) => throughFailover(() => find(reference), timeLeftMs);
}
