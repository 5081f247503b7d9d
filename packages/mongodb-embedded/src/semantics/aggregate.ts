import { keyText, type StringOrder } from './compare.ts';
import { compileMatch } from './match.ts';
import { isNumeric, typeName, isDocument, type Document, type Value } from './values.ts';
import { fail } from './expression-types.ts';
import { integerOf } from './numbers.ts';
import { anyAtPath } from './path.ts';
import { compileSort } from './sort.ts';
import { compileBucket, compileCount, compileGroup, compileSortByCount } from './stages-group.ts';
import { compileFacet, compileLookup, compileUnwind } from './stages-join.ts';
import { compileAddFields, compileProject, compileReplaceWith, compileUnset } from './stages-shape.ts';
import type { PipelineScope, Stage } from './stage-types.ts';

/**
 * What a pipeline may reach besides its source: other collections (for `$lookup`), the time of the command, and the
 * order of strings under a collation, which `$match` and `$sort` obey.
 */
export interface PipelineContext {
  read: (collection: string) => Iterable<Document>;
  now: Date;
  stringOrder?: StringOrder | undefined;
}

/**
 * Runs a pipeline over documents, lazily where its stages allow. A faulty pipeline throws at once (40324 unknown
 * stage, 40323 more than one in a document, and each stage's own codes); evaluation throws while iterating.
 * Source: manual, "Aggregation Pipeline Stages" (recordings: aggregate).
 */
export function runPipeline(
  source: Iterable<Document>,
  stages: Document[],
  context: PipelineContext,
): Iterable<Document> {
  const { read, now, stringOrder } = context;
  return compilePipeline(stages)(source, { read, variables: { NOW: now }, ...(stringOrder && { stringOrder }) });
}

/** The different values of a path over documents, elements of arrays one by one. Source: manual, "distinct". */
export function distinctValues(documents: Iterable<Document>, key: string): Value[] {
  const found = new Map<string, Value>();
  const parts = key.split('.');
  for (const document of documents) {
    anyAtPath(document, parts, false, (value) => {
      for (const element of Array.isArray(value) ? value : [value]) {
        if (element === undefined) continue;
        const text = keyText(element);
        if (!found.has(text)) found.set(text, element);
      }
      return false;
    });
  }
  return [...found.values()];
}

function compilePipeline(stages: Value): Stage {
  if (!Array.isArray(stages)) return fail(14, `A pipeline must be an array, not ${typeName(stages)}`);
  const compiled = stages.map(compileStage);
  return (source, scope) => compiled.reduce<Iterable<Document>>((input, stage) => stage(input, scope), source);
}

function compileStage(stage: Value): Stage {
  if (!isDocument(stage)) return fail(14, "Each element of the 'pipeline' array must be an object");
  const [entry, ...others] = Object.entries(stage);
  if (entry === undefined || others.length > 0) {
    return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, specification] = entry;
  const compile = stageCompilers[name];
  return compile === undefined
    ? fail(40324, `Unrecognized pipeline stage name: '${name}'`)
    : compile(specification, compilePipeline);
}

const stageCompilers: Readonly<
  Record<string, ((specification: Value, compile: (stages: Value) => Stage) => Stage) | undefined>
> = {
  $match: compileMatchStage,
  $project: compileProject,
  $addFields: compileAddFields,
  $set: compileAddFields,
  $unset: compileUnset,
  $replaceWith: compileReplaceWith,
  $sort: compileSortStage,
  $skip: compileSkip,
  $limit: compileLimit,
  $group: compileGroup,
  $count: compileCount,
  $sortByCount: compileSortByCount,
  $bucket: compileBucket,
  $unwind: compileUnwind,
  $lookup: compileLookup,
  $facet: compileFacet,
};

function compileMatchStage(specification: Value): Stage {
  if (!isDocument(specification)) return fail(15959, 'the match filter must be an expression in an object');
  compileMatch(specification);
  return function* match(input: Iterable<Document>, scope: PipelineScope) {
    const matches = compileMatch(specification, scope);
    for (const document of input) if (matches(document)) yield document;
  };
}

function compileSortStage(specification: Value): Stage {
  if (!isDocument(specification)) return fail(15973, 'the $sort key specification must be an object');
  if (Object.keys(specification).length === 0) fail(15976, '$sort stage must have at least one sort key');
  compileSort(specification, { codes: { direction: 15975 } });
  return function* sort(input, scope) {
    yield* [...input].sort(compileSort(specification, scope));
  };
}

function compileSkip(specification: Value): Stage {
  if (!isNumeric(specification)) return fail(15972, 'Argument to $skip must be a number');
  const count = integerOf(specification) ?? 0;
  if (count < 0) fail(15956, 'Argument to $skip cannot be negative');
  return function* skip(input) {
    let left = count;
    for (const document of input) if (left-- <= 0) yield document;
  };
}

function compileLimit(specification: Value): Stage {
  if (!isNumeric(specification)) return fail(15957, 'the limit must be specified as a number');
  const count = integerOf(specification) ?? 0;
  if (count <= 0) fail(15958, 'the limit must be positive');
  return function* limit(input) {
    let left = count;
    for (const document of input) {
      yield document;
      if (--left === 0) return;
    }
  };
}
