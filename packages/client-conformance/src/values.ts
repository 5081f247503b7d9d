import type { Json, JsonObject } from './case.ts';
import { isList, isObject } from './write-out.ts';

/** A case as it is written, for each row of its table; without one, for itself. */
export function rowsOf(written: JsonObject, values: JsonObject): JsonObject[] {
  const { each, ...one } = written;
  const table = typeof each === 'string' ? values[each] : (each ?? [{}]);
  return (table as readonly JsonObject[]).map((row) => filled(one, { ...values, ...row }, row) as JsonObject);
}

/**
 * Puts values where their names stand: `{ "$of": "name" }` is the value, with the members beside it added, and `{name}` in a
 * text that of a row.
 */
function filled(written: Json, values: JsonObject, row: JsonObject): Json {
  if (typeof written === 'string') {
    return written.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = row[name];
      return typeof value === 'string' ? value : whole;
    });
  }
  if (isList(written)) return written.map((element) => filled(element, values, row));
  if (!isObject(written)) return written;
  const { $of: name, ...beside } = written;
  const members = Object.fromEntries(
    Object.entries(beside).map(([member, value]) => [member, filled(value, values, row)]),
  );
  if (typeof name !== 'string') return members;
  const value = values[name];
  if (value === undefined) throw new Error(`There is no value "${name}".`);
  const whole = filled(value, values, row);
  return isObject(whole) ? { ...whole, ...members } : whole;
}
