import { CommandError, shown } from '../errors.ts';
import { encodeKey } from '../semantics/compare.ts';
import { indexKeys } from '../semantics/path.ts';
import type { Document, Value } from '../semantics/values.ts';
import type { Index, Writer } from './collection.ts';
import { nextEntry } from './sorted-keys.ts';
import type { Store } from './store.ts';
import { addedKeys, dirtyEntries, keyText, type View } from './view.ts';
import { keysOf, type Version } from './version.ts';

/** A record about to be written. */
export interface Candidate {
  record: number;
  before: Version | undefined;
  after: Version;
}

/**
 * Takes the unique keys that a record newly needs. Under the _id index a visible holder is a duplicate before all
 * else; under others a key put in meanwhile by another transaction is a conflict even if it is visible too.
 * Throws 11000 (DuplicateKey) or what `conflict` throws (recordings: transactions, indexes).
 */
export function holdUniqueKeys(
  store: Store,
  writer: Writer,
  view: View,
  index: Index,
  candidate: Candidate,
  conflict: (other: Writer | undefined) => never,
): void {
  const isIdIndex = index.name === '_id_';
  for (const key of addedKeys(keysOf(candidate.after, index), candidate.before, index)) {
    const text = keyText(key);
    if (isIdIndex) refuseDuplicate(store, view, index, candidate, key);
    const holder = index.uncommitted.get(text);
    if (holder !== undefined && holder !== writer) conflict(holder);
    if (view.insertedByOthers.get(index.id)?.has(text)) conflict(undefined);
    if (!isIdIndex) refuseDuplicate(store, view, index, candidate, key);
    index.uncommitted.set(text, writer);
    writer.held.push({ index, key: text });
  }
}

/** The error of a key that is there already, with the key as the document has it. */
export function duplicateKey(ns: string, index: Index, document: Document, key: Uint8Array): CommandError {
  const tuples = indexKeys(document, index.paths);
  const tuple = tuples.find((values) => Buffer.compare(encodeKey(values, index.directions), key) === 0) ?? tuples[0];
  const keyValue = Object.fromEntries(index.paths.map((path, at) => [path, tuple?.[at] ?? null]));
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: { ${shown.join(', ')} }`,
    { extra: { keyPattern: index.spec['key'] as Document, keyValue } },
  );
}

function refuseDuplicate(store: Store, view: View, index: Index, { record, after }: Candidate, key: Uint8Array): void {
  const own = nextEntry(dirtyEntries(view, index), key, -1, false);
  const isOwn = own !== undefined && own.record !== record && Buffer.compare(own.key, key) === 0;
  const holder = isOwn ? undefined : store.holderOf(index.id, key);
  const isCommitted = holder !== undefined && holder !== record && !view.dirty.has(holder);
  if (isOwn || isCommitted) throw duplicateKey(view.collection.ns, index, after.document, key);
}

function show(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value !== null && typeof value === 'object' && !('_bsontype' in value)) return JSON.stringify(value);
  return shown(value);
}
