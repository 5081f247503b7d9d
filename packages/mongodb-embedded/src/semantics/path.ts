import { CommandError } from '../errors.ts';
import { compareValues } from './compare.ts';
import { asDocument, type Value } from './values.ts';

/**
 * The values that an index on one dotted path stores for a document: an array gives one for each different
 * element, an empty array `undefined` (below null), a missing field null. Source: manual, "Multikey Indexes".
 */
export function keyValues(document: Value, fieldPath: string): Value[] {
  return indexKeys(document, [fieldPath]).map((key) => key[0]);
}

/**
 * The entries of a compound index: all paths that go through one array are expanded together, element by element.
 * Throws 171 (CannotIndexParallelArrays) when the paths lead through different arrays.
 */
export function indexKeys(document: Value, fieldPaths: string[]): Value[][] {
  const plain = plainKey(document, fieldPaths);
  if (plain !== undefined) return [plain];
  const keys = expand(fieldPaths.map((fieldPath) => ({ value: document, rest: fieldPath.split('.') })));
  if (keys.length < 2) return keys;
  return keys.filter((key, index) => !keys.slice(0, index).some((earlier) => sameKey(earlier, key)));
}

/**
 * Calls `test` with every value that a query's path leads to, until it says true. Arrays on the way are passed
 * through, by element and by position; a missing field gives `undefined`. With `expandLast` the elements of an
 * array at the end come before the array itself. `outer` is the position in the first array passed.
 * Source: manual, "Query an Array of Embedded Documents" (recordings: find, dotted paths).
 */
export function anyAtPath(value: Value, parts: string[], expandLast: boolean, test: PathTest): boolean {
  return walk(value, parts, 0, expandLast, test, undefined);
}

/** See `anyAtPath`. */
export type PathTest = (value: Value, outer: number | undefined) => boolean;

/** Whether a dotted path leads through an array, or ends at one. */
export function leadsIntoArray(document: Value, fieldPath: string): boolean {
  let value = document;
  return fieldPath.split('.').some((part) => Array.isArray((value = fieldOf(value, part))));
}

/** The field of an embedded document; undefined for any other value. */
export function fieldOf(value: Value, field: string): Value {
  const document = asDocument(value);
  return document !== undefined && Object.hasOwn(document, field) ? document[field] : undefined;
}

/** True for a part of a path that can be a position in an array. */
export function isPosition(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** One index field on its way down: what is left of its path, or `done` when its value is found. */
interface Branch {
  value: Value;
  rest: string[];
  done?: boolean;
}

/** The common case in short: fields of the document itself that hold no arrays. */
function plainKey(document: Value, fieldPaths: string[]): Value[] | undefined {
  const key: Value[] = [];
  for (const fieldPath of fieldPaths) {
    if (fieldPath.includes('.')) return undefined;
    const value = fieldOf(document, fieldPath);
    if (Array.isArray(value)) return undefined;
    key.push(value ?? null);
  }
  return key;
}

function walk(
  value: Value,
  parts: string[],
  depth: number,
  expandLast: boolean,
  test: PathTest,
  outer: number | undefined,
): boolean {
  const part = parts[depth];
  if (part === undefined) {
    if (expandLast && Array.isArray(value)) {
      if (value.some((element, index) => test(element, outer ?? index))) return true;
    }
    return test(value, outer);
  }
  if (!Array.isArray(value)) return walk(fieldOf(value, part), parts, depth + 1, expandLast, test, outer);
  if (isPosition(part) && Number(part) < value.length) {
    if (walk(value[Number(part)], parts, depth + 1, expandLast, test, outer)) return true;
  }
  return value.some(
    (element, index) =>
      asDocument(element) !== undefined && walk(element, parts, depth, expandLast, test, outer ?? index),
  );
}

/** Follows every branch down to its value or to the first array, then expands that array for all branches. */
function expand(branches: Branch[]): Value[][] {
  const ends = branches.map(descend);
  const arrays = new Set(ends.filter(({ value, done }) => Array.isArray(value) && !done).map(({ value }) => value));
  if (arrays.size > 1) throw new CommandError(171, 'cannot index parallel arrays');
  const [array] = arrays;
  if (!Array.isArray(array)) return [ends.map(keyOf)];
  if (array.length === 0) return [ends.map((end) => (end.value === array ? emptyKey(end) : keyOf(end)))];
  return array.flatMap((element) =>
    expand(ends.map((end) => (end.value === array ? intoElement(element, end.rest) : end))),
  );
}

function descend(branch: Branch): Branch {
  if (branch.done) return branch;
  let { value, rest } = branch;
  while (rest.length > 0) {
    const [part = '', ...further] = rest;
    if (!Array.isArray(value)) value = fieldOf(value, part);
    else if (isPosition(part) && Number(part) < value.length) value = value[Number(part)];
    else break;
    rest = further;
  }
  return { value, rest };
}

/** An array inside an array is a value at the end of a path, and hides what is below it in the middle of one. */
function intoElement(element: Value, rest: string[]): Branch {
  if (rest.length === 0) return { value: element, rest, done: true };
  return Array.isArray(element) ? { value: null, rest: [], done: true } : { value: element, rest };
}

function keyOf({ value }: Branch): Value {
  return value ?? null;
}

function emptyKey({ rest }: Branch): Value {
  return rest.length === 0 ? undefined : null;
}

function sameKey(left: Value[], right: Value[]): boolean {
  return left.every((value, index) => compareValues(value, right[index]) === 0);
}
