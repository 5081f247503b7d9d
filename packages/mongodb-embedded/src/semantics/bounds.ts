import { isOperators } from './match-operators.ts';
import { isBson, isDocument, type Document, type Value } from './values.ts';

/** What a filter demands of a path beyond equality; `in` lists values of which one must be there. */
export interface Bounds {
  gt?: Value;
  gte?: Value;
  lt?: Value;
  lte?: Value;
  in?: Value[];
}

/**
 * The paths that a filter (itself and its `$and`) demands to equal a value, for the choice of an index. Values that
 * an index cannot answer alone (arrays, regular expressions) are left out; the filter must still be applied.
 */
export function equalities(filter: Document): Map<string, Value> {
  const found = new Map<string, Value>();
  for (const [path, condition] of conjuncts(filter)) {
    const expected = isOperatorSet(condition) ? condition['$eq'] : condition;
    if (!found.has(path) && isIndexable(expected)) found.set(path, expected);
  }
  return found;
}

/**
 * The ranges that a filter (itself and its `$and`) demands of paths. In an array one element may meet the lower and
 * another the upper bound: on a multikey index only one of both may be used. Ranges also stay inside their type.
 */
export function bounds(filter: Document): Map<string, Bounds> {
  const found = new Map<string, Bounds>();
  for (const [path, condition] of conjuncts(filter)) {
    if (!isOperatorSet(condition)) continue;
    const merged: Bounds = { ...found.get(path) };
    for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
      const bound = condition[`$${name}`];
      if (!(name in merged) && isIndexable(bound)) merged[name] = bound;
    }
    const list = condition['$in'];
    if (merged.in === undefined && Array.isArray(list) && list.every(isIndexable)) merged.in = list;
    if (Object.keys(merged).length > 0) found.set(path, merged);
  }
  return found;
}

function* conjuncts(filter: Document): Generator<[string, Value]> {
  for (const [path, condition] of Object.entries(filter)) {
    if (!path.startsWith('$')) yield [path, condition];
    else if (path === '$and' && Array.isArray(condition)) {
      for (const part of condition) if (isDocument(part)) yield* conjuncts(part);
    }
  }
}

function isOperatorSet(condition: Value): condition is Document {
  return isDocument(condition) && isOperators(condition);
}

function isIndexable(value: Value): boolean {
  return value !== undefined && !Array.isArray(value) && !isBson(value, 'BSONRegExp');
}
