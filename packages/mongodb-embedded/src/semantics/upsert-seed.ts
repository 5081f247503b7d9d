import { CommandError } from '../errors.ts';
import { asDocument, isBson, isDocument, type Document, type Value } from './values.ts';

/**
 * The document that an upsert starts from: the fields which the filter demands to equal a value, `_id` first; of a
 * filter for a replacement only `_id`. Throws 54 (NotSingleValueField) when paths overlap.
 * Source: manual, "Upsert Behavior" (recordings: update, upsert).
 */
export function upsertSeed(filter: Document, options: { isReplacement?: boolean } = {}): Document {
  const found = new Map<string, Value>();
  for (const [path, value] of equalFields(filter)) {
    if (options.isReplacement && path !== '_id' && !path.startsWith('_id.')) continue;
    refuseOverlap(path, found);
    found.set(path, value);
  }
  const id = found.get('_id');
  const seed: Document = id === undefined ? {} : { _id: id };
  for (const [path, value] of found) setPath(seed, path.split('.'), value);
  return seed;
}

function* equalFields(filter: Document): Generator<[string, Value]> {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' || (path === '$or' && Array.isArray(condition) && condition.length === 1)) {
      for (const part of Array.isArray(condition) ? condition : []) yield* equalFields(asDocument(part) ?? {});
    } else if (!path.startsWith('$')) {
      const value = demanded(condition);
      if (value !== undefined) yield [path, value];
    }
  }
}

function demanded(condition: Value): Value {
  if (isBson(condition, 'BSONRegExp')) return undefined;
  if (!isDocument(condition) || !Object.keys(condition)[0]?.startsWith('$')) return condition;
  if ('$eq' in condition) return condition['$eq'];
  const list = condition['$in'] ?? condition['$all'];
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  return isBson(only, 'BSONRegExp') || (isDocument(only) && '$elemMatch' in only) ? undefined : only;
}

function refuseOverlap(path: string, found: Map<string, Value>): void {
  for (const known of found.keys()) {
    if (known === path) throw new CommandError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    if (known.startsWith(`${path}.`) || path.startsWith(`${known}.`)) {
      throw new CommandError(54, `cannot infer query fields to set, both paths '${path}' and '${known}' are matched`);
    }
  }
}

/** The seed is ours until it is returned, so it may be filled in place. */
function setPath(seed: Document, parts: string[], value: Value): void {
  let target = seed;
  for (const part of parts.slice(0, -1)) {
    const next = target[part];
    if (isDocument(next)) target = next;
    else {
      const made: Document = {};
      target[part] = made;
      target = made;
    }
  }
  target[parts.at(-1) ?? ''] = value;
}
