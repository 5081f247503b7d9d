import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import { schema } from '../../src/storage/schema/schema.ts';

/**
 * How many keys of a collection's indexes are inserted and removed where a document becomes another one, or is new: as the
 * schema declares them, and the primary key's.
 */
export function indexEntriesWritten(collection: string, before: Document | undefined, after: Document): number {
  const old = new Set(before === undefined ? [] : keysOf(collection, before));
  const now = new Set(keysOf(collection, after));
  return [...old, ...now].filter((key) => !(old.has(key) && now.has(key))).length;
}

function keysOf(collection: string, document: Document): string[] {
  const declared = (schema[collection] ?? []).filter(({ partialFilterExpression = {} }) =>
    isIn(document, partialFilterExpression),
  );
  const keys = declared.flatMap(({ key, name }) => {
    // A key for each element of an array.
    const tuples = Object.keys(key).reduce<unknown[][]>(
      (before, path) => [valueAt(document, path)].flat().flatMap((value) => before.map((tuple) => [...tuple, value])),
      [[name]],
    );
    return tuples.map((tuple) => JSON.stringify(tuple));
  });
  return [JSON.stringify(['_id_', document['_id']]), ...keys];
}

/** Whether a document is in an index of this partial filter, of the forms that the schema has. */
function isIn(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    const value = valueAt(document, path);
    if (typeof condition !== 'object' || condition === null) return isDeepStrictEqual(value, condition);
    const { $exists, ...bounds } = condition as { readonly $exists?: boolean };
    if ($exists !== undefined) return (value !== undefined) === $exists;
    return Object.entries(bounds).every(([operator, bound]) => isWithin(value, operator, bound));
  });
}

/** A bound holds of values of its own type alone. */
function isWithin(value: unknown, operator: string, bound: unknown): boolean {
  const [one, other] = [comparable(value), comparable(bound)];
  if (one === undefined || other === undefined || typeof one !== typeof other) return false;
  return operator === '$gt' ? one > other : operator === '$lt' ? one < other : operator === '$gte' && one >= other;
}

function comparable(value: unknown): string | number | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.getTime() : undefined;
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Document | undefined)?.[name], document);
}
