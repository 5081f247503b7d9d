import { createFairQueue } from './fair-queue.ts';
import { createLanes, type LaneLimits } from './lanes.ts';

export interface TurnLimits extends LaneLimits {
  /** How many turns one workspace may have at once. */
  readonly ofOneMax: number;
}

/** Called when the turn comes, with the function that ends it. */
export type Begin = (end: () => void) => void;

/** Does work in a turn, once it comes. @param turns undefined where none are needed. */
export async function inTurn<T>(
  turns: Pick<Turns, 'enter'> | undefined,
  workspaceId: string,
  work: () => Promise<T>,
): Promise<T> {
  if (turns === undefined) return work();
  const end = await new Promise<() => void>((begin) => void turns.enter(workspaceId, begin));
  try {
    return await work();
  } finally {
    end();
  }
}

interface Waiting {
  readonly workspaceId: string;
  readonly begin: Begin;
}

export type Turns = ReturnType<typeof createTurns>;

/**
 * A limited number of turns, which workspaces share. They are served round robin. A workspace may have no more turns than it
 * leaves free, so that the last ones are for those that have few; and slow turns have a number of their own (src/waiting/lanes.ts).
 * So a shard that does not answer holds up nobody else's workspaces for long.
 */
export function createTurns(limits: TurnLimits) {
  const line = createFairQueue<Waiting>();
  const lanes = createLanes(limits, serve);
  const inHand = new Map<string, number>();

  function mayBegin(workspaceId: string): boolean {
    const mine = inHand.get(workspaceId) ?? 0;
    if (mine >= limits.ofOneMax || !lanes.mayBegin(workspaceId)) return false;
    return mine === 0 || mine < lanes.free();
  }

  function count(workspaceId: string, by: 1 | -1): void {
    const mine = (inHand.get(workspaceId) ?? 0) + by;
    if (mine === 0) inHand.delete(workspaceId);
    else inHand.set(workspaceId, mine);
  }

  function serve(): void {
    for (;;) {
      const [next] = line.take({ sizeMax: 1, workspacesMax: 1 }, (waiting, room, workspaceId) =>
        mayBegin(workspaceId) ? waiting.slice(0, room) : [],
      );
      if (next === undefined) return;
      start(next);
    }
  }

  function start({ workspaceId, begin }: Waiting): void {
    count(workspaceId, 1);
    const end = lanes.begin(workspaceId);
    begin(() => {
      count(workspaceId, -1);
      end();
    });
  }

  return {
    /**
     * Waits for a turn, and has it until the function is called that `begin` is given, exactly once. If there is a turn, it
     * begins before this returns. @returns a function that gives up waiting; it must not be called once the turn has begun.
     */
    enter(workspaceId: string, begin: Begin): () => void {
      const waiting = { workspaceId, begin };
      // Nobody who waits may begin now, or would have begun; so there is no need to look through the line.
      if (mayBegin(workspaceId)) start(waiting);
      else line.add(workspaceId, waiting);
      return () => {
        line.remove(workspaceId, (other) => other === waiting);
      };
    },
  };
}
