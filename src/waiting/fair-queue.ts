/** The most that is picked at once. */
interface PickLimits {
  readonly sizeMax: number;
  readonly workspacesMax: number;
}

/** Which of a workspace's waiting items to pick now, in their order: of a size of at most `room`. */
type Choose<T, Chosen extends T> = (waiting: readonly T[], room: number, workspaceId: string) => readonly Chosen[];

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;

/**
 * Items that wait, in one line for each workspace, in the order in which they came. Workspaces are served round robin: one
 * with thousands waiting is served no more often than one with a single item.
 * @param sizeOf how much room an item takes of a pick.
 */
export function createFairQueue<T>(sizeOf: (item: T) => number = () => 1) {
  /** A map keeps the order in which its keys were added, which is the order in which workspaces are served. */
  const lines = new Map<string, T[]>();

  function pick<Chosen extends T>({ sizeMax, workspacesMax }: PickLimits, choose: Choose<T, Chosen>) {
    const picked = new Map<string, readonly Chosen[]>();
    let room = sizeMax;
    for (const [workspaceId, line] of lines) {
      if (room <= 0 || picked.size === workspacesMax) break;
      const chosen = choose(line, room, workspaceId);
      if (chosen.length === 0) continue;
      picked.set(workspaceId, chosen);
      for (const item of chosen) room -= sizeOf(item);
    }
    return picked;
  }

  return {
    add(workspaceId: string, item: T): void {
      const line = lines.get(workspaceId);
      if (line === undefined) lines.set(workspaceId, [item]);
      else line.push(item);
    },
    /**
     * Picks items of one workspace after the other, first of those that have waited longest to be served, until there are
     * enough. They stay in their lines, and the workspaces keep their turns.
     */
    pick: <Chosen extends T>(limits: PickLimits, choose: Choose<T, Chosen>): Chosen[] =>
      [...pick(limits, choose).values()].flat(),
    /** Picks items as `pick` does, and takes them out. Their workspaces were served by that. */
    take<Chosen extends T>(limits: PickLimits, choose: Choose<T, Chosen>): Chosen[] {
      const picked = pick(limits, choose);
      for (const [workspaceId, chosen] of picked) {
        const line = lines.get(workspaceId) ?? [];
        takeOut(line, chosen);
        lines.delete(workspaceId);
        if (line.length > 0) lines.set(workspaceId, line);
      }
      return [...picked.values()].flat();
    },
    /** Takes out a workspace's items that match. It keeps its turn. */
    remove(workspaceId: string, shouldRemove: (item: T) => boolean): void {
      const rest = (lines.get(workspaceId) ?? []).filter((item) => !shouldRemove(item));
      if (rest.length > 0) lines.set(workspaceId, rest);
      else lines.delete(workspaceId);
    },
  };
}

/** Takes items out of a line, in place, because a line may be long. @param chosen in the order of the line. */
function takeOut<T>(line: T[], chosen: readonly T[]): void {
  let taken = 0;
  let kept = 0;
  for (const item of line) {
    if (taken < chosen.length && item === chosen[taken]) taken += 1;
    else line[kept++] = item;
  }
  line.length = kept;
}
