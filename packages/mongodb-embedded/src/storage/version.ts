import { serialize } from 'bson';
import { CommandError } from '../errors.ts';
import { encodeKey } from '../semantics/compare.ts';
import { indexKeys, leadsIntoArray } from '../semantics/path.ts';
import { selectFields, type FieldSelection } from '../semantics/select-fields.ts';
import { isDocument, type Document, type Value } from '../semantics/values.ts';
import { decodeDocument } from '../wire/message.ts';
import type { Index } from './collection.ts';

/** One state of a record: its bytes as stored, the document in them, and its keys in each index once asked for. */
export interface Version {
  readonly bytes: Uint8Array;
  readonly document: Document;
  keys: Map<number, Uint8Array[]> | undefined;
  /** The document, or no more of it than these fields. */
  partOf(fields: FieldSelection): Document;
}

const documentBytesMax = 16 * 1024 * 1024;
const keyOfNaturalOrder = new Uint8Array(0);

/** A version of stored bytes. The document is decoded at first use, for a row may be skipped by its record id alone. */
export function storedVersion(bytes: Uint8Array): Version {
  return new StoredVersion(bytes);
}

class StoredVersion implements Version {
  readonly bytes: Uint8Array;
  // Most versions are only read: they never need a map.
  keys: Version['keys'] = undefined;
  #document: Document | undefined = undefined;
  #isKnown = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get document(): Document {
    return (this.#document ??= decodeDocument(this.bytes));
  }

  partOf(fields: FieldSelection): Document {
    // What is looked at a second time is kept, and will be looked at again: then all of it is decoded once and for all.
    const isFirst = !this.#isKnown && this.#document === undefined;
    this.#isKnown = true;
    return isFirst ? decodeDocument(selectFields(this.bytes, fields)) : this.document;
  }
}

/**
 * A version to be written, of a document and, where they are known, its bytes. Throws `tooLarge`, by default 17419 (what
 * an update answers), above 16 MB.
 */
export function newVersion(document: Document, tooLarge = 17419, bytes: Uint8Array = serialize(document)): Version {
  if (bytes.length > documentBytesMax) {
    throw new CommandError(tooLarge, `object too large. size in bytes: ${bytes.length}, max size: ${documentBytesMax}`);
  }
  return { bytes, document, keys: undefined, partOf: () => document };
}

/** The keys under which an index holds a version: none if a sparse or partial index leaves it out. */
export function keysOf(version: Version, index: Index): Uint8Array[] {
  const known = (version.keys ??= new Map<number, Uint8Array[]>());
  let keys = known.get(index.id);
  if (keys === undefined) known.set(index.id, (keys = computeKeys(version.document, index)));
  return keys;
}

/** Notes by which of an index's paths this version has more than one key there. */
export function noteArrays(index: Index, version: Version): void {
  if (index.arrayPaths.size === index.paths.length || keysOf(version, index).length < 2) return;
  for (const path of index.paths) if (leadsIntoArray(version.document, path)) index.arrayPaths.add(path);
}

/** Takes over the keys of the version before in an index none of whose fields has changed: a change keeps the rest. */
export function inheritKeys(after: Version, before: Version, index: Index): void {
  if (index.fields === undefined || after.keys?.has(index.id)) return;
  for (const field of index.fields) if (after.document[field] !== before.document[field]) return;
  (after.keys ??= new Map<number, Uint8Array[]>()).set(index.id, keysOf(before, index));
}

function computeKeys(document: Document, index: Index): Uint8Array[] {
  if (index.natural) return [keyOfNaturalOrder];
  if (index.partial !== undefined && !index.partial(document)) return [];
  if (index.sparse && !index.paths.some((path) => hasPath(document, path.split('.')))) return [];
  const { fold } = index;
  const tuples = indexKeys(document, index.paths);
  const folded = fold === undefined ? tuples : tuples.map((values) => values.map((value) => foldValue(value, fold)));
  return folded.map((values) => encodeKey(values, index.directions));
}

function foldValue(value: Value, fold: (text: string) => string): Value {
  if (typeof value === 'string') return fold(value);
  if (Array.isArray(value)) return value.map((element) => foldValue(element, fold));
  if (!isDocument(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, foldValue(field, fold)]));
}

function hasPath(value: unknown, parts: string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return true;
  if (Array.isArray(value)) return value.some((element) => hasPath(element, parts));
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return false;
  return hasPath((value as Document)[part], rest);
}
