import { CommandError } from '../errors.ts';
import { runPipeline } from './aggregate.ts';
import { compileArrayFilters, type ArrayFilters } from './array-filters.ts';
import { compareValues, identical } from './compare.ts';
import { compileMatch, type MatchDetails, type MatchOptions } from './match.ts';
import { fieldOf } from './path.ts';
import { set, updateOperators, type UpdateMoment } from './update-operators.ts';
import {
  applyAt,
  comparePaths,
  identifierOf,
  parsePath,
  refuseConflicts,
  refuseDollarFields,
  removed,
  type PathUpdate,
  type Positions,
} from './update-paths.ts';
import { asDocument, isDocument, typeName, type Document, type Value } from './values.ts';

export { upsertSeed } from './upsert-seed.ts';

/** How an update is meant; `stringOrder` puts a collation in force for array filters. */
export interface UpdateOptions extends MatchOptions {
  arrayFilters?: Document[];
  isUpsert?: boolean;
}

/** The filter that found the document (for `$`), and whether the document is being inserted by an upsert. */
export interface UpdateContext extends UpdateMoment {
  filter: Document;
}

/** Applies an update to one document, which stays as it is; `changed` is false when nothing differs. */
export type Updater = (document: Document, context: UpdateContext) => { doc: Document; changed: boolean };

/**
 * Compiles an update: operators, a replacement document or a pipeline. Throws 9 for unknown operators, 40 for paths in
 * conflict, 52 and 56 for bad names; the updater throws 66 when `_id` would change, 28 for paths through scalars, 14
 * and 2 for operators on values of a wrong type. Source: manual, "Update Operators" (recordings: update).
 */
export function compileUpdate(update: Document | Document[], options: UpdateOptions = {}): Updater {
  const apply = compileKind(update, options);
  return (document, context) => {
    const result = apply(document, context);
    refuseNewId(document, result, isReplacement(update));
    const doc = context.isInsert ? withIdFirst(result) : result;
    return { doc, changed: result !== document };
  };
}

/** True for an update that replaces the whole document; those do not go with `multi`. */
export function isReplacement(update: Document | Document[]): boolean {
  return !Array.isArray(update) && !(Object.keys(update)[0]?.startsWith('$') ?? false);
}

type Apply = (document: Document, context: UpdateContext) => Document;

function compileKind(update: Document | Document[], options: UpdateOptions): Apply {
  if (Array.isArray(update)) return compilePipeline(update);
  return isReplacement(update) ? compileReplacement(update) : compileOperators(update, options);
}

function compilePipeline(stages: Document[]): Apply {
  const allowed = ['$set', '$addFields', '$unset', '$project', '$replaceWith'];
  for (const stage of stages) {
    const [name = ''] = Object.keys(stage);
    if (allowed.includes(name)) continue;
    const known = ['$match', '$sort', '$limit', '$skip', '$group', '$unwind', '$lookup', '$count', '$facet', '$out'];
    if (!known.includes(name)) throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
    throw new CommandError(72, `${name} is not allowed to be used within an update`);
  }
  // Compiled once on nothing, so that a faulty pipeline fails whatever it meets.
  runPipeline([], stages, { read: () => [], now: new Date(0) });
  return (document, { now }) => {
    const [result = document] = runPipeline([document], stages, { read: () => [], now });
    const kept = !('_id' in result) && '_id' in document ? { _id: document['_id'], ...result } : result;
    return identical(kept, document) ? document : kept;
  };
}

function compileReplacement(replacement: Document): Apply {
  for (const [field, value] of Object.entries(replacement)) {
    if (field.startsWith('$')) {
      throw new CommandError(52, `The dollar ($) prefixed field '${field}' in '${field}' is not valid for storage.`);
    }
    refuseDollarFields(value, field);
  }
  return (document) => {
    const id = '_id' in document ? { _id: document['_id'] } : {};
    const result = { ...id, ...withIdFirst(replacement) };
    return identical(result, document) ? document : result;
  };
}

function compileOperators(update: Document, options: UpdateOptions): Apply {
  const filters = compileArrayFilters(options.arrayFilters ?? [], options);
  const bind = Object.entries(update).flatMap(([operator, fields]) => compileOperator(operator, fields));
  refuseConflicts(bind.flatMap(({ paths }) => paths));
  const used = new Set(bind.flatMap(({ paths }) => paths.flatMap((path) => checkIdentifiers(path, filters))));
  for (const identifier of filters.keys()) {
    if (used.has(identifier)) continue;
    throw new CommandError(9, `The array filter for identifier '${identifier}' was not used in the update`);
  }
  return (document, context) => {
    const positions = positionsFor(document, context.filter, filters, options);
    const updates = bind.flatMap(({ updatesFor }) => updatesFor(document, context)).sort(comparePaths);
    return updates.reduce<Document>((current, one) => {
      const next = applyAt(current, one, positions);
      return next === removed ? current : (asDocument(next) ?? current);
    }, document);
  };
}

/** One operator on one field: the paths it touches and the path updates it comes down to for a document. */
interface BoundOperator {
  paths: string[];
  updatesFor: (document: Document, moment: UpdateMoment) => PathUpdate[];
}

function compileOperator(name: string, fields: Value): BoundOperator[] {
  const operator = updateOperators[name];
  if (operator === undefined && name !== '$rename') {
    throw new CommandError(
      9,
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDocument(fields)) {
    throw new CommandError(9, `Modifiers operate on fields but we found type ${typeName(fields)} instead.`);
  }
  if (Object.keys(fields).length === 0) {
    throw new CommandError(9, `'${name}' is empty. You must specify a field like so: {${name}: {<field>: ...}}`);
  }
  return Object.entries(fields).map(([path, argument]) => {
    if (operator === undefined) return compileRename(path, argument);
    const parts = parsePath(path);
    const changeFor = operator.compile(path, argument);
    return {
      paths: [path],
      updatesFor: (_document, moment) => [{ path, parts, creates: operator.creates, change: changeFor(moment) }],
    };
  });
}

function compileRename(source: string, target: Value): BoundOperator {
  if (typeof target !== 'string') {
    throw new CommandError(2, `The 'to' field for $rename must be a string: ${source}: ${typeName(target)}`);
  }
  const sourceParts = parsePath(source);
  const targetParts = parsePath(target);
  if (source === target) {
    throw new CommandError(2, `The source and target field for $rename must differ: ${source}: "${target}"`);
  }
  if (`${source}.`.startsWith(`${target}.`) || `${target}.`.startsWith(`${source}.`)) {
    throw new CommandError(2, `The source and target field for $rename must not be on the same path: ${source}`);
  }
  if ([...sourceParts, ...targetParts].some((part) => part.startsWith('$'))) {
    throw new CommandError(2, `The source and target field for $rename may not be dynamic: ${source}`);
  }
  return {
    paths: [source, target],
    updatesFor: (document) => {
      const value = renamed(document, sourceParts);
      renamed(document, targetParts.slice(0, -1));
      if (value === undefined) return [];
      const change = set(target, value);
      return [
        { path: target, parts: targetParts, creates: true, change },
        { path: source, parts: sourceParts, creates: false, change: () => removed },
      ];
    },
  };
}

/** The value at a path of `$rename`, which must not lead through arrays. */
function renamed(document: Document, parts: string[]): Value {
  return parts.reduce<Value>((value, part) => {
    if (Array.isArray(value)) throw new CommandError(2, 'The source field for $rename cannot be an array element');
    return fieldOf(value, part);
  }, document);
}

function checkIdentifiers(path: string, filters: ArrayFilters): string[] {
  const identifiers = path.split('.').flatMap((part) => identifierOf(part) ?? []);
  return identifiers.filter((identifier) => {
    if (identifier !== '' && !filters.has(identifier)) {
      throw new CommandError(2, `No array filter found for identifier '${identifier}' in path '${path}'`);
    }
    return identifier !== '';
  });
}

function positionsFor(document: Document, filter: Document, filters: ArrayFilters, options: MatchOptions): Positions {
  return {
    matched: () => {
      const details: MatchDetails = {};
      compileMatch(filter, options)(document, details);
      if (details.position !== undefined) return String(details.position);
      throw new CommandError(2, 'The positional operator did not find the match needed from the query.');
    },
    selects: (identifier, element) => filters.get(identifier)?.(element) ?? false,
  };
}

function refuseNewId(before: Document, after: Document, whole: boolean): void {
  if (before === after || !('_id' in before)) return;
  if ('_id' in after && compareValues(before['_id'], after['_id']) === 0) return;
  throw new CommandError(
    66,
    whole
      ? "After applying the update, the (immutable) field '_id' was found to have been altered"
      : "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

function withIdFirst(document: Document): Document {
  if (!('_id' in document) || Object.keys(document)[0] === '_id') return document;
  const { _id, ...rest } = document;
  return { _id, ...rest };
}
