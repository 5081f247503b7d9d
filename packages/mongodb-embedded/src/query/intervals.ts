import { compareValues, encodeKey } from '../semantics/compare.ts';
import type { Bounds } from '../semantics/bounds.ts';
import type { Value } from '../semantics/values.ts';
import { rank, rankOf } from '../semantics/values.ts';
import type { Index } from '../storage/catalog.ts';
import type { Interval } from './scan.ts';

/** How far a filter binds the leading fields of an index. */
export interface IndexBounds {
  intervals: Interval[];
  equal: number;
  listed: number;
  ranged: number;
}

export const wholeIndex: Interval = { lower: Uint8Array.of(0), upper: Uint8Array.of(0xff) };
const pointsMax = 20_000;

/**
 * The intervals of an index that a filter's demands leave: equalities and lists on the leading fields, then one range.
 * On a multikey index only the first field and one side of a range may be used, because each document has several
 * keys there and different ones may meet different demands. Source: manual, "Multikey Index Bounds".
 */
export function boundIndex(index: Index, equal: Map<string, Value>, bounds: Map<string, Bounds>): IndexBounds {
  const found: IndexBounds = { intervals: [wholeIndex], equal: 0, listed: 0, ranged: 0 };
  let prefixes: Uint8Array[] = [new Uint8Array(0)];
  for (const [at, path] of index.paths.entries()) {
    const direction = index.directions[at] ?? 1;
    const bound = bounds.get(path);
    const points = equal.has(path) ? [equal.get(path)] : bound?.in;
    if (points !== undefined && prefixes.length * points.length <= pointsMax) {
      const keys = distinctKeys(points, direction);
      prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
      found.intervals = prefixes.map((prefix) => ({ lower: prefix, upper: successor(prefix) }));
      if (equal.has(path)) found.equal++;
      else found.listed++;
    } else {
      const range = bound === undefined || index.hashed ? undefined : rangeOf(bound, direction, index.multikey);
      if (range === undefined) break;
      found.intervals = prefixes.map((prefix) => ({
        lower: Buffer.concat([prefix, range.lower]),
        upper: Buffer.concat([prefix, range.upper]),
      }));
      found.ranged++;
      break;
    }
    if (index.multikey) break;
  }
  return found;
}

function distinctKeys(points: Value[], direction: 1 | -1): Uint8Array[] {
  const keys = points.map((point) => encodeKey([point], [direction])).sort((a, b) => Buffer.compare(a, b));
  return keys.filter((key, at) => at === 0 || Buffer.compare(key, keys[at - 1] ?? key) !== 0);
}

/** A range inside the type of its bounds: comparisons never lead from one type to another. */
function rangeOf(bounds: Bounds, direction: 1 | -1, oneSided: boolean): Interval | undefined {
  const has = (name: keyof Bounds): boolean => name in bounds;
  const low = has('gte') ? bounds.gte : bounds.gt;
  const isLow = has('gte') || has('gt');
  const isHigh = has('lte') || has('lt');
  const high = has('lte') ? bounds.lte : bounds.lt;
  if (!isLow && !isHigh) return undefined;
  // With both of a pair given, the inclusive one is the wider; the filter itself is applied afterwards.
  const both = isLow && isHigh && !oneSided && rankOf(low) === rankOf(high) && compareValues(low, high) <= 0;
  const typeRank = rankOf(isLow ? low : high);
  if (typeRank === rank.minKey || typeRank === rank.maxKey || typeRank === rank.array) return undefined;
  const useHigh = isHigh && (both || !isLow);
  const lowKey = isLow ? encodeKey([low], [direction]) : undefined;
  const highKey = useHigh ? encodeKey([high], [direction]) : undefined;
  if (direction === 1) {
    return {
      lower: lowKey === undefined ? Uint8Array.of(typeRank) : has('gte') ? lowKey : successor(lowKey),
      upper: highKey === undefined ? Uint8Array.of(typeRank + 1) : has('lte') ? successor(highKey) : highKey,
    };
  }
  return {
    lower: highKey === undefined ? Uint8Array.of(0xff - typeRank) : has('lte') ? highKey : successor(highKey),
    upper: lowKey === undefined ? Uint8Array.of(0x100 - typeRank) : has('gte') ? successor(lowKey) : lowKey,
  };
}

/** The first key behind all keys that begin with these bytes. */
function successor(prefix: Uint8Array): Uint8Array {
  const bytes = Buffer.from(prefix);
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] === 0xff) at--;
  if (at < 0) return wholeIndex.upper;
  bytes[at] = (bytes[at] ?? 0) + 1;
  return bytes.subarray(0, at + 1);
}
