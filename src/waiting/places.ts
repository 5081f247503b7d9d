export interface PlaceLimits {
  /** How many places there are. */
  readonly max: number;
  /** How many of them one workspace may hold, even if nobody else wants one. */
  readonly ofOneMax: number;
}

/** Gives a place back. Does nothing once the place was lost to another workspace. */
export type Leave = () => void;

/**
 * A limited number of places, which workspaces share. If all are taken, a workspace may take one from the workspace that has
 * most, if that has more than it would then have itself; the newest holder there has to go. So each of `k` workspaces that
 * want places gets `max / k` of them, rounded down, however many the others took before. One that is alone may have
 * `ofOneMax`.
 */
export function createPlaces({ max, ofOneMax }: PlaceLimits) {
  /** What takes each workspace's holders their places, in the order in which they came. */
  const held = new Map<string, Set<() => void>>();
  /** The workspaces that hold one place, two, and so on; the last ones hold most, and are found without a search. */
  const bySize: Set<string>[] = [];
  let taken = 0;

  function move(workspaceId: string, from: number, to: number): void {
    bySize[from - 1]?.delete(workspaceId);
    if (to > 0) (bySize[to - 1] ??= new Set()).add(workspaceId);
    while (bySize.at(-1)?.size === 0) bySize.pop();
    taken += to - from;
  }

  function free(workspaceId: string, holders: Set<() => void>, giveUp: () => void): void {
    if (!holders.delete(giveUp)) return;
    if (holders.size === 0) held.delete(workspaceId);
    move(workspaceId, holders.size + 1, holders.size);
  }

  /** Frees a place for a workspace that holds `mine`. @returns whether anybody has too many. */
  function pushOut(mine: number): boolean {
    const [most = ''] = bySize.at(-1) ?? [];
    const holders = held.get(most) ?? new Set();
    const newest = [...holders].at(-1);
    if (newest === undefined || holders.size <= mine + 1) return false;
    free(most, holders, newest);
    newest();
    return true;
  }

  return {
    /**
     * Takes a place. @param giveUp called if the place is lost to another workspace; a function of its own for each call.
     * @returns undefined if the workspace may have no further place now.
     */
    take(workspaceId: string, giveUp: () => void): Leave | undefined {
      const mine = held.get(workspaceId)?.size ?? 0;
      if (mine >= ofOneMax) return undefined;
      if (taken >= max && !pushOut(mine)) return undefined;
      // Looked up afterwards: who was pushed out may have taken or left a place meanwhile.
      const holders = held.get(workspaceId) ?? new Set();
      held.set(workspaceId, holders);
      holders.add(giveUp);
      move(workspaceId, holders.size - 1, holders.size);
      return () => {
        free(workspaceId, holders, giveUp);
      };
    },
  };
}
