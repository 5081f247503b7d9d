import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { leastIdAt } from '../domain/ids.ts';
import { beyondAnyId, type IdRange } from './page.ts';

/** Counts the rows of one list in a range of ids. */
type CountRange = (range: IdRange) => Promise<number>;

/**
 * Longer than it takes from a row's id to its storing, even if the servers' clocks differ. The API page tells clients that
 * poll by time to allow for the same.
 */
export const settledAfterMs = 120_000;
const rememberedMax = 10_000;
/** If more rows than this are above the remembered ones, more are remembered. */
const recentMax = 1_000;

/**
 * Counts long lists without reading them each time. Rows are never removed, and none is added among the old ones. So
 * the number of old rows is remembered, and only newer ones are counted. The count is exact. A process's first count of
 * a list reads all of its index keys. Use it only for conditions that a row meets always or never.
 */
export function createSettledCounts(clock: Clock) {
  const known = new LRUCache<string, { readonly upTo: string; readonly count: number }>({ max: rememberedMax });

  /** How many rows of the list `key` have an id below `upTo`. No row may be added there any more. */
  async function countBelow(key: string, upTo: string, countRange: CountRange): Promise<number> {
    const { upTo: from, count } = known.get(key) ?? { upTo: '', count: 0 };
    if (upTo < from) return count - (await countRange({ from: upTo, before: from }));
    const total = count + (upTo === from ? 0 : await countRange({ from, before: upTo }));
    if (upTo > (known.get(key)?.upTo ?? '')) known.set(key, { upTo, count: total });
    return total;
  }

  return {
    countBelow,
    /** How many rows the list `key` has now, for rows with ids of {@link leastIdAt}'s kind. */
    async countAll(key: string, kind: 'order' | 'wallet', countRange: CountRange): Promise<number> {
      const { upTo: from, count } = known.get(key) ?? { upTo: '', count: 0 };
      const recent = await countRange({ from, before: beyondAnyId });
      // A few rows are counted again each time, because remembering them costs a second command.
      const settledBefore = new Date(clock().getTime() - settledAfterMs);
      if (recent > recentMax) await countBelow(key, leastIdAt(kind, settledBefore), countRange);
      return count + recent;
    },
  };
}
