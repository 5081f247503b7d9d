import { serialize } from 'bson';
import { CommandError, shown } from '../errors.ts';
import { compareValues } from '../semantics/compare.ts';
import { isDocument, type Document } from '../semantics/values.ts';
import type { ClientTransaction } from '../sessions/sessions.ts';
import { recordRange, type Collection, type Index } from '../storage/collection.ts';
import { duplicateKey } from '../storage/unique.ts';
import { keysOf, noteArrays, storedVersion } from '../storage/version.ts';
import type { Reply } from '../wire/reply.ts';
import { findCollection, type Context } from './context.ts';
import { cursorBatchSize, openCursor } from './cursors.ts';
import { listField, namespaceOf } from './fields.ts';
import { alreadyExists, readIndexSpec } from './index-specs.ts';
import { createCollection, refuseReadConcern } from './write-unit.ts';

/**
 * createIndexes: all of them or none. Outside a transaction it waits for open transactions on the collection; inside, the
 * collection has to be new and empty. Throws 85, 86, 67, 197, 263 for a collection that is not new, or 11000 if the
 * documents there break a unique key (recordings: indexes; manual 4.4, "Create Collections and Indexes In a Transaction").
 */
export async function createIndexes(context: Context): Promise<Reply> {
  const { engine, deadline, transaction } = context;
  const ns = namespaceOf(context);
  const specs = listField(context, 'indexes').map(readIndexSpec);
  if (specs.length === 0) throw new CommandError(2, 'Must specify at least one index to create');
  refuseReadConcern(context);
  const standing = findCollection(context, ns);
  // MongoDB looks whether there is anything to build before it takes an exclusive lock.
  if (standing !== undefined && specs.every((spec) => alreadyExists(standing, spec))) {
    return nothingToBuild(standing);
  }
  if (transaction !== undefined) {
    if (standing !== undefined) refuseUnlessNew(context, transaction, standing);
    return addIndexes(context, specs, standing, () => 0);
  }
  return engine.locks.exclusive(ns, deadline, () =>
    addIndexes(context, specs, engine.catalog.find(ns), (collection, added) =>
      engine.transactions.define(() => {
        for (const index of added) fill(context, collection, index);
        engine.catalog.save(collection);
      }),
    ),
  );
}

/** Adds those that are not there; `build` gives the number of the commit that has them. */
function addIndexes(
  context: Context,
  specs: Document[],
  found: Collection | undefined,
  build: (collection: Collection, added: Index[]) => number,
): Reply {
  const collection = found ?? createCollection(context, namespaceOf(context), {});
  const before = collection.indexes.length;
  const added: Index[] = [];
  for (const spec of specs) {
    const known = { ...collection, indexes: [...collection.indexes, ...added] };
    if (!alreadyExists(known, spec)) added.push(context.engine.catalog.newIndex(spec));
  }
  if (added.length === 0) return nothingToBuild(collection);
  collection.indexes.push(...added);
  try {
    collection.definedAt = build(collection, added);
  } catch (error) {
    collection.indexes.splice(before);
    throw error;
  }
  const numbers = { numIndexesBefore: before, numIndexesAfter: before + added.length };
  return { createdCollectionAutomatically: found === undefined, ...numbers, ok: 1 };
}

function refuseUnlessNew({ engine }: Context, { unit }: ClientTransaction, collection: Collection): void {
  const isOwn = unit.created.has(collection.ns);
  const { dirty } = engine.transactions.view(unit, collection);
  if (isOwn && [...dirty.values()].every(({ visible }) => visible === undefined)) return;
  const what = `${isOwn ? 'non-empty' : 'existing'} collection ${collection.ns}`;
  throw new CommandError(263, `Cannot create new indexes on ${what} in a multi-document transaction.`);
}

function nothingToBuild({ indexes }: Collection): Reply {
  const count = indexes.length;
  return { numIndexesBefore: count, numIndexesAfter: count, note: 'all indexes already exist', ok: 1 };
}

/** dropIndexes: by name, by key, several names, or all but that of _id by '*'. */
export async function dropIndexes(context: Context): Promise<Reply> {
  const { engine, command, deadline } = context;
  const ns = namespaceOf(context);
  return engine.locks.exclusive(ns, deadline, () => {
    const collection = engine.catalog.find(ns);
    if (collection === undefined) throw new CommandError(26, 'ns not found');
    const nIndexesWas = collection.indexes.length;
    const dropped = indexesToDrop(collection, command['index']);
    collection.indexes = collection.indexes.filter((index) => !dropped.includes(index));
    engine.transactions.define(() => {
      for (const { id } of dropped) engine.store.dropIndex(id);
      engine.catalog.save(collection);
    });
    return { nIndexesWas, ok: 1 };
  });
}

/** listIndexes. Throws 26 for an absent collection. */
export function listIndexes(context: Context): Reply {
  const ns = namespaceOf(context);
  const collection = context.engine.catalog.find(ns);
  if (collection === undefined) throw new CommandError(26, `ns does not exist: ${ns}`);
  const documents = collection.indexes.map(({ spec }) => serialize({ ...spec, ns })).values();
  return openCursor(context, ns, { documents, remaining: Infinity }, cursorBatchSize(context));
}

/** Enters every document of the collection into a new index. */
function fill({ engine }: Context, collection: Collection, index: Index): void {
  const { from, to } = recordRange(collection);
  const { store } = engine;
  for (let record = from - 1; ;) {
    const rows = store.records({ record, limit: to, backward: false, rowsMax: 1000 });
    for (const row of rows) {
      const version = storedVersion(row.document);
      const keys = keysOf(version, index);
      noteArrays(index, version);
      for (const key of keys) {
        const holder = index.unique ? store.holderOf(index.id, key) : undefined;
        if (holder !== undefined && holder !== row.record) {
          throw duplicateKey(collection.ns, index, version.document, key);
        }
        store.putEntry(index.id, key, row.record);
      }
      record = row.record;
    }
    if (rows.length === 0) return;
  }
}

function indexesToDrop(collection: Collection, which: Document[string]): Index[] {
  const removable = collection.indexes.slice(1);
  if (which === '*') return removable;
  const names = Array.isArray(which) ? which : [which];
  return names.map((name) => {
    const isWanted = (index: Index): boolean =>
      isDocument(name) ? compareValues(index.spec['key'], name) === 0 : index.name === name;
    if (collection.indexes[0] !== undefined && isWanted(collection.indexes[0])) {
      throw new CommandError(72, 'cannot drop _id index');
    }
    const found = removable.find(isWanted);
    if (found !== undefined) return found;
    throw new CommandError(
      27,
      isDocument(name) ? "can't find index with key" : `index not found with name [${shown(name)}]`,
    );
  });
}
