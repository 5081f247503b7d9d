import { LRUCache } from 'lru-cache';

export interface LaneLimits {
  /** How much work may be in hand that is quick, as far as is known. */
  readonly max: number;
  /** How much more that is slow: it has taken long already, or is of a workspace whose last work did. */
  readonly slowMax: number;
  /**
   * How much beyond that leaves the quick all the same once it has taken long, so that many workspaces that are slow for the
   * first time keep out nobody while they are found out. None where slow work costs what it waits for.
   */
  readonly overflowMax?: number;
  /** After which work is slow. */
  readonly slowAfterMs?: number;
}

/** A command of MongoDB takes milliseconds; what takes longer than this waits for a shard without a primary, or is a long list. */
const usualSlowAfterMs = 1_000;
/** Workspaces that are remembered as slow. One that is forgotten is found to be slow again by its next work. */
const slowKeptMax = 10_000;

/**
 * Two limits in place of one, so that work that is slow, because its shard does not answer, does not keep out all other.
 * Nobody knows beforehand which will be, so work begins among the quick, and leaves their number once it has taken long.
 * @param onRoom called when work that is in hand has left room for others.
 */
export function createLanes(limits: LaneLimits, onRoom: () => void) {
  const { max, slowMax, overflowMax = 0, slowAfterMs = usualSlowAfterMs } = limits;
  const slow = new LRUCache<string, true>({ max: slowKeptMax });
  let quickCount = 0;
  let slowCount = 0;
  return {
    mayBegin: (workspaceId: string): boolean => (slow.has(workspaceId) ? slowCount < slowMax : quickCount < max),
    /** How much quick work may still begin. */
    free: (): number => max - quickCount,
    /** @returns a function to be called once, when the work ends, whatever became of it. */
    begin(workspaceId: string): () => void {
      let isAmongSlow = slow.has(workspaceId);
      let isSlow = false;
      if (isAmongSlow) slowCount += 1;
      else quickCount += 1;
      const timer = setTimeout(() => {
        isSlow = true;
        slow.set(workspaceId, true);
        if (isAmongSlow || slowCount >= slowMax + overflowMax) return;
        isAmongSlow = true;
        slowCount += 1;
        quickCount -= 1;
        onRoom();
      }, slowAfterMs).unref();
      return () => {
        clearTimeout(timer);
        if (isAmongSlow) slowCount -= 1;
        else quickCount -= 1;
        if (!isSlow) slow.delete(workspaceId);
        onRoom();
      };
    },
  };
}
