import { onDemand } from 'bson';
import { isDocument, type Document, type Value } from './values.ts';

/** Fields of a document itself: those of these names alone, or all but those. */
export interface FieldSelection {
  /** As they stand in a document's bytes. */
  names: readonly Uint8Array[];
  including: boolean;
}

/** An encoded document with some of its fields, in their order: cut out of its bytes, which takes a tenth of decoding it. */
export function selectFields(bytes: Uint8Array, { names, including }: FieldSelection): Uint8Array {
  const selected = Buffer.allocUnsafe(bytes.length);
  let at = 4;
  let keptFrom = at;
  let end = at;
  const copyKept = (): void => {
    if (keptFrom === end) return;
    selected.set(bytes.subarray(keptFrom, end), at);
    at += end - keptFrom;
  };
  for (const [, nameAt, nameLength, valueAt, valueLength] of onDemand.parseToElements(bytes)) {
    const isKept = names.some((name) => isNameAt(bytes, nameAt, nameLength, name)) === including;
    if (!isKept) {
      copyKept();
      keptFrom = valueAt + valueLength;
    }
    end = valueAt + valueLength;
  }
  copyKept();
  selected[at++] = 0;
  selected.writeInt32LE(at, 0);
  return selected.subarray(0, at);
}

/** The fields that a filter looks at; undefined where it may look at any. */
export function fieldsOfFilter(filter: Document): FieldSelection | undefined {
  const paths = [...pathsOf(filter)];
  if (paths.includes(undefined)) return undefined;
  const names = new Set(paths.map((path = '') => path.split('.')[0] ?? ''));
  return { names: [...names].map((name) => Buffer.from(name)), including: true };
}

function* pathsOf(filter: Document): Generator<string | undefined> {
  for (const [name, condition] of Object.entries(filter)) {
    if (!name.startsWith('$')) yield name;
    else if (isLogical(name, condition)) for (const part of condition) yield* pathsOf(part);
    else yield undefined;
  }
}

function isLogical(name: string, condition: Value): condition is Document[] {
  return ['$and', '$or', '$nor'].includes(name) && Array.isArray(condition) && condition.every(isDocument);
}

function isNameAt(bytes: Uint8Array, at: number, length: number, name: Uint8Array): boolean {
  if (name.length !== length) return false;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== name[index]) return false;
  return true;
}
