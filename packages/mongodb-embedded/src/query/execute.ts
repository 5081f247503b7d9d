import { compileMatch, type Matcher } from '../semantics/match.ts';
import { indexKeys } from '../semantics/path.ts';
import { fieldsOfFilter } from '../semantics/select-fields.ts';
import { compileSort } from '../semantics/sort.ts';
import type { Document } from '../semantics/values.ts';
import { encodeKey, type StringOrder } from '../semantics/compare.ts';
import type { Version } from '../storage/version.ts';
import { choosePlan, type IndexScan, type Plan, type Query } from './plan.ts';
import { countEntries } from './count.ts';
import { successor } from './intervals.ts';
import { firstRows, lookUp, scanIndex, type Interval, type Row, type Source } from './scan.ts';

/** What the execution of a query has touched so far. */
export interface Statistics {
  keys: number;
  documents: number;
}

/** A query ready to be read row by row. */
export interface Execution {
  plan: Plan;
  statistics: Statistics;
  rows: Iterable<Row>;
  /** Index entries alone tell how many rows there are. */
  isCovered: boolean;
  /** The number of rows, counted up to `countMax`; without reading documents where index entries alone can tell. */
  count: (countMax: number) => number;
}

/**
 * Plans and runs a query: the matching rows in the order asked for, read as they are consumed unless they must be
 * sorted in memory. Throws what the filter, the sort or the hint throws, before any row is read.
 */
export function execute(source: Source, query: Query, stringOrder: StringOrder | undefined): Execution {
  const options = stringOrder === undefined ? {} : { stringOrder };
  // Compiled as a whole, so that a faulty filter fails whatever the plan.
  const matches = compileMatch(query.filter, options);
  const { $natural: natural, ...sort } = query.sort;
  const isSorted = natural === undefined && Object.keys(sort).length > 0;
  const compare = isSorted ? compileSort(sort, options) : undefined;
  const plan = choosePlan(source.collection, query);
  const statistics: Statistics = { keys: 0, documents: 0 };
  const matching = plan.scans.map((scan) => {
    const test = rowTest(scan.residual, scan.residual === query.filter ? matches : undefined, query.asStored === true);
    return matchingRows(source, scan, test, statistics, rowsWantedOf(query, plan, test === undefined));
  });
  const isMerged = compare !== undefined && plan.servesSort && matching.length > 1;
  const merged = isMerged ? mergeRows(matching, rowOrder(plan.scans) ?? byDocument(compare)) : chain(matching);
  const needsDistinct = plan.scans.length > 1 || plan.scans.some(({ index }) => index.arrayPaths.size > 0);
  const rows = needsDistinct ? distinctRows(merged) : merged;
  const [scan] = plan.scans;
  const covering = plan.scans.length === 1 && scan !== undefined && isEmpty(scan.residual) ? scan : undefined;
  return {
    ...{ plan, statistics, rows: compare === undefined || plan.servesSort ? rows : sortRows(rows, compare) },
    isCovered: covering !== undefined,
    count(countMax) {
      if (covering === undefined) return countRows(rows, countMax);
      const count = countEntries(source, covering, countMax);
      if (!covering.index.natural) statistics.keys += count;
      return count;
    },
  };
}

function countRows(rows: Iterable<Row>, countMax: number): number {
  let count = 0;
  for (const row of rows) if (row.record > 0 && ++count >= countMax) break;
  return count;
}

/** How many rows of each scan are likely to be read. Of those that are merged, none is likely to give all. */
function rowsWantedOf({ rowsWanted }: Query, { scans, servesSort }: Plan, isExact: boolean): number {
  if (rowsWanted === undefined || !isExact || !servesSort) return firstRows;
  return scans.length === 1 ? rowsWanted : Math.ceil((rowsWanted / scans.length) * 1.5);
}

type RowTest = (version: Version) => boolean;

/** Undefined where every row passes. Where nobody needs the documents, no more of them is decoded than the test looks at. */
function rowTest(residual: Document, compiled: Matcher | undefined, asStored: boolean): RowTest | undefined {
  if (isEmpty(residual)) return undefined;
  const matches = compiled ?? compileMatch(residual);
  const fields = asStored ? fieldsOfFilter(residual) : undefined;
  return fields === undefined ? (version) => matches(version.document) : (version) => matches(version.partOf(fields));
}

function* matchingRows(
  source: Source,
  scan: IndexScan,
  passes: RowTest | undefined,
  statistics: Statistics,
  rowsWanted: number,
): Generator<Row> {
  const { index, backward, isLookup } = scan;
  for (const interval of partsOf(source, scan, statistics)) {
    const rows = isLookup
      ? lookUp(source, index, interval.lower)
      : scanIndex(source, { index, interval, backward, rowsWanted });
    for (const row of rows) {
      if (!index.natural) statistics.keys++;
      statistics.documents++;
      if (passes === undefined || passes(row.version)) yield row;
    }
  }
}

/**
 * The intervals of a scan, in the order in which they are read. In a range of a field whose followers are bound too, these
 * are the parts of each value there. The next value is found by a look at the first key behind the last, as by MongoDB.
 */
function* partsOf(
  source: Source,
  { index, intervals, backward, within }: IndexScan,
  statistics: Statistics,
): Generator<Interval> {
  for (const interval of inOrder(intervals, backward)) {
    if (within === undefined) {
      yield interval;
      continue;
    }
    const left = { ...interval };
    for (;;) {
      const [row] = scanIndex(source, { index, interval: left, backward, rowsWanted: 1 });
      if (row === undefined) break;
      statistics.keys++;
      const { document } = row.version;
      const [values = []] = indexKeys(document, index.paths.slice(0, within.fields));
      const prefix = encodeKey(values, index.directions);
      for (const { lower, upper } of inOrder(within.parts, backward)) {
        yield { lower: Buffer.concat([prefix, lower]), upper: Buffer.concat([prefix, upper]) };
      }
      if (backward) left.upper = prefix;
      else left.lower = successor(prefix);
    }
  }
}

function inOrder(intervals: Interval[], backward: boolean): Interval[] {
  return backward ? intervals.toReversed() : intervals;
}

function* chain(sources: Iterable<Row>[]): Generator<Row> {
  for (const rows of sources) yield* rows;
}

type CompareRows = (left: Row, right: Row, leftScan: number, rightScan: number) => number;

function byDocument(compare: (left: Document, right: Document) => number): CompareRows {
  return (left, right) => compare(left.version.document, right.version.document);
}

/** The order of rows by the ends of their keys, where these are the same fields in every scan: no document is decoded. */
function rowOrder(scans: IndexScan[]): CompareRows | undefined {
  const [first] = scans;
  const starts = scans.map(({ sortKeyAt }) => sortKeyAt).filter((at) => at !== undefined);
  if (starts.length < scans.length || scans.some(({ backward }) => backward !== first?.backward)) return undefined;
  const sign = first?.backward ? -1 : 1;
  return (left, right, leftScan, rightScan) =>
    sign * Buffer.compare(left.key.subarray(starts[leftScan]), right.key.subarray(starts[rightScan]));
}

/** Merges rows that come in order from several scans. */
function* mergeRows(sources: Generator<Row>[], compare: CompareRows): Generator<Row> {
  const heads = sources.map((rows, scan) => ({ rows, scan, head: rows.next() })).filter(({ head }) => !head.done);
  for (;;) {
    let [least] = heads;
    if (least === undefined) return;
    for (const other of heads) {
      if (compare(other.head.value as Row, least.head.value as Row, other.scan, least.scan) < 0) least = other;
    }
    yield least.head.value as Row;
    least.head = least.rows.next();
    if (least.head.done) heads.splice(heads.indexOf(least), 1);
  }
}

/** A document with several keys in the intervals, or in several branches, counts once. */
function* distinctRows(rows: Iterable<Row>): Generator<Row> {
  const seen = new Set<number>();
  for (const row of rows) {
    if (seen.has(row.record)) continue;
    seen.add(row.record);
    yield row;
  }
}

function* sortRows(rows: Iterable<Row>, compare: (left: Document, right: Document) => number): Generator<Row> {
  yield* [...rows].sort((left, right) => compare(left.version.document, right.version.document));
}

function isEmpty(filter: Document): boolean {
  return Object.keys(filter).length === 0;
}
