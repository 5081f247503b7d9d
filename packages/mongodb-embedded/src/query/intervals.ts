import { compareValues, encodeKey } from '../semantics/compare.ts';
import type { Bounds } from '../semantics/bounds.ts';
import { exactOf } from '../semantics/numbers.ts';
import { isBson, isNumeric, rank, rankOf, type Value } from '../semantics/values.ts';
import type { Index } from '../storage/collection.ts';
import type { Interval } from './scan.ts';

/** How far a filter binds the leading fields of an index: some to values, so many by equality or a list; then one to a range. */
export interface IndexBounds {
  points: Value[][];
  equal: number;
  listed: number;
  range: Range | undefined;
  /** Behind a range: how far the filter binds the fields that follow. */
  behind?: IndexBounds;
}

/** One side or both of a range of values of one type. */
export interface Range {
  low: Side | undefined;
  high: Side | undefined;
  /** The keys between them are those of all values in the range, and of no others. */
  isExact: boolean;
}

interface Side {
  value: Value;
  inclusive: boolean;
}

export const wholeIndex: Interval = { lower: Uint8Array.of(0), upper: Uint8Array.of(0xff) };
const pointsMax = 20_000;

/**
 * How far a filter's demands bind an index: equalities and lists on the leading fields, then one range.
 * A document has several keys by a field that leads into an array, and different ones may meet different demands. So of such
 * a field only one side of a range may be used, and of the fields that lead into one array only one. Source: manual,
 * "Multikey Index Bounds".
 */
export function boundIndex(
  index: Pick<Index, 'paths' | 'arrayPaths' | 'hashed'>,
  equal: Map<string, Value>,
  bounds: Map<string, Bounds>,
): IndexBounds {
  const found: IndexBounds = { points: [], equal: 0, listed: 0, range: undefined };
  let prefixes = 1;
  let isArrayBound = false;
  for (const path of index.paths) {
    const isArray = index.arrayPaths.has(path);
    if (isArray && isArrayBound) break;
    isArrayBound ||= isArray;
    const bound = bounds.get(path);
    const points = equal.has(path) ? [equal.get(path)] : bound?.in;
    if (points !== undefined && prefixes * points.length <= pointsMax) {
      found.points.push(points);
      prefixes *= points.length;
      if (equal.has(path)) found.equal++;
      else found.listed++;
    } else {
      if (bound !== undefined && !index.hashed) found.range = rangeOf(bound, isArray);
      if (found.range === undefined || index.arrayPaths.size > 0) break;
      const behind = boundIndex({ ...index, paths: index.paths.slice(found.points.length + 1) }, equal, bounds);
      if (behind.points.length > 0) found.behind = behind;
      break;
    }
  }
  return found;
}

/**
 * The parts of an index to be read, in order; how many bytes the equalities take that every key begins with, and how many
 * in each part the equalities and lists.
 */
export function intervalsOf(
  { directions, paths }: Pick<Index, 'directions' | 'paths'>,
  { points, equal, range }: IndexBounds,
): { intervals: Interval[]; fixedBytes: number; pointBytes: number[] } {
  let prefixes: Uint8Array[] = [new Uint8Array(0)];
  let fixedBytes = 0;
  for (const [at, values] of points.entries()) {
    const keys = distinctKeys(values, directions[at] ?? 1);
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
    if (at + 1 === equal) fixedBytes = prefixes[0]?.length ?? 0;
  }
  const pointBytes = prefixes.map(({ length }) => length);
  const at = points.length;
  if (range !== undefined && at < paths.length) {
    const { lower, upper } = encodeRange(range, directions[at] ?? 1);
    const intervals = prefixes.map((prefix) => ({
      lower: Buffer.concat([prefix, lower]),
      upper: Buffer.concat([prefix, upper]),
    }));
    return { intervals, fixedBytes, pointBytes };
  }
  if (at === 0) return { intervals: [wholeIndex], fixedBytes, pointBytes };
  const intervals = prefixes.map((prefix) => ({ lower: prefix, upper: successor(prefix) }));
  return { intervals, fixedBytes, pointBytes };
}

function distinctKeys(points: Value[], direction: 1 | -1): Uint8Array[] {
  const keys = points.map((point) => encodeKey([point], [direction]));
  if (keys.length < 2) return keys;
  keys.sort((a, b) => Buffer.compare(a, b));
  return keys.filter((key, at) => at === 0 || Buffer.compare(key, keys[at - 1] ?? key) !== 0);
}

/** A range inside the type of its bounds: comparisons never lead from one type to another. */
function rangeOf(bounds: Bounds, oneSided: boolean): Range | undefined {
  // With both of a pair given, the inclusive one is the wider; the filter itself is applied afterwards.
  const low = sideOf(bounds, 'gte', 'gt');
  const high = sideOf(bounds, 'lte', 'lt');
  const first = low ?? high;
  if (first === undefined || isUnbounded(first.value)) return undefined;
  const isBoth =
    low !== undefined &&
    high !== undefined &&
    !oneSided &&
    rankOf(low.value) === rankOf(high.value) &&
    compareValues(low.value, high.value) <= 0;
  const isWhole = (isBoth || high === undefined) && Object.keys(bounds).length === Number(isBoth) + 1;
  const isExact = isWhole && !oneSided && isPlainlyOrdered(low?.value) && (!isBoth || isPlainlyOrdered(high.value));
  return { low, high: low === undefined || isBoth ? high : undefined, isExact };
}

function sideOf(bounds: Bounds, inclusive: keyof Bounds, exclusive: keyof Bounds): Side | undefined {
  if (inclusive in bounds) return { value: bounds[inclusive], inclusive: true };
  return exclusive in bounds ? { value: bounds[exclusive], inclusive: false } : undefined;
}

function isUnbounded(value: Value): boolean {
  const typeRank = rankOf(value);
  return typeRank === rank.minKey || typeRank === rank.maxKey || typeRank === rank.array;
}

/** Of types that have values beside their order (null, NaN) and of nested ones the keys alone do not tell. */
function isPlainlyOrdered(value: Value): boolean {
  if (isNumeric(value)) return exactOf(value).kind !== 'nan';
  return (
    typeof value === 'string' || isBson(value, 'ObjectId') || (value instanceof Date && !Number.isNaN(value.getTime()))
  );
}

function encodeRange({ low, high }: Range, direction: 1 | -1): Interval {
  const typeRank = rankOf((low ?? high)?.value);
  const lowKey = low && encodeKey([low.value], [direction]);
  const highKey = high && encodeKey([high.value], [direction]);
  if (direction === 1) {
    return {
      lower: lowKey === undefined ? Uint8Array.of(typeRank) : low?.inclusive ? lowKey : successor(lowKey),
      upper: highKey === undefined ? Uint8Array.of(typeRank + 1) : high?.inclusive ? successor(highKey) : highKey,
    };
  }
  return {
    lower: highKey === undefined ? Uint8Array.of(0xff - typeRank) : high?.inclusive ? highKey : successor(highKey),
    upper: lowKey === undefined ? Uint8Array.of(0x100 - typeRank) : low?.inclusive ? successor(lowKey) : lowKey,
  };
}

/** The first key behind all keys that begin with these bytes. */
export function successor(prefix: Uint8Array): Uint8Array {
  const bytes = Buffer.from(prefix);
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] === 0xff) at--;
  if (at < 0) return wholeIndex.upper;
  bytes[at] = (bytes[at] ?? 0) + 1;
  return bytes.subarray(0, at + 1);
}
