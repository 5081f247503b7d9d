import { Bulkhead } from '../waiting/bulkhead.ts';

/** Resolves when the turn has come: what is done before anything else is waited for has it to itself. */
export type BodyTurn = (workspaceId: string) => Promise<void>;

/**
 * Has large bodies read one part after the other, each in an iteration of the event loop of its own, so that what others sent
 * meanwhile is served in between, however many large bodies come at once. Workspaces have their turns round robin. Who
 * waits has no bound of its own: each has been charged for its body, and the memory for large bodies is bounded.
 */
export function createBodyTurns(): BodyTurn {
  const bulkhead = new Bulkhead({ permits: 1, slowPermits: 1 });
  return async (workspaceId) => {
    setImmediate(await bulkhead.acquire(workspaceId));
  };
}
