import { Double, Int32, Long, type Binary } from 'bson';
import { CommandError } from '../errors.ts';
import { compileMatch } from '../semantics/match.ts';
import { isDocument, isNumeric, type Document, type Value } from '../semantics/values.ts';

/** A unit of work that writes records and puts in unique keys. */
export interface Writer {
  /** Unique keys that it has put in, to be given free at its end. */
  held: { index: Index; key: string }[];
  /** Resolves when it has committed or aborted. */
  ended: Promise<void>;
}

/** An index and, while transactions are open, the unique keys they have put in without having committed. */
export interface Index {
  id: number;
  name: string;
  paths: string[];
  directions: (1 | -1)[];
  unique: boolean;
  sparse: boolean;
  partial: ((document: Document) => boolean) | undefined;
  /** The paths by which some document has more than one key here, because they lead into an array. */
  arrayPaths: Set<string>;
  /** How many of these are stored. */
  arrayPathsSaved: number;
  /** The fields of a document that its keys are made of; undefined where they may be made of any. */
  fields: Set<string> | undefined;
  /** The order of insertion, seen as an index of empty keys. It has no entries of its own. */
  natural: boolean;
  /** Hashed indexes serve equality alone. */
  hashed: boolean;
  /** How strings are folded before they are compared; undefined for the binary order. */
  fold: ((text: string) => string) | undefined;
  spec: Document;
  uncommitted: Map<string, Writer>;
}

/** A collection: its definition, and who is writing which of its records. */
export interface Collection {
  id: number;
  ns: string;
  database: string;
  name: string;
  uuid: Binary;
  options: Document;
  /** The _id index comes first. */
  indexes: Index[];
  natural: Index;
  validator: ((document: Document) => boolean) | undefined;
  nextRecord: number;
  /** Known from the first time that it is asked for. */
  count: number | undefined;
  writers: Map<number, Writer>;
  /** Number of the commit that last changed the definition: snapshots before it cannot use it. */
  definedAt: number;
}

// A record id is the collection's id and a serial number in 53 bits: one table holds all, a collection is a range.
const recordsPerCollection = 2 ** 33;

/** The record ids of a collection: from `from` up to but not including `to`. */
export function recordRange(collection: Collection): { from: number; to: number } {
  return { from: collection.id * recordsPerCollection, to: (collection.id + 1) * recordsPerCollection };
}

/** Sets a collection's options and what follows from them. Throws what an invalid validator throws. */
export function setOptions(collection: Collection, options: Document): void {
  const validator = options['validator'] as Document | undefined;
  collection.validator = validator === undefined ? undefined : compileMatch(validator);
  collection.options = options;
}

/** Throws 121 (DocumentValidationFailure) if the collection's validator refuses the document. */
export function validate(collection: Collection, after: Document, before: Document | undefined): void {
  const { validator, options } = collection;
  if (validator === undefined || options['validationLevel'] === 'off' || options['validationAction'] === 'warn') return;
  if (validator(after)) return;
  // The moderate level leaves alone what was invalid before.
  if (options['validationLevel'] === 'moderate' && before !== undefined && !validator(before)) return;
  throw new CommandError(121, 'Document failed validation');
}

/** A collection of these indexes, without options. */
export function buildCollection(id: number, ns: string, uuid: Binary, indexes: Index[]): Collection {
  const natural = { ...buildIndex({ key: {}, name: '$natural' }, 0, []), natural: true };
  return {
    ...{ id, uuid, indexes, natural, ...namesOf(ns), options: {} },
    ...{ validator: undefined, nextRecord: id * recordsPerCollection + 1, count: undefined },
    ...{ writers: new Map<number, Writer>(), definedAt: 0 },
  };
}

/** A namespace and its two parts. */
export function namesOf(ns: string): { ns: string; database: string; name: string } {
  const dot = ns.indexOf('.');
  return { ns, database: ns.slice(0, dot), name: ns.slice(dot + 1) };
}

/** An index as its specification describes it. */
export function buildIndex(spec: Document, id: number, arrayPaths: readonly string[]): Index {
  const key = spec['key'] as Document;
  const partial = spec['partialFilterExpression'] as Document | undefined;
  return {
    ...{
      id,
      arrayPaths: new Set(arrayPaths),
      arrayPathsSaved: arrayPaths.length,
      spec,
      name: spec['name'] as string,
      paths: Object.keys(key),
      natural: false,
    },
    fields: fieldsOf([...Object.keys(key), ...Object.keys(partial ?? {})]),
    directions: Object.values(key).map((direction) => (isDescending(direction) ? -1 : 1)),
    unique: isSet(spec['unique']) || spec['name'] === '_id_',
    sparse: isSet(spec['sparse']),
    hashed: Object.values(key).includes('hashed'),
    partial: partial === undefined ? undefined : compileMatch(partial),
    fold: foldOf(spec['collation']),
    uncommitted: new Map(),
  };
}

/** The first names of paths; an operator among them may read any field. */
function fieldsOf(paths: string[]): Set<string> | undefined {
  if (paths.some((path) => path.startsWith('$'))) return undefined;
  return new Set(paths.map((path) => path.split('.')[0] ?? ''));
}

/** A flag given as true or as a number other than zero. */
function isSet(flag: Value): boolean {
  return flag === true || (isNumeric(flag) && Number(flag.toString()) !== 0);
}

function isDescending(direction: Value): boolean {
  return (
    (direction instanceof Int32 || direction instanceof Double || direction instanceof Long) && Number(direction) < 0
  );
}

/** Collations matter to unique keys alone: strength 1 knows neither case nor accents, strength 2 no case. */
function foldOf(collation: Value): Index['fold'] {
  if (!isDocument(collation)) return undefined;
  const strength = Number(collation['strength'] ?? 3);
  if (strength === 1) return (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return strength === 2 ? (text) => text.normalize('NFD').toLowerCase() : undefined;
}
