import type { Collection, Index } from './collection.ts';
import { addEntry, removeEntry, type KeyEntry } from './sorted-keys.ts';
import { keysOf, type Version } from './version.ts';

/** What a transaction sees of a collection where that differs from the committed state. */
export interface View {
  collection: Collection;
  dirty: Map<number, Dirty>;
  /** The visible entries of dirty records, by index; made when an index is first read. */
  entries: Map<number, KeyEntry[]>;
  /** Unique keys that others have put in and committed since the snapshot. */
  insertedByOthers: Map<number, Set<string>>;
  caughtUpTo: number;
}

/** `own` writes are still to be committed; others were committed by someone else after the snapshot. */
export interface Dirty {
  own: boolean;
  base: Version | undefined;
  visible: Version | undefined;
}

/** What one commit changed, by collection id; kept while an open snapshot is older. */
export interface Commit {
  number: number;
  changes: Map<number, { collection: Collection; dirty: Map<number, Dirty> }>;
}

/** A view that so far sees the committed state of a snapshot. */
export function createView(collection: Collection, snapshot: number): View {
  return { collection, dirty: new Map(), entries: new Map(), insertedByOthers: new Map(), caughtUpTo: snapshot };
}

/** Takes in what others have committed since the snapshot: the old states stay visible here. */
export function catchUp(view: View, missed: Commit[], lastCommit: number): void {
  const { collection } = view;
  for (const { changes } of missed) {
    for (const [id, { base, visible }] of changes.get(collection.id)?.dirty ?? []) {
      if (!view.dirty.has(id)) setVisible(view, id, { own: false, base, visible: base });
      for (const index of collection.indexes) {
        if (!index.unique || visible === undefined) continue;
        let keys = view.insertedByOthers.get(index.id);
        if (keys === undefined) view.insertedByOthers.set(index.id, (keys = new Set()));
        for (const key of addedKeys(keysOf(visible, index), base, index)) keys.add(keyText(key));
      }
    }
  }
  view.caughtUpTo = lastCommit;
}

/** Sets what is visible of a record, and its entries in the indexes already read. */
export function setVisible(view: View, record: number, dirty: Dirty): void {
  const old = view.dirty.get(record)?.visible;
  view.dirty.set(record, dirty);
  for (const index of [view.collection.natural, ...view.collection.indexes]) {
    const entries = view.entries.get(index.id);
    if (entries === undefined) continue;
    if (old !== undefined) for (const key of keysOf(old, index)) removeEntry(entries, { key, record });
    addVisible(entries, index, record, dirty.visible);
  }
}

/** The entries of all dirty records in one index, in order. */
export function dirtyEntries(view: View, index: Index): KeyEntry[] {
  let entries = view.entries.get(index.id);
  if (entries === undefined) {
    view.entries.set(index.id, (entries = []));
    for (const [record, { visible }] of view.dirty) addVisible(entries, index, record, visible);
  }
  return entries;
}

/** The keys of a version that another one did not have. */
export function addedKeys(keys: Uint8Array[], other: Version | undefined, index: Index): Uint8Array[] {
  const old = other === undefined ? [] : keysOf(other, index);
  if (old === keys) return [];
  return old.length === 0 ? keys : keys.filter((key) => !old.some((known) => Buffer.compare(key, known) === 0));
}

/** A key as a string, for maps and sets. */
export function keyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

function addVisible(entries: KeyEntry[], index: Index, record: number, visible: Version | undefined): void {
  if (visible !== undefined) for (const key of keysOf(visible, index)) addEntry(entries, { key, record });
}
