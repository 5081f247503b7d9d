import { Int32 } from 'bson';
import { CommandError, shown } from '../errors.ts';
import { compareValues } from '../semantics/compare.ts';
import { compileMatch } from '../semantics/match.ts';
import { isDocument, isNumeric, typeName, type Document, type Value } from '../semantics/values.ts';
import type { Collection, Index } from '../storage/collection.ts';

const options = [
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'collation',
  'background',
  'hidden',
];
/** Options in which two indexes on the same key may not differ. */
const distinguishing = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'collation'];

/** Checks an index specification and completes it. Throws 9, 14, 67 or 197 (recordings: indexes). */
export function readIndexSpec(value: Value): Document {
  if (!isDocument(value)) throw new CommandError(14, 'The elements of the indexes array must be objects');
  const { key, name } = value;
  if (key === undefined) throw new CommandError(9, "The 'key' field is a required property of an index specification");
  if (!isDocument(key)) throw new CommandError(14, "The field 'key' must be an object");
  if (name !== undefined && typeof name !== 'string') throw new CommandError(14, "The field 'name' must be a string");
  if (name === undefined)
    throw new CommandError(9, "The 'name' field is a required property of an index specification");
  if (name === '' || name === '*') throw new CommandError(67, `The index name '${name}' is not valid`);
  checkKey(key);
  const isId = Object.keys(key).length === 1 && '_id' in key;
  for (const field of Object.keys(value)) {
    if (['v', 'ns', 'key', 'name'].includes(field)) continue;
    if (!options.includes(field) || (isId && field !== 'collation' && field !== 'background')) {
      const where = isId ? 'an _id index specification' : 'an index specification';
      throw new CommandError(197, `The field '${field}' is not valid for ${where}`);
    }
  }
  for (const flag of ['unique', 'sparse', 'background']) {
    const setting = value[flag];
    if (setting !== undefined && typeof setting !== 'boolean' && !isNumeric(setting)) {
      throw new CommandError(14, `The field '${flag}' must be a bool`);
    }
  }
  checkExpiry(value['expireAfterSeconds'], key);
  checkPartial(value);
  const { collation, ...others } = Object.fromEntries(options.filter((o) => o in value).map((o) => [o, value[o]]));
  const spec: Document = { v: new Int32(2), key, name: isId ? '_id_' : name, ...others };
  if (isDocument(collation) && collation['locale'] !== 'simple') spec['collation'] = completeCollation(collation);
  return spec;
}

/** True if the index is there already. Throws 85 or 86 if another one is in its way. */
export function alreadyExists({ indexes }: Collection, spec: Document): boolean {
  const sameName = indexes.find(({ name }) => name === spec['name']);
  const sameKey = indexes.find((index) => compareValues(index.spec['key'], spec['key']) === 0);
  if (sameKey === undefined && sameName !== undefined) {
    throw new CommandError(86, `Index must have unique name. The existing index ${sameName.name} has another key`);
  }
  if (sameKey === undefined) return false;
  const isEqual = distinguishing.every((option) => isSameOption(sameKey, spec, option));
  if (!isEqual)
    throw new CommandError(85, `Index with name: ${shown(spec['name'])} already exists with different options`);
  if (sameKey !== sameName) {
    throw new CommandError(85, `Index with name: ${shown(spec['name'])} already exists with a different name`);
  }
  return true;
}

function isSameOption(index: Index, spec: Document, option: string): boolean {
  return compareValues(index.spec[option] ?? false, spec[option] ?? false) === 0;
}

function checkKey(key: Document): void {
  if (Object.keys(key).length === 0) throw new CommandError(67, 'Index keys cannot be empty.');
  for (const [path, direction] of Object.entries(key)) {
    if (path === '' || path.startsWith('$') || path.split('.').includes('')) {
      throw new CommandError(67, `Index key '${path}' is not valid`);
    }
    if (direction === 'hashed') continue;
    if (typeof direction === 'string') throw new CommandError(67, `Unknown index plugin '${direction}'`);
    if (!isNumeric(direction)) {
      throw new CommandError(67, `Values in v:2 index key pattern cannot be of type ${typeName(direction)}`);
    }
    const number = Number(direction.toString());
    if (number === 0 || Number.isNaN(number))
      throw new CommandError(67, 'Values in the index key pattern cannot be 0.');
  }
}

function checkExpiry(seconds: Value, key: Document): void {
  if (seconds === undefined) return;
  if (!isNumeric(seconds)) {
    throw new CommandError(67, `TTL index 'expireAfterSeconds' must be numeric, not of type '${typeName(seconds)}'`);
  }
  if (Number(seconds.toString()) < 0)
    throw new CommandError(67, "TTL index 'expireAfterSeconds' cannot be less than 0");
  if (Object.keys(key).length > 1) {
    throw new CommandError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
}

function checkPartial(spec: Document): void {
  const filter = spec['partialFilterExpression'];
  if (filter === undefined) return;
  if (!isDocument(filter)) throw new CommandError(67, '"partialFilterExpression" for an index must be a document');
  if (spec['sparse'] === true) {
    throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  const allowed = ['$eq', '$gt', '$gte', '$lt', '$lte', '$exists', '$type', '$in'];
  for (const [path, condition] of Object.entries(filter)) {
    const names = isDocument(condition) ? Object.keys(condition).filter((name) => name.startsWith('$')) : [];
    const isAllowed = !path.startsWith('$') || path === '$and';
    if (
      !isAllowed ||
      names.some((name) => !allowed.includes(name)) ||
      (isDocument(condition) && condition['$exists'] === false)
    ) {
      throw new CommandError(67, `Expression not supported in partial index: ${path}`);
    }
  }
  compileMatch(filter);
}

/** A collation as it is listed: with all of its settings. */
function completeCollation(collation: Document): Document {
  const { locale, strength, ...rest } = collation;
  return {
    ...{ locale, caseLevel: false, caseFirst: 'off', strength: strength ?? new Int32(3), numericOrdering: false },
    ...{ alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards: false },
    ...rest,
    version: '57.1',
  };
}
