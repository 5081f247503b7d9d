import { createFairQueue } from '../waiting/fair-queue.ts';

/** Resolves when the turn has come: what is done before anything else is waited for has it to itself. */
export type BodyTurn = (workspaceId: string) => Promise<void>;

const oneAtATime = { sizeMax: 1, workspacesMax: 1 };

/**
 * Has large bodies read one part after the other, each in an iteration of the event loop of its own, so that what others sent
 * meanwhile is served in between, however many large bodies come at once. Workspaces have their turns round robin. Who
 * waits has no bound of its own: each has been charged for its body, and the memory for large bodies is bounded.
 */
export function createBodyTurns(): BodyTurn {
  const line = createFairQueue<() => void>();
  let isServing = false;

  function serve(): void {
    const [begin] = line.take(oneAtATime, (waiting) => waiting.slice(0, 1));
    isServing = begin !== undefined;
    if (begin === undefined) return;
    begin();
    setImmediate(serve);
  }

  return (workspaceId) =>
    new Promise((resolve) => {
      line.add(workspaceId, resolve);
      if (!isServing) serve();
    });
}
