import { Bulkhead } from '../waiting/bulkhead.ts';

/** Resolves when the turn has come. It lasts until the caller awaits something else. */
export type BodyTurn = (workspaceId: string) => Promise<void>;

/**
 * Has large bodies parsed one part at a time, each part in its own iteration of the event loop, so that other requests are
 * served in between however many large bodies come at once. Workspaces take turns. How many wait needs no limit of its own:
 * each has been charged for its body, and the memory for large bodies is bounded.
 */
export function createBodyTurns(): BodyTurn {
  const bulkhead = new Bulkhead({ permits: 1, slowPermits: 1 });
  return async (workspaceId) => {
    setImmediate(await bulkhead.acquire(workspaceId));
  };
}
