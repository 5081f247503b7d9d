import { CommandError } from '../errors.ts';
import { integerOf } from './numbers.ts';
import { isNumeric, typeName, typeNumbers, type Value } from './values.ts';

/**
 * The test behind `$type` and `bsonType`: a name, a number or a list of them; `number` covers all numeric types.
 * Throws 2 (BadValue) for unknown types. Source: manual, "$type".
 */
export function compileTypeTest(argument: Value): (value: Value) => boolean {
  const wanted = new Set((Array.isArray(argument) ? argument : [argument]).flatMap(typeNamesOf));
  if (wanted.size === 0) throw new CommandError(9, '$type must match at least one type');
  const wantsText = wanted.has('string');
  return (value) => (typeof value === 'string' ? wantsText : value !== undefined && wanted.has(typeName(value)));
}

/** The type names that one entry of `$type` means. */
export function typeNamesOf(entry: Value): string[] {
  if (entry === 'number') return ['int', 'long', 'double', 'decimal'];
  if (typeof entry === 'string') {
    if (Object.hasOwn(typeNumbers, entry)) return [entry];
    throw new CommandError(2, `Unknown type name alias: ${entry}`);
  }
  if (!isNumeric(entry)) throw new CommandError(14, 'type must be represented as a number or a string');
  const number = integerOf(entry);
  const found = Object.entries(typeNumbers).find(([, known]) => known === number);
  if (found === undefined) throw new CommandError(2, `Invalid numerical type code: ${number ?? 'not whole'}`);
  return [found[0]];
}
