/** What of the free slots a workspace may have. */
export const workspaceShare = 1 / 4;

/**
 * Slots for runs, shared among workspaces. One that wants many has no more than a quarter of what is free, beyond its
 * first, so that some are left for the others: a single workspace gets a fifth of all, and twenty such leave a few free once
 * their first runs have ended. Workspaces that wait are served round robin, and the runs of each in the order in which they came.
 */
export function createFairSlots(total: number) {
  const held = new Map<string, number>();
  /** A map keeps the order in which its keys were added, which is the order in which workspaces are served. */
  const waiting = new Map<string, (() => void)[]>();
  let free = total;

  function mayHaveOne(workspaceId: string): boolean {
    const has = held.get(workspaceId) ?? 0;
    return free > 0 && (has === 0 || has + 1 <= free * workspaceShare);
  }

  function give(workspaceId: string): void {
    free -= 1;
    held.set(workspaceId, (held.get(workspaceId) ?? 0) + 1);
  }

  function takeBack(workspaceId: string): void {
    free += 1;
    const has = (held.get(workspaceId) ?? 0) - 1;
    if (has > 0) held.set(workspaceId, has);
    else held.delete(workspaceId);
    serve();
  }

  function serve(): void {
    for (let isServed = true; isServed;) {
      isServed = false;
      for (const [workspaceId, [begin, ...rest]] of [...waiting]) {
        if (begin === undefined || !mayHaveOne(workspaceId)) continue;
        // To the end of the line.
        waiting.delete(workspaceId);
        if (rest.length > 0) waiting.set(workspaceId, rest);
        give(workspaceId);
        begin();
        isServed = true;
      }
    }
  }

  return {
    /** Resolves once the workspace has a slot. @returns gives it back; call it once. */
    async take(workspaceId: string): Promise<() => void> {
      const line = waiting.get(workspaceId);
      if (line === undefined && mayHaveOne(workspaceId)) give(workspaceId);
      else {
        await new Promise<void>((begin) => {
          if (line === undefined) waiting.set(workspaceId, [begin]);
          else line.push(begin);
        });
      }
      return () => {
        takeBack(workspaceId);
      };
    },
  };
}
