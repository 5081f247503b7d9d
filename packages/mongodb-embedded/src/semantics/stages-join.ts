import { Long } from 'bson';
import { keyText } from './compare.ts';
import { compileExpression } from './expressions.ts';
import { fail } from './expression-types.ts';
import { anyAtPath, fieldOf, keyValues } from './path.ts';
import { setAt } from './set-path.ts';
import type { PipelineScope, Stage } from './stage-types.ts';
import { asDocument, isDocument, typeName, type Document, type Value } from './values.ts';

/** `$unwind`: one document for each element of an array; a value that is no array counts as one element. */
export function compileUnwind(specification: Value): Stage {
  const options = isDocument(specification) ? specification : { path: specification };
  if (!isDocument(specification) && typeof specification !== 'string') {
    fail(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(specification)}`,
    );
  }
  for (const name of Object.keys(options)) {
    if (!['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'].includes(name)) {
      fail(28811, `unrecognized option to $unwind stage: ${name}`);
    }
  }
  const { path, preserveNullAndEmptyArrays: preserve = false, includeArrayIndex: indexPath } = options;
  if (path === undefined) fail(28812, 'no path specified to $unwind stage');
  if (typeof path !== 'string') return fail(28808, 'expected a string as the path for $unwind stage');
  if (typeof preserve !== 'boolean') fail(28809, 'expected a boolean for the preserveNullAndEmptyArrays option');
  if (indexPath !== undefined && (typeof indexPath !== 'string' || indexPath === '')) {
    fail(28810, 'expected a non-empty string for the includeArrayIndex option');
  }
  if (!path.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const parts = path.slice(1).split('.');
  const withIndex = (document: Document, index: number | undefined): Document =>
    typeof indexPath === 'string'
      ? setAt(document, indexPath.split('.'), index === undefined ? null : Long.fromNumber(index))
      : document;
  return function* unwind(input) {
    for (const document of input) {
      const value = parts.reduce<Value>(fieldOf, document);
      if (Array.isArray(value) && value.length > 0) {
        for (const [index, element] of value.entries()) yield withIndex(setAt(document, parts, element), index);
      } else if (value !== undefined && value !== null && !Array.isArray(value)) yield withIndex(document, undefined);
      else if (preserve)
        yield withIndex(
          value === undefined || value === null ? document : setAt(document, parts, undefined),
          undefined,
        );
    }
  };
}

/** `$lookup`: by equality of two fields, or by a pipeline with `let`. Throws 9 (FailedToParse) for other arguments. */
export function compileLookup(specification: Value, compile: (stages: Value) => Stage): Stage {
  if (!isDocument(specification)) return fail(9, 'the $lookup specification must be an Object');
  const { from, as, localField, foreignField, let: bindings, pipeline } = specification;
  for (const name of Object.keys(specification)) {
    if (!['from', 'as', 'localField', 'foreignField', 'let', 'pipeline'].includes(name)) {
      fail(9, `unknown argument to $lookup: ${name}`);
    }
  }
  if (typeof from !== 'string' || typeof as !== 'string')
    return fail(9, "must specify 'from' and 'as' fields for a $lookup");
  if (pipeline !== undefined) {
    if (localField !== undefined || foreignField !== undefined) {
      fail(9, "$lookup with 'pipeline' may not specify 'localField' or 'foreignField'");
    }
    return lookupByPipeline(from, as, compile(pipeline), bindings);
  }
  if (typeof localField !== 'string' || typeof foreignField !== 'string') {
    return fail(9, "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  }
  return lookupByFields(from, as, localField, foreignField);
}

/** `$facet`: several pipelines over the same documents, each giving one array. */
export function compileFacet(specification: Value, compile: (stages: Value) => Stage): Stage {
  if (!isDocument(specification) || Object.keys(specification).length === 0) {
    return fail(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = Object.entries(specification).map(([name, stages]) => {
    if (!Array.isArray(stages)) return fail(40170, `arguments to $facet must be arrays, ${name} is not`);
    return [name, compile(stages)] as const;
  });
  return function* facet(input, scope) {
    const documents = [...input];
    yield Object.fromEntries(facets.map(([name, run]) => [name, [...run(documents, scope)]]));
  };
}

function lookupByFields(from: string, as: string, localField: string, foreignField: string): Stage {
  const localParts = localField.split('.');
  return function* lookup(input, { read }) {
    const foreign = [...read(from)];
    const positions = positionsByValue(foreign, foreignField);
    for (const document of input) {
      const matched = new Set(valuesOf(document, localParts).flatMap((value) => positions.get(keyText(value)) ?? []));
      const joined = [...matched].sort((left, right) => left - right).map((position) => foreign[position]);
      yield setAt(document, as.split('.'), joined);
    }
  };
}

/** For each value of the foreign field, where in the list the documents with it stand. */
function positionsByValue(documents: Document[], path: string): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, document] of documents.entries()) {
    for (const value of keyValues(document, path)) {
      const key = keyText(value);
      const known = positions.get(key);
      if (known === undefined) positions.set(key, [position]);
      else known.push(position);
    }
  }
  return positions;
}

function valuesOf(document: Document, parts: string[]): Value[] {
  const values: Value[] = [];
  anyAtPath(document, parts, false, (value) => {
    values.push(...(Array.isArray(value) ? value : [value ?? null]));
    return false;
  });
  return values;
}

function lookupByPipeline(from: string, as: string, run: Stage, bindings: Value): Stage {
  const compiled = Object.entries(asDocument(bindings) ?? {}).map(
    ([name, expression]) => [name, compileExpression(expression)] as const,
  );
  return function* lookup(input, scope) {
    const foreign = [...scope.read(from)];
    for (const document of input) {
      const bound = compiled.map(([name, evaluate]) => [name, evaluate(document, scope.variables)] as const);
      const inner: PipelineScope = { ...scope, variables: { ...scope.variables, ...Object.fromEntries(bound) } };
      yield setAt(document, as.split('.'), [...run(foreign, inner)]);
    }
  };
}
