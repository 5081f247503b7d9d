import { CommandError } from '../errors.ts';
import type { Bounds } from '../semantics/bounds.ts';
import { compareValues } from '../semantics/compare.ts';
import { bounds, compileMatch, equalities } from '../semantics/match.ts';
import { isDocument, type Document, type Value } from '../semantics/values.ts';
import type { Collection, Index } from '../storage/collection.ts';
import { boundIndex, intervalsOf, wholeIndex, type IndexBounds } from './intervals.ts';
import { residualOf } from './residual.ts';
import type { Interval } from './scan.ts';

/** One index read in some intervals; the order of insertion is an index too (`natural`). */
export interface IndexScan {
  index: Index;
  intervals: Interval[];
  backward: boolean;
  servesSort: boolean;
  /** How much of the filter the intervals take care of; 0 is a scan of everything. */
  score: number;
  /** What of the filter the intervals do not take care of by themselves. */
  residual: Document;
  /** Each interval is one whole key of a unique index. */
  isLookup: boolean;
  /** Where in its keys the fields begin that the query sorts by, if these are all that follows; else undefined. */
  sortKeyAt: number | undefined;
  /** How many leading fields each interval binds to a value, and how many bytes of its keys these take. */
  points: number;
  pointBytes: number[];
  /** In an interval that is a range of a field, the parts of each of its values that are read, and where their keys begin. */
  within: { fields: number; parts: Interval[] } | undefined;
}

/** How a query is answered: one scan, or one for each branch of an `$or`, merged. */
export interface Plan {
  scans: IndexScan[];
  servesSort: boolean;
}

/** What a query asks for. A collation keeps indexes out, for their keys are in binary order. */
export interface Query {
  filter: Document;
  sort: Document;
  hint: Value;
  hasCollation: boolean;
  /** No more rows than these are likely to be read. */
  rowsWanted?: number | undefined;
  /** Of the rows only the bytes are wanted, or their number. */
  asStored?: boolean;
}

/**
 * Chooses how to read: the index with the most equalities on its leading fields, then lists, then a range, then the
 * order asked for. Throws 2 (BadValue) for a hint that names no index.
 * Source: manual, "The ESR (Equality, Sort, Range) Guideline".
 */
export function choosePlan(collection: Collection, query: Query): Plan {
  const natural = query.sort['$natural'] ?? (isDocument(query.hint) ? query.hint['$natural'] : undefined);
  if (natural !== undefined || query.hasCollation) {
    const scan = scanAll(collection, query.filter, natural !== undefined && Number(natural) < 0);
    return onePlan({ ...scan, servesSort: '$natural' in query.sort || isEmpty(query.sort) });
  }
  const hinted = query.hint === undefined ? undefined : findHinted(collection, query.hint);
  const single = bestScan(collection, query.filter, query.sort, hinted);
  for (const branches of hinted === undefined ? disjunctions(query.filter) : []) {
    const scans = branches.map((branch) =>
      bestScan(collection, withBranch(query.filter, branches, branch), query.sort, undefined),
    );
    if (Math.min(...scans.map(({ score }) => score)) > Math.max(single.score, 1.9)) {
      return { scans, servesSort: scans.every(({ servesSort }) => servesSort) };
    }
  }
  const parts = explode(single, query.sort);
  return { scans: parts, servesSort: parts.every(({ servesSort }) => servesSort) };
}

/**
 * A scan for each interval, if each gives the order that all of them one after the other do not; they are merged.
 * Source: MongoDB's planner, which "explodes" a scan of lists of values for a sort.
 */
function explode(scan: IndexScan, sort: Document): IndexScan[] {
  const { index, intervals, points, pointBytes } = scan;
  if (scan.servesSort || isEmpty(sort) || intervals.length > explodedMax) return [scan];
  const direction = sortDirection(index, new Set(index.paths.slice(0, points)), sort);
  if (direction === undefined) return [scan];
  const endsWithSort = index.paths.slice(points).join('\0') === Object.keys(sort).join('\0');
  return intervals.map((interval, at) => ({
    ...scan,
    ...{ intervals: [interval], backward: direction === -1, servesSort: true },
    sortKeyAt: endsWithSort ? pointBytes[at] : undefined,
  }));
}

/** An index that might be read, and how far the query binds it. */
interface Candidate {
  index: Index;
  bound: IndexBounds;
  direction: 1 | -1 | undefined;
  isLookup: boolean;
  score: number;
}

function bestScan(collection: Collection, filter: Document, sort: Document, hinted: Index | undefined): IndexScan {
  const equal = equalities(filter);
  const ranges = bounds(filter);
  let best: Candidate | undefined;
  for (const index of hinted === undefined ? collection.indexes : [hinted]) {
    const [first = ''] = index.paths;
    // An index that the filter does not bind can only give the order.
    if (hinted === undefined && isEmpty(sort) && !equal.has(first) && !ranges.has(first)) continue;
    const candidate = candidateOf(index, equal, ranges, sort);
    const isBetter = candidate.score > (best?.score ?? 0) && isComplete(candidate, filter, equal, ranges);
    if (hinted !== undefined || isBetter) best = candidate;
  }
  if (best === undefined) return { ...scanAll(collection, filter, false), servesSort: isEmpty(sort) };
  return scanOf(best, filter, sort, { equal, ranges });
}

function candidateOf(index: Index, equal: Map<string, Value>, ranges: Map<string, Bounds>, sort: Document): Candidate {
  const bound = boundIndex(index, equal, ranges);
  const direction = isEmpty(sort) ? 1 : sortDirection(index, equal, sort);
  // A list of whole unique keys beats any other index: it names the documents one by one.
  const isLookup = index.unique && bound.points.length === index.paths.length;
  const score =
    bound.equal * 4 +
    bound.listed * 3 +
    Number(bound.range !== undefined) * 2 +
    (isLookup ? 100 : 0) +
    (direction !== undefined && !isEmpty(sort) ? 1.5 : 0);
  return { index, bound, direction, isLookup, score };
}

/** As MongoDB's `internalQueryMaxScansToExplode`. */
const explodedMax = 200;

function scanOf(
  { index, bound, direction, isLookup, score }: Candidate,
  filter: Document,
  sort: Document,
  { equal, ranges }: { equal: Map<string, Value>; ranges: Map<string, Bounds> },
): IndexScan {
  const { intervals, fixedBytes, pointBytes } = intervalsOf(index, bound);
  const { paths } = index;
  // Behind the equalities, the sort's fields and nothing else: the rest of a key is then what rows are ordered by.
  const endsWithSort = !isEmpty(sort) && paths.slice(bound.equal).join('\0') === Object.keys(sort).join('\0');
  return {
    ...{ index, intervals, backward: direction === -1, servesSort: direction !== undefined },
    ...{ score, isLookup, residual: residualOf(index, bound, filter, equal, ranges) },
    sortKeyAt: direction !== undefined && endsWithSort ? fixedBytes : undefined,
    ...{ points: bound.points.length, pointBytes, within: withinOf(index, bound) },
  };
}

function withinOf({ paths, directions }: Index, { points, behind }: IndexBounds): IndexScan['within'] {
  if (behind === undefined) return undefined;
  const fields = points.length + 1;
  const rest = { paths: paths.slice(fields), directions: directions.slice(fields) };
  return { fields, parts: intervalsOf(rest, behind).intervals };
}

/** The direction in which an index must be read to give this order; undefined when it cannot. */
function sortDirection(index: Index, equal: { has: (path: string) => boolean }, sort: Document): 1 | -1 | undefined {
  if (index.hashed || index.spec['collation'] !== undefined) return undefined;
  const isFixed = (path: string | undefined): boolean =>
    path !== undefined && equal.has(path) && index.paths.includes(path);
  let at = 0;
  let direction: 1 | -1 | undefined;
  for (const [path, order] of Object.entries(sort)) {
    if (isFixed(path)) continue;
    while (isFixed(index.paths[at])) at++;
    if (index.paths[at] !== path || index.arrayPaths.has(path)) return undefined;
    const relative = Number(order) * (index.directions[at] ?? 1) < 0 ? -1 : 1;
    if (direction !== undefined && direction !== relative) return undefined;
    direction = relative;
    at++;
  }
  return direction ?? 1;
}

/** False for a sparse or partial index that may lack documents which the filter asks for. */
function isComplete(
  { index }: Candidate,
  filter: Document,
  equal: Map<string, Value>,
  ranges: Map<string, Bounds>,
): boolean {
  if (index.spec['collation'] !== undefined) return false;
  const candidates = (path: string): Value[] | undefined => {
    if (equal.has(path)) return [equal.get(path)];
    const bound = ranges.get(path);
    if (bound?.in !== undefined) return bound.in;
    return bound === undefined ? undefined : Object.values(bound as Document).slice(0, 1);
  };
  const isPresent = (path: string): boolean => candidates(path)?.every((value) => value !== null) ?? false;
  if (index.sparse && !index.paths.some(isPresent)) return false;
  const partial = index.spec['partialFilterExpression'];
  if (!isDocument(partial)) return true;
  return Object.entries(partial).every(([path, condition]) => {
    if (path.startsWith('$')) return false;
    const values = candidates(path);
    const isRange = !equal.has(path) && ranges.get(path)?.in === undefined;
    if (values === undefined || (isRange && !isAboutType(condition))) return sameCondition(filter[path], condition);
    const matches = compileMatch({ value: condition });
    return values.every((value) => value !== null && matches({ value }));
  });
}

/** Conditions that depend on the type of a value alone hold for a whole range, if for its bound. */
function isAboutType(condition: Value): boolean {
  return isDocument(condition) && Object.keys(condition).every((name) => name === '$exists' || name === '$type');
}

function sameCondition(left: Value, right: Value): boolean {
  return left !== undefined && compareValues(left, right) === 0;
}

/** Every `$or` that must hold, at the top or inside `$and`. */
function* disjunctions(filter: Document): Generator<Document[]> {
  for (const [name, parts] of Object.entries(filter)) {
    if (!Array.isArray(parts) || !parts.every(isDocument)) continue;
    if (name === '$or') yield parts;
    if (name === '$and') for (const part of parts) yield* disjunctions(part);
  }
}

/** What rows of one branch meet. Where it can be said without `$and`, an index may settle all of it. */
function withBranch(filter: Document, branches: Document[], branch: Document): Document {
  const { $or: alternatives, ...rest } = filter;
  const isApart = alternatives === branches && Object.keys(branch).every((name) => !(name in rest));
  return isApart ? { ...rest, ...branch } : { $and: [filter, branch] };
}

function findHinted(collection: Collection, hint: Value): Index {
  const found = collection.indexes.find(({ name, spec }) =>
    typeof hint === 'string' ? name === hint : compareValues(spec['key'], hint) === 0,
  );
  if (found === undefined) {
    throw new CommandError(2, 'error processing query: planner returned error: bad hint');
  }
  return found;
}

function scanAll({ natural }: Collection, filter: Document, backward: boolean): IndexScan {
  const nothing = { servesSort: false, score: 0, residual: filter, isLookup: false, sortKeyAt: undefined };
  const unbound = { points: 0, pointBytes: [0], within: undefined };
  return { index: natural, intervals: [wholeIndex], backward, ...nothing, ...unbound };
}

function onePlan(scan: IndexScan): Plan {
  return { scans: [scan], servesSort: scan.servesSort };
}

function isEmpty(document: Document): boolean {
  return Object.keys(document).length === 0;
}
