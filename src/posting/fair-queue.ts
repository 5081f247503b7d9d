/** Of what is taken at once. */
interface TakeLimits {
  readonly sizeMax: number;
  readonly workspacesMax: number;
}

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;

/**
 * Items that wait, by workspace: those of one in the order in which they came. Round robin: a workspace that has thousands
 * waiting is served no more often than one that has a single one.
 */
export function createFairQueue<T>() {
  /** A map is read in the order in which its keys came, and that is the order in which workspaces are served. */
  const lines = new Map<string, T[]>();

  function without(line: readonly T[], chosen: readonly T[]): T[] {
    // Mostly the front of the line, which may be long.
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
     * Lets one workspace after the other choose, those first that were not served for longest, until enough is taken.
     * @param choose which of a workspace's waiting items to take now, in their order, at most `room` of them.
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
    /** Takes out what is to go, whichever workspace is the next. */
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
