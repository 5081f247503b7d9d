import { LRUCache } from 'lru-cache';
import { leastIdAt } from '../domain/ids.ts';
import { beyondAnyId, type IdRange } from './page.ts';

/** Counts the rows of one list in a range of ids. */
type CountRange = (range: IdRange) => Promise<number>;

/**
 * Longer than a row is on its way from getting its id to being stored, with the servers' clocks apart. Clients that poll
 * by time are told the same.
 */
export const settledAfterMs = 120_000;
const rememberedMax = 10_000;
/** With more rows above those that are remembered, more are remembered. */
const recentMax = 1_000;

/**
 * Counts long lists again and again without reading them again and again: rows are never removed, and none is added
 * among the old ones, so the number of old rows is remembered, and only what lies above is counted. Exact; the first
 * count of a list in a process reads all of the list's index keys. Only for conditions that no row enters or leaves.
 */
export function createSettledCounts() {
  const known = new LRUCache<string, { readonly upTo: string; readonly count: number }>({ max: rememberedMax });

  /** How many rows of the list `key` have an id below `upTo`, where no more will be added. */
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
      // Few are counted again each time rather than by two commands once.
      if (recent > recentMax) await countBelow(key, leastIdAt(kind, new Date(Date.now() - settledAfterMs)), countRange);
      return count + recent;
    },
  };
}
