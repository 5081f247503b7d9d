import { compileExpression, isTrue, type Expression, type Variables } from './expressions.ts';
import { fail } from './expression-types.ts';
import { exclude, fieldTree } from './field-tree.ts';
import type { Stage } from './stage-types.ts';
import { asDocument, isDocument, isNumeric, typeName, type Document, type Value } from './values.ts';

/** `$project`: inclusion with computed fields, or exclusion. Throws 40177 to 40182 for a mix or nothing. */
export function compileProject(specification: Value): Stage {
  if (!isDocument(specification)) return fail(15969, '$project specification must be an object');
  const entries = flatten(specification, '');
  if (entries.length === 0) fail(40177, 'Invalid $project :: caused by :: specification must have at least one field');
  const decisive = entries.find(([path, value]) => path !== '_id' || !isSwitch(value)) ?? entries[0];
  const excluding = decisive !== undefined && isSwitch(decisive[1]) && !isTrue(decisive[1]);
  for (const [path, value] of entries) {
    if (path === '_id') continue;
    if (excluding && !isSwitch(value))
      fail(
        40182,
        'Bad projection specification, cannot include fields or add computed fields during an exclusion projection',
      );
    if (excluding && isTrue(value))
      fail(
        40179,
        'Bad projection specification, cannot include fields or add computed fields during an exclusion projection',
      );
    if (!excluding && isSwitch(value) && !isTrue(value)) {
      fail(40178, "Bad projection specification, cannot exclude fields other than '_id' in an inclusion projection");
    }
  }
  if (excluding) {
    const tree = fieldTree(entries.filter(([, value]) => !isTrue(value)).map(([path]) => path));
    return function* project(input) {
      for (const document of input) yield exclude(document, tree);
    };
  }
  const shape: Shape = new Map();
  if (!entries.some(([path]) => path === '_id' || path.startsWith('_id.'))) shape.set('_id', 'kept');
  for (const [path, value] of entries) {
    if (isSwitch(value) && !isTrue(value)) continue;
    place(shape, path.split('.'), isSwitch(value) ? 'kept' : compileExpression(value));
  }
  return function* project(input, { variables }) {
    for (const document of input) yield applyShape(document, shape, document, variables, false);
  };
}

/** `$addFields` and `$set`: computed fields, in place of existing ones or at the end. */
export function compileAddFields(specification: Value): Stage {
  if (!isDocument(specification)) {
    return fail(40272, `$addFields specification stage must be an object, got ${typeName(specification)}`);
  }
  const shape: Shape = new Map();
  const entries = flatten(specification, '');
  if (entries.length === 0)
    fail(40177, 'Invalid $addFields :: caused by :: specification must have at least one field');
  for (const [path, value] of entries) place(shape, path.split('.'), compileExpression(value));
  return function* addFields(input, { variables }) {
    for (const document of input) yield applyShape(document, shape, document, variables, true);
  };
}

/** `$unset`: takes away a list of fields; as recorded, a single string is refused (31002). */
export function compileUnset(specification: Value): Stage {
  if (!Array.isArray(specification)) return fail(31002, '$unset specification must be an array');
  if (specification.length === 0) fail(31119, '$unset specification must be an array with at least one field');
  const tree = fieldTree(
    specification.map((path) =>
      typeof path === 'string' ? path : fail(31120, '$unset specification must be strings'),
    ),
  );
  return function* unset(input) {
    for (const document of input) yield exclude(document, tree);
  };
}

/** `$replaceWith`: the document that an expression gives (else 40228). */
export function compileReplaceWith(newRoot: Value): Stage {
  const evaluate = compileExpression(newRoot);
  return function* replaceWith(input, { variables }) {
    for (const document of input) {
      const value = evaluate(document, variables);
      yield (
        asDocument(value) ?? fail(40228, `'newRoot' expression must evaluate to an object, but got ${typeName(value)}`)
      );
    }
  };
}

/** Fields of a new document: kept as they are, computed, or a shape of their own. */
type Shape = Map<string, 'kept' | Expression | Shape>;

/** Paths with their values; documents that are no expressions are only a way to write longer paths. */
function flatten(specification: Document, prefix: string): [string, Value][] {
  return Object.entries(specification).flatMap(([field, value]): [string, Value][] => {
    if (field === '') fail(40352, 'FieldPath cannot be constructed with empty string');
    const path = `${prefix}${field}`;
    if (!isDocument(value) || Object.keys(value)[0]?.startsWith('$')) return [[path, value]];
    if (Object.keys(value).length === 0) fail(40180, `an empty object is not a valid value: ${path}`);
    return flatten(value, `${path}.`);
  });
}

function isSwitch(value: Value): boolean {
  return typeof value === 'boolean' || isNumeric(value);
}

function place(shape: Shape, parts: string[], leaf: 'kept' | Expression): void {
  const [part = '', ...rest] = parts;
  const known = shape.get(part);
  if (rest.length === 0) {
    if (known !== undefined) fail(40176, `specification contains two conflicting paths at '${part}'`);
    shape.set(part, leaf);
    return;
  }
  if (known !== undefined && !(known instanceof Map)) {
    fail(40176, `specification contains two conflicting paths at '${part}'`);
  }
  const inner: Shape = known instanceof Map ? known : new Map<string, never>();
  shape.set(part, inner);
  place(inner, rest, leaf);
}

/** A document in a shape: kept fields in the document's order, then the computed ones in the order of the shape. */
function applyShape(
  document: Document,
  shape: Shape,
  root: Document,
  variables: Variables,
  keepOthers: boolean,
): Document {
  const result: Document = {};
  const computed: Document = {};
  for (const [field, leaf] of shape) {
    if (leaf === 'kept') continue;
    const value =
      leaf instanceof Map ? applyInside(document[field], leaf, root, variables, keepOthers) : leaf(root, variables);
    computed[field] = value;
  }
  for (const [field, value] of Object.entries(document)) {
    const leaf = shape.get(field);
    if (leaf === undefined ? keepOthers : leaf === 'kept') result[field] = value;
    // A field computed anew keeps its place only where all others stay, or where it is only narrowed.
    else if (leaf !== undefined && (keepOthers || leaf instanceof Map) && computed[field] !== undefined) {
      result[field] = computed[field];
    }
  }
  for (const [field, value] of Object.entries(computed)) {
    if (value !== undefined && !(field in result)) result[field] = value;
  }
  return result;
}

function applyInside(value: Value, shape: Shape, root: Document, variables: Variables, keepOthers: boolean): Value {
  if (Array.isArray(value)) {
    return value
      .map((element) => applyInside(element, shape, root, variables, keepOthers))
      .filter((element) => element !== undefined);
  }
  const document = asDocument(value);
  const computes = hasComputed(shape);
  if (document === undefined && !computes) return undefined;
  const result = applyShape(document ?? {}, shape, root, variables, keepOthers);
  return document === undefined && Object.keys(result).length === 0 ? undefined : result;
}

function hasComputed(shape: Shape): boolean {
  return [...shape.values()].some((leaf) => (leaf instanceof Map ? hasComputed(leaf) : leaf !== 'kept'));
}
