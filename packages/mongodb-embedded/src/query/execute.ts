import { compileMatch } from '../semantics/match.ts';
import { compileSort } from '../semantics/sort.ts';
import type { Document } from '../semantics/values.ts';
import type { StringOrder } from '../semantics/compare.ts';
import { choosePlan } from './plan.ts';
import type { IndexScan, Plan, Query } from './plan.ts';
import { countEntries } from './count.ts';
import { lookUp, scanIndex } from './scan.ts';
import type { Row, Source } from './scan.ts';

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
    const isWhole = scan.residual === query.filter || plan.scans.length > 1;
    return matchingRows(source, scan, isWhole ? matches : matcherOf(scan.residual), statistics);
  });
  const merged = isSorted && plan.servesSort && compare !== undefined ? mergeRows(matching, compare) : chain(matching);
  const needsDistinct = plan.scans.length > 1 || plan.scans.some(({ index }) => index.multikey);
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

function matcherOf(residual: Document): Matches | undefined {
  return isEmpty(residual) ? undefined : compileMatch(residual);
}

type Matches = (document: Document) => boolean;

function* matchingRows(
  source: Source,
  { index, intervals, backward, isLookup }: IndexScan,
  matches: Matches | undefined,
  statistics: Statistics,
): Generator<Row> {
  for (const interval of backward ? intervals.toReversed() : intervals) {
    for (const row of isLookup ? lookUp(source, index, interval.lower) : scanIndex(source, index, interval, backward)) {
      if (!index.natural) statistics.keys++;
      statistics.documents++;
      if (matches === undefined || matches(row.version.document)) yield row;
    }
  }
}

function* chain(sources: Iterable<Row>[]): Generator<Row> {
  for (const rows of sources) yield* rows;
}

/** Merges rows that come in order from several scans. */
function* mergeRows(sources: Generator<Row>[], compare: (left: Document, right: Document) => number): Generator<Row> {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) {
    yield* only;
    return;
  }
  const heads = sources.map((rows) => ({ rows, head: rows.next() })).filter(({ head }) => !head.done);
  for (;;) {
    const [first, ...others] = heads;
    if (first === undefined) return;
    let least = first;
    for (const other of others) {
      if (compare((other.head.value as Row).version.document, (least.head.value as Row).version.document) < 0)
        least = other;
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
