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
    const { $exists, $gte } = condition as { readonly $exists?: boolean; readonly $gte?: string };
    if ($exists !== undefined) return (value !== undefined) === $exists;
    return typeof value === 'string' && $gte !== undefined && value >= $gte;
  });
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Document | undefined)?.[name], document);
}
