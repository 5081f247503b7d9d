import type { ReadTime } from '../storage/shared/page.ts';
import { createBatchers } from '../waiting/batcher.ts';

/** What a list is read of. */
export interface OfWorkspace extends ReadTime {
  readonly workspaceId: string;
}

/**
 * What is read of a workspace for a list. Lists that come while it is being read share the next reading; those of other workspaces
 * never do, because on a sharded cluster theirs may be on a shard that does not answer.
 * @param read for all that share it; within the longest time that one of them has left. It begins after they came.
 * @returns a function that throws as `read` does.
 */
export function shareByWorkspace<Found, Query extends OfWorkspace = OfWorkspace>(
  read: (of: OfWorkspace, queries: readonly Query[]) => Promise<Found>,
): (query: Query) => Promise<Found> {
  return createBatchers<Query, Found>(
    ({ workspaceId }) => workspaceId,
    async (queries, _, workspaceId) => {
      const timeLeftMs = (): number => Math.max(...queries.map((query) => query.timeLeftMs?.() ?? Infinity));
      const found = await read({ workspaceId, timeLeftMs }, queries);
      return queries.map(() => found);
    },
    { inFlightMax: 1 },
  );
}
