import { createBatcher } from '../batcher.ts';
import type { ThroughFailover } from '../storage/failover.ts';

/**
 * Reads of one moment share a query, whatever keys and workspaces they come from: each is answered with what its own
 * reference found. They wait behind other reads alone, never behind creates. A read begins after its request arrived, so
 * that a client sees what it was told before. Each waits out an election in its own time.
 * @param findMany answers each reference, in order; undefined where it finds nothing.
 */
export function createSingleReads<Reference, Found>(
  findMany: (references: readonly Reference[]) => Promise<readonly (Found | undefined)[]>,
  throughFailover: ThroughFailover,
): (reference: Reference, timeLeftMs: () => number) => Promise<Found | undefined> {
  const find = createBatcher<Reference, Found | undefined>({ flush: findMany });
  return (reference, timeLeftMs) => throughFailover(() => find(reference), timeLeftMs);
}
