import { Int32 } from 'bson';
import { accumulators, type Accumulator } from './accumulators.ts';
import { compareValues, keyText } from './compare.ts';
import { compileExpression, type Expression } from './expressions.ts';
import { fail } from './expression-types.ts';
import type { Stage } from './stage-types.ts';
import { isDocument, type Document, type Value } from './values.ts';

/** `$group`: one document for each different `_id`, in the order of their first appearance. */
export function compileGroup(specification: Value): Stage {
  if (!isDocument(specification)) return fail(15947, "a group's fields must be specified in an object");
  if (!('_id' in specification)) return fail(15955, 'a group specification must include an _id');
  const identify = compileExpression(specification['_id']);
  const fields = Object.entries(specification)
    .filter(([name]) => name !== '_id')
    .map(([name, value]) => compileField(name, value));
  return function* group(input, { variables }) {
    const groups = new Map<string, Group>();
    for (const document of input) {
      const id = identify(document, variables) ?? null;
      const key = keyText(id);
      let found = groups.get(key);
      if (found === undefined) {
        found = { id, accumulators: fields.map(({ create }) => create()) };
        groups.set(key, found);
      }
      for (const [index, { evaluate }] of fields.entries()) {
        found.accumulators[index]?.add(evaluate(document, variables));
      }
    }
    for (const { id, accumulators: gathered } of groups.values()) {
      const results = fields.map(({ name }, index) => [name, gathered[index]?.result()] as const);
      yield { _id: id, ...Object.fromEntries(results) };
    }
  };
}

/** `$count`: one document with the number of documents, none when there are none. */
export function compileCount(specification: Value): Stage {
  if (typeof specification !== 'string') return fail(40156, 'the count field must be a non-empty string');
  if (specification === '') fail(40157, 'the count field must be a non-empty string');
  if (specification.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (specification.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* count(input) {
    const number = Array.from(input).length;
    if (number > 0) yield { [specification]: new Int32(number) };
  };
}

/** `$sortByCount`: groups with their sizes, the greatest first. */
export function compileSortByCount(specification: Value): Stage {
  const isPath = typeof specification === 'string' && specification.startsWith('$');
  const isExpression = isDocument(specification) && (Object.keys(specification)[0]?.startsWith('$') ?? false);
  if (!isPath && !isExpression) fail(40148, 'the sortByCount field must be specified as a string or an expression');
  const group = compileGroup({ _id: specification, count: { $sum: new Int32(1) } });
  return function* sortByCount(input, scope) {
    yield* [...group(input, scope)].sort((left, right) => compareValues(right['count'], left['count']));
  };
}

/** `$bucket`: groups by the boundary at or below a value; `default` takes what lies outside (else 40066). */
export function compileBucket(specification: Value): Stage {
  if (!isDocument(specification)) return fail(40201, 'Argument to $bucket stage must be an object');
  const { groupBy, boundaries, output } = specification;
  const limits = checkBoundaries(boundaries);
  if (groupBy === undefined) fail(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  if (output !== undefined && !isDocument(output)) return fail(40196, "The 'output' field must be an object");
  const evaluate = compileExpression(groupBy);
  const group = compileGroup({ _id: '$$BUCKET', ...(output ?? { count: { $sum: new Int32(1) } }) });
  const bucketOf = (value: Value): Value => {
    const index = limits.findLastIndex((limit) => compareValues(limit, value) <= 0);
    if (index >= 0 && index < limits.length - 1) return limits[index];
    if (!('default' in specification)) return fail(40066, '$switch could not find a matching branch');
    return specification['default'];
  };
  return function* bucket(input, scope) {
    const groups = new Map<string, { id: Value; documents: Document[] }>();
    for (const document of input) {
      const id = bucketOf(evaluate(document, scope.variables));
      const key = keyText(id);
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { id, documents: [document] });
      else known.documents.push(document);
    }
    const sorted = [...groups.values()].sort((left, right) => compareValues(left.id, right.id));
    for (const { id, documents } of sorted) {
      yield* group(documents, { ...scope, variables: { ...scope.variables, BUCKET: id } });
    }
  };
}

interface Group {
  id: Value;
  accumulators: Accumulator[];
}

interface GroupField {
  name: string;
  evaluate: Expression;
  create: () => Accumulator;
}

function compileField(name: string, value: Value): GroupField {
  if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) fail(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(value)) return fail(40234, `The field '${name}' must be an accumulator object`);
  const [[operator, argument] = ['', null], ...others] = Object.entries(value);
  if (others.length > 0 || operator === '') fail(40238, `The field '${name}' must specify one accumulator`);
  const create = accumulators[operator];
  if (create === undefined) return fail(15952, `unknown group operator '${operator}'`);
  if (Array.isArray(argument) && argument.length !== 1) fail(40237, `The ${operator} accumulator is a unary operator`);
  return { name, evaluate: compileExpression(Array.isArray(argument) ? argument[0] : argument), create };
}

function checkBoundaries(boundaries: Value): Value[] {
  if (!Array.isArray(boundaries)) return fail(40200, "The $bucket 'boundaries' field must be an array");
  if (boundaries.length < 2) fail(40192, "The $bucket 'boundaries' field must have at least 2 values");
  boundaries.forEach((limit, index) => {
    if (index > 0 && compareValues(boundaries[index - 1], limit) >= 0) {
      fail(40194, "The 'boundaries' option to $bucket must be sorted");
    }
  });
  return boundaries;
}
