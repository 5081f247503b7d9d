import { Binary, Int32, serialize } from 'bson';
import { randomUUID } from 'node:crypto';
import type { Document } from '../semantics/values.ts';
import { decodeDocument } from '../wire/message.ts';
import {
  buildCollection,
  buildIndex,
  namesOf,
  recordRange,
  setOptions,
  type Collection,
  type Index,
} from './collection.ts';
import type { Store } from './store.ts';
import type { Versions } from './versions.ts';

export interface Catalog {
  find(ns: string): Collection | undefined;
  all(): Collection[];
  /** A collection that nobody finds until it is saved and entered. Throws what an invalid validator throws. */
  prepare(ns: string, options: Document): Collection;
  /** Lets a collection be found, once it is saved for good. */
  enter(collection: Collection): void;
  newIndex(spec: Document): Index;
  /** The methods below must run inside `store.commit`. */
  save(collection: Collection): void;
  rename(collection: Collection, ns: string): void;
  drop(collection: Collection): void;
}

/** The collections of a store, read once and kept in memory beside it. */
export function openCatalog(store: Store, versions: Versions): Catalog {
  const byNamespace = new Map<string, Collection>();
  let indexIds = 0;
  let collectionIds = Number(
    store.statement("SELECT seq FROM sqlite_sequence WHERE name = 'catalog'").get()?.['seq'] ?? 0,
  );
  const indexOf = (spec: Document, id: number, arrayPaths: readonly string[]): Index => {
    indexIds = Math.max(indexIds, id);
    return buildIndex(spec, id, arrayPaths);
  };
  for (const row of store.statement('SELECT id, ns, definition FROM catalog').all()) {
    const definition = decodeDocument(row['definition'] as Uint8Array);
    const indexes = (definition['indexes'] as Document[]).map((entry) =>
      indexOf(entry['spec'] as Document, Number(entry['id']), storedArrayPaths(entry)),
    );
    const ns = row['ns'] as string;
    const collection = buildCollection(Number(row['id']), ns, definition['uuid'] as Binary, indexes);
    setOptions(collection, definition['options'] as Document);
    const { from, to } = recordRange(collection);
    collection.nextRecord = (store.lastRecord(from, to) ?? from) + 1;
    byNamespace.set(ns, collection);
  }
  const catalog: Catalog = {
    find: (ns) => byNamespace.get(ns),
    all: () => [...byNamespace.values()],
    prepare(ns, options) {
      const uuid = new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), 4);
      const idSpec = { v: new Int32(2), key: { _id: new Int32(1) }, name: '_id_' };
      const collection = buildCollection(++collectionIds, ns, uuid, [indexOf(idSpec, indexIds + 1, [])]);
      setOptions(collection, options);
      collection.count = 0;
      return collection;
    },
    enter(collection) {
      byNamespace.set(collection.ns, collection);
    },
    save(collection) {
      const indexes = collection.indexes.map(({ id, spec, arrayPaths }) => ({ id, spec, arrayPaths: [...arrayPaths] }));
      for (const index of collection.indexes) index.arrayPathsSaved = index.arrayPaths.size;
      const definition = serialize({ uuid: collection.uuid, options: collection.options, indexes });
      const upsert = 'INSERT INTO catalog (id, ns, definition) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE';
      store.change(`${upsert} SET definition = excluded.definition`)(collection.id, collection.ns, definition);
    },
    rename(collection, ns) {
      store.change('UPDATE catalog SET ns = ? WHERE id = ?')(ns, collection.id);
      byNamespace.delete(collection.ns);
      Object.assign(collection, namesOf(ns));
      byNamespace.set(ns, collection);
    },
    drop(collection) {
      const { from, to } = recordRange(collection);
      for (const index of collection.indexes) store.dropIndex(index.id);
      store.dropRecords(from, to);
      versions.forget(from, to);
      store.change('DELETE FROM catalog WHERE id = ?')(collection.id);
      byNamespace.delete(collection.ns);
    },
    newIndex: (spec) => indexOf(spec, indexIds + 1, []),
  };
  return catalog;
}

/** Databases of older releases know only whether there is any such path. */
function storedArrayPaths({ spec, multikey, arrayPaths }: Document): readonly string[] {
  if (multikey === true) return Object.keys((spec as Document)['key'] as Document);
  return (arrayPaths as readonly string[] | undefined) ?? [];
}
