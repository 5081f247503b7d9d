import { CommandError } from '../errors.ts';
import { compileMatch, type MatchDetails, type MatchOptions } from './match.ts';
import { integerOf } from './numbers.ts';
import { exclude, fieldTree, include, type FieldTree } from './field-tree.ts';
import { isTrue } from './expressions.ts';
import type { FieldSelection } from './select-fields.ts';
import { isDocument, isNumeric, type Document, type Value } from './values.ts';

/** Gives the part of a document that a projection asks for; the document stays as it is. */
export type Projector = (document: Document) => Document;

/**
 * Compiles a projection of `find` or `findAndModify`: inclusion or exclusion, `$slice`, `$elemMatch` and the
 * positional `a.$`, which needs the filter that found the document. What `$elemMatch` found comes last. Throws 31253 or 31254
 * for a mix of inclusion and exclusion, 31249 or 31250 for a path within another, and refuses expressions (168) and other
 * values (2). Source: manual 4.4, "find", "Projection"; MongoDB 4.4, `src/mongo/db/query/projection_parser.cpp`.
 */
export function compileProjection(specification: Document, filter?: Document, options: MatchOptions = {}): Projector {
  const plan = parse(specification);
  if (plan === undefined) return (document) => document;
  const { tree, including, positional } = plan;
  if (positional !== undefined) refuseUnqueried(positional, filter);
  const operators = plan.operators.map(({ field, operator, argument }) => ({
    ...{ field, operator },
    apply: operator === '$slice' ? compileSlice(argument) : compileElemMatch(argument, options),
  }));
  const matches = positional === undefined ? undefined : compileMatch(filter ?? {}, options);
  return (document) => {
    let result = document;
    if (matches !== undefined && positional !== undefined) result = keepMatched(result, positional, matches);
    for (const { field, operator, apply } of operators) {
      result = rewrite(result, field.split('.'), apply);
      if (operator === '$elemMatch') result = withLast(result, field);
    }
    return including ? include(result, tree) : exclude(result, tree);
  };
}

/** A projection of whole fields of the document itself as what can be cut out of its bytes; undefined for any other. */
export function fieldSelection(specification: Document): FieldSelection | undefined {
  const plan = parse(specification);
  if (plan === undefined || plan.positional !== undefined || plan.operators.length > 0) return undefined;
  if ([...plan.tree.values()].some((branch) => branch !== 'whole')) return undefined;
  return { names: [...plan.tree.keys()].map((name) => Buffer.from(name)), including: plan.including };
}

interface Operator {
  field: string;
  operator: '$slice' | '$elemMatch';
  argument: Value;
}

interface Plan {
  tree: FieldTree;
  including: boolean;
  positional: string | undefined;
  operators: Operator[];
}

/** Undefined for the empty projection, which is all. */
function parse(specification: Document): Plan | undefined {
  let including: boolean | undefined;
  let withId: boolean | undefined;
  let positional: string | undefined;
  const paths: string[] = [];
  const operators: Operator[] = [];
  for (const [field, value] of Object.entries(specification)) {
    if (isDocument(value)) {
      const operator = parseOperator(field, value);
      operators.push(operator);
      if (operator.operator === '$elemMatch') {
        if (including === false) throw mixed(field, true);
        including = true;
      }
      continue;
    }
    if (typeof value !== 'boolean' && !isNumeric(value)) {
      throw new CommandError(2, `Unsupported projection value of ${field}`);
    }
    const wanted = isTrue(value);
    if (field === '_id') {
      withId = wanted;
      continue;
    }
    if (including !== undefined && including !== wanted) throw mixed(field, wanted);
    including = wanted;
    if (field.endsWith('.$')) {
      if (positional !== undefined)
        throw new CommandError(2, 'Cannot specify more than one positional proj. per query.');
      positional = field.slice(0, -2);
    }
    paths.push(positional !== undefined && field.endsWith('.$') ? positional : field);
  }
  if (Object.keys(specification).length === 0) return undefined;
  refuseCollisions(Object.keys(specification));
  // The id alone decides only if nothing else does.
  const isInclusion = including ?? withId === true;
  const named = isInclusion ? [...paths, ...operators.map(({ field }) => field)] : paths;
  const idNamed = paths.some((path) => path.startsWith('_id.'));
  const withIdPath = isInclusion === (withId ?? true) && !idNamed ? [...named, '_id'] : named;
  return { tree: fieldTree(withIdPath), including: isInclusion, positional, operators };
}

/** A path may not lead through another: the later of the two is at fault. */
function refuseCollisions(fields: string[]): void {
  for (const [at, field] of fields.entries()) {
    for (const earlier of fields.slice(0, at)) {
      if (field.startsWith(`${earlier}.`)) throw new CommandError(31249, `Path collision at ${field}`);
      if (earlier.startsWith(`${field}.`)) throw new CommandError(31250, `Path collision at ${field}`);
    }
  }
}

function parseOperator(field: string, value: Document): Operator {
  const [[operator, argument] = ['', null], ...others] = Object.entries(value);
  if ((operator !== '$slice' && operator !== '$elemMatch') || others.length > 0) {
    if (operator.startsWith('$')) throw new CommandError(168, `Unrecognized expression '${operator}'`);
    throw new CommandError(2, `Unsupported projection value of ${field}`);
  }
  if (operator === '$elemMatch') {
    if (!isDocument(argument)) throw new CommandError(2, 'elemMatch: Invalid argument, object required.');
    if (field.includes('.')) throw new CommandError(2, 'Cannot use $elemMatch projection on a nested field.');
  }
  return { field, operator, argument };
}

function mixed(field: string, wanted: boolean): CommandError {
  const [one, other] = wanted ? ['inclusion', 'exclusion'] : ['exclusion', 'inclusion'];
  return new CommandError(wanted ? 31253 : 31254, `Cannot do ${one} on field ${field} in ${other} projection`);
}

type Rewrite = (value: Value) => Value;

/** `$slice: n` takes from the front or, below zero, from the end; `[skip, n]` starts where it says. */
function compileSlice(argument: Value): Rewrite {
  const numbers = (Array.isArray(argument) ? argument : [argument]).map((value) => {
    const number = isNumeric(value) ? integerOf(value) : undefined;
    if (number === undefined) throw new CommandError(2, '$slice only supports numbers and [skip, limit] arrays');
    return number;
  });
  const [first = 0, limit] = numbers;
  if (Array.isArray(argument)) {
    if (numbers.length !== 2) throw new CommandError(2, '$slice array wrong size');
    if (limit === undefined || limit <= 0) throw new CommandError(2, '$slice limit must be positive');
    return (value) => {
      if (!Array.isArray(value)) return value;
      const start = first < 0 ? Math.max(0, value.length + first) : first;
      return value.slice(start, start + limit);
    };
  }
  return (value) => {
    if (!Array.isArray(value)) return value;
    return first < 0 ? value.slice(first) : value.slice(0, first);
  };
}

/** The first element that matches, alone in its array; no field when there is none. */
function compileElemMatch(argument: Value, options: MatchOptions): Rewrite {
  const matches = compileMatch({ elements: { $elemMatch: argument } }, options);
  return (value) => {
    const details: MatchDetails = {};
    if (!Array.isArray(value) || !matches({ elements: value }, details)) return undefined;
    return [value[details.position ?? 0]];
  };
}

function withLast(document: Document, field: string): Document {
  const { [field]: value, ...others } = document;
  return value === undefined ? document : { ...others, [field]: value };
}

function keepMatched(document: Document, path: string, matches: ReturnType<typeof compileMatch>): Document {
  const details: MatchDetails = {};
  matches(document, details);
  return rewrite(document, path.split('.'), (value) => {
    if (!Array.isArray(value)) return value;
    if (details.position === undefined) {
      throw new CommandError(
        2,
        "Executor error during find command :: caused by :: positional operator '.$' requires corresponding field in query specifier",
      );
    }
    return [value[details.position]];
  });
}

function refuseUnqueried(path: string, filter: Document | undefined): void {
  if (filter !== undefined && queries(filter, path.split('.')[0] ?? '')) return;
  throw new CommandError(2, `Positional projection '${path}.$' does not match the query document.`);
}

function queries(filter: Document, field: string): boolean {
  return Object.entries(filter).some(([path, condition]) => {
    if (!path.startsWith('$')) return path.split('.')[0] === field;
    return Array.isArray(condition) && condition.some((part) => isDocument(part) && queries(part, field));
  });
}

/** A copy of the document with the value at a path rewritten, through arrays too; undefined takes the field away. */
function rewrite(document: Document, parts: string[], change: Rewrite): Document {
  const [part = '', ...rest] = parts;
  if (!Object.hasOwn(document, part)) return document;
  const inner = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(inner);
    return isDocument(value) ? rewrite(value, rest, change) : value;
  };
  const value = rest.length === 0 ? change(document[part]) : inner(document[part]);
  if (value !== undefined) return { ...document, [part]: value };
  const { [part]: _gone, ...others } = document;
  return others;
}
