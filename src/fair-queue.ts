/** The most that is taken at once. */
interface TakeLimits {
  readonly sizeMax: number;
  readonly workspacesMax: number;
}

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;

/**
 * Items that wait, in one line for each workspace, in the order in which they came. Workspaces are served round robin: one
 * with thousands waiting is served no more often than one with a single item.
 */
export function createFairQueue<T>() {
  /** A map keeps the order in which its keys were added, which is the order in which workspaces are served. */
  const lines = new Map<string, T[]>();

  function without(line: readonly T[], chosen: readonly T[]): T[] {
    // Usually the front of the line was chosen. That is cheap to cut off, even if the line is long.
    if (line[chosen.length - 1] === chosen.at(-1)) return line.slice(chosen.length);
    const isChosen = new Set(chosen);
    return line.filter((item) => !isChosen.has(item));
  }

  return {
    add(workspaceId: string, item: T): void {
      const line = lines.get(workspaceId);
      if (line === undefined) lines.set(workspaceId, [item]);
      else line.push(item);
    },
    /**
     * Takes items of one workspace after the other, first of those that have waited longest to be served, until enough are
     * taken.
     * @param choose picks which of a workspace's waiting items to take now, in their order, at most `room`.
     */
    take(
      { sizeMax, workspacesMax }: TakeLimits,
      choose: (waiting: readonly T[], room: number, workspaceId: string) => readonly T[],
    ): T[] {
      const taken: T[] = [];
      const served = new Map<string, T[]>();
      for (const [workspaceId, line] of lines) {
        if (taken.length >= sizeMax || served.size === workspacesMax) break;
        const chosen = choose(line, sizeMax - taken.length, workspaceId);
        if (chosen.length === 0) continue;
        taken.push(...chosen);
        served.set(workspaceId, chosen.length === line.length ? [] : without(line, chosen));
        lines.delete(workspaceId);
      }
      for (const [workspaceId, rest] of served) if (rest.length > 0) lines.set(workspaceId, rest);
      return taken;
    },
    /** Removes and returns the items that match, of all workspaces. */
    remove: (isToGo: (item: T) => boolean): T[] => {
      const removed: T[] = [];
      for (const [workspaceId, line] of lines) {
        const going = line.filter(isToGo);
        removed.push(...going);
        if (going.length === line.length) lines.delete(workspaceId);
        else if (going.length > 0) lines.set(workspaceId, without(line, going));
      }
      return removed;
    },
    /** How many of a workspace's items wait. */
    count: (workspaceId: string): number => lines.get(workspaceId)?.length ?? 0,
  };
}
