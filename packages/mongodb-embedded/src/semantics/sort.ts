import { CommandError } from '../errors.ts';
import { compareValues, encodeKey, type StringOrder } from './compare.ts';
import { integerOf } from './numbers.ts';
import { indexKeys } from './path.ts';
import { isNumeric, type Document, type Value } from './values.ts';

/** Error codes of a bad sort: `find` and `$push` answer 2 (BadValue), the stage `$sort` has codes of its own. */
export interface SortCodes {
  direction: number;
}

/**
 * Compiles a sort such as `{ a: 1, 'b.c': -1 }` to a comparison of documents. Missing fields sort as null, an array by
 * its least element upwards and by its greatest downwards. Throws 2 for a direction other than 1 and -1; the
 * comparison throws 2 when a document has arrays on two of the paths. Keys are kept while the documents live.
 * Source: manual, "cursor.sort()" and "Comparison/Sort Order".
 */
export function compileSort(
  specification: Document,
  options: { stringOrder?: StringOrder; codes?: SortCodes } = {},
): (left: Document, right: Document) => number {
  const paths = Object.keys(specification);
  const directions = Object.values(specification).map((direction) => directionOf(direction, options.codes));
  const { stringOrder } = options;
  return stringOrder === undefined ? byBytes(paths, directions) : byValues(paths, directions, stringOrder);
}

/** Encodes each document's key once: comparing bytes is much cheaper than comparing values. */
function byBytes(paths: string[], directions: (1 | -1)[]): (left: Document, right: Document) => number {
  const known = new WeakMap<Document, Uint8Array>();
  const keyOf = (document: Document): Uint8Array => {
    let key = known.get(document);
    if (key === undefined) {
      const keys = sortKeys(document, paths).map((values) => encodeKey(values, directions));
      key = keys.reduce((least, next) => (Buffer.compare(next, least) < 0 ? next : least));
      known.set(document, key);
    }
    return key;
  };
  return (left, right) => Buffer.compare(keyOf(left), keyOf(right));
}

/** Under a collation the order of strings has no bytes, so that values are compared. */
function byValues(
  paths: string[],
  directions: (1 | -1)[],
  stringOrder: StringOrder,
): (left: Document, right: Document) => number {
  const compareKeys = (left: Value[], right: Value[]): number => {
    for (let index = 0; index < directions.length; index++) {
      const order = compareValues(left[index], right[index], stringOrder);
      if (order !== 0) return order * (directions[index] ?? 1);
    }
    return 0;
  };
  const keyOf = (document: Document): Value[] =>
    sortKeys(document, paths).reduce((least, next) => (compareKeys(next, least) < 0 ? next : least));
  return (left, right) => compareKeys(keyOf(left), keyOf(right));
}

function sortKeys(document: Document, paths: string[]): Value[][] {
  try {
    return indexKeys(document, paths);
  } catch (error) {
    if (error instanceof CommandError && error.code === 171) {
      throw new CommandError(2, 'cannot sort with keys that are parallel arrays');
    }
    throw error;
  }
}

function directionOf(direction: Value, codes: SortCodes | undefined): 1 | -1 {
  const number = isNumeric(direction) ? integerOf(direction) : undefined;
  if (number === 1 || number === -1) return number;
  throw new CommandError(codes?.direction ?? 2, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
}
