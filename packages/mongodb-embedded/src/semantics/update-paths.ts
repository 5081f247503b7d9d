import { CommandError } from '../errors.ts';
import { compareStrings } from './compare.ts';
import { isPosition } from './path.ts';
import { asDocument, isDocument, type Document, type Value } from './values.ts';

/** What an operator makes of a field: a new value, `removed`, or the value it was given (undefined when missing). */
export type Change = (current: Value) => Value | typeof removed;

/** The mark for a field to be taken away; in an array its place becomes null. */
export const removed: unique symbol = Symbol('removed');

/** One operator on one path; `creates` tells whether it makes missing fields. */
export interface PathUpdate {
  path: string;
  parts: string[];
  creates: boolean;
  change: Change;
}

/** How positional parts of a path (`$`, `$[]`, `$[id]`) choose elements. */
export interface Positions {
  /** The position that the query matched. Throws 2 when there is none. */
  matched: () => string;
  /** Whether the array filter of that identifier selects an element. */
  selects: (identifier: string, element: Value) => boolean;
}

/** Splits an update path. Throws 56 for empty names, 52 for names with a leading dollar, 2 for a misplaced `$`. */
export function parsePath(path: string): string[] {
  if (path === '') throw new CommandError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') {
      throw new CommandError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
    }
    if (part.startsWith('$') && !isPositional(part)) {
      throw new CommandError(52, `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`);
    }
  }
  if (isPositional(parts[0] ?? '')) {
    throw new CommandError(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  }
  if (parts.filter((part) => part === '$').length > 1) {
    throw new CommandError(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  return parts;
}

/** The identifier in `$[identifier]`; empty for `$[]`; undefined for any other part. */
export function identifierOf(part: string): string | undefined {
  return part.startsWith('$[') && part.endsWith(']') ? part.slice(2, -1) : undefined;
}

/** Throws 40 (ConflictingUpdateOperators) when two paths are equal or one leads through the other. */
export function refuseConflicts(paths: string[]): void {
  const sorted = paths.map((path) => `${path}.`).sort();
  sorted.forEach((path, index) => {
    const next = sorted.slice(index + 1).find((other) => other.startsWith(path));
    if (next === undefined) return;
    throw new CommandError(
      40,
      `Updating the path '${next.slice(0, -1)}' would create a conflict at '${path.slice(0, -1)}'`,
    );
  });
}

/** MongoDB's order of updates, and so of new fields: by path, name by name. */
export function comparePaths(left: PathUpdate, right: PathUpdate): number {
  for (let index = 0; index < Math.min(left.parts.length, right.parts.length); index++) {
    const order = compareStrings(left.parts[index] ?? '', right.parts[index] ?? '');
    if (order !== 0) return order;
  }
  return left.parts.length - right.parts.length;
}

/**
 * The value with one update applied; the very same value when nothing changes. Never mutates. Throws 28
 * (PathNotViable) when a field would have to be made inside a scalar, 2 for positional parts off arrays.
 */
export function applyAt(value: Value, update: PathUpdate, positions: Positions, depth = 0): Value | typeof removed {
  const name = update.parts[depth];
  if (name === undefined) return update.change(value);
  const part = name === '$' ? positions.matched() : name;
  const identifier = identifierOf(part);
  if (identifier !== undefined) return applyToElements(value, update, positions, depth, identifier);
  if (value === undefined) return create(part, applyAt(undefined, update, positions, depth + 1));
  const document = asDocument(value);
  if (document !== undefined) return applyToField(value, document, part, update, positions, depth);
  if (Array.isArray(value) && isPosition(part)) return applyToPosition(value, Number(part), update, positions, depth);
  if (!update.creates) return value;
  throw new CommandError(28, `Cannot create field '${part}' in element {${update.parts[depth - 1] ?? ''}: ...}`);
}

/** Throws 52 when a value to be stored has field names with a leading dollar. */
export function refuseDollarFields(value: Value, path: string): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      refuseDollarFields(element, `${path}.${index}`);
    });
  }
  if (!isDocument(value)) return;
  for (const [field, inner] of Object.entries(value)) {
    if (field.startsWith('$')) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${field}' in '${path}.${field}' is not valid for storage.`,
      );
    }
    refuseDollarFields(inner, `${path}.${field}`);
  }
}

const paddingMax = 1_500_000;

function isPositional(part: string): boolean {
  return part === '$' || identifierOf(part) !== undefined;
}

function create(part: string, inner: Value | typeof removed): Value {
  return inner === undefined || inner === removed ? undefined : { [part]: inner };
}

function applyToField(
  value: Value,
  document: Document,
  part: string,
  update: PathUpdate,
  positions: Positions,
  depth: number,
): Value {
  const current = Object.hasOwn(document, part) ? document[part] : undefined;
  const next = applyAt(current, update, positions, depth + 1);
  if (next === current) return value;
  if (next !== removed) return { ...document, [part]: next };
  const { [part]: _gone, ...rest } = document;
  return rest;
}

function applyToPosition(
  array: Value[],
  index: number,
  update: PathUpdate,
  positions: Positions,
  depth: number,
): Value {
  const current = array[index];
  const next = applyAt(current, update, positions, depth + 1);
  if (next === current) return array;
  if (index - array.length > paddingMax)
    throw new CommandError(2, `Cannot backfill array to larger than ${paddingMax}`);
  const copy = [...array];
  while (copy.length < index) copy.push(null);
  copy[index] = next === removed ? null : next;
  return copy;
}

function applyToElements(
  value: Value,
  update: PathUpdate,
  positions: Positions,
  depth: number,
  identifier: string,
): Value {
  const path = update.parts.slice(0, depth).join('.');
  if (value === undefined) {
    throw new CommandError(2, `The path '${path}' must exist in the document in order to apply array updates.`);
  }
  if (!Array.isArray(value)) throw new CommandError(2, `Cannot apply array updates to non-array element ${path}`);
  const next = value.map((element) => {
    if (identifier !== '' && !positions.selects(identifier, element)) return element;
    const result = applyAt(element, update, positions, depth + 1);
    return result === removed ? null : result;
  });
  return next.some((element, index) => element !== value[index]) ? next : value;
}
