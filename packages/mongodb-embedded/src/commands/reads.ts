import { serialize } from 'bson';
import { CommandError } from '../errors.ts';
import { execute, type Execution } from '../query/execute.ts';
import type { Query } from '../query/plan.ts';
import { distinctValues, runPipeline } from '../semantics/aggregate.ts';
import { countingPipeline, type Counting } from '../semantics/counting.ts';
import { compileMatch } from '../semantics/match.ts';
import { compileProjection, fieldSelection } from '../semantics/project.ts';
import { selectFields } from '../semantics/select-fields.ts';
import { compileSort } from '../semantics/sort.ts';
import { isDocument, type Document } from '../semantics/values.ts';
import { recordRange } from '../storage/collection.ts';
import type { Version } from '../storage/version.ts';
import type { Reply } from '../wire/reply.ts';
import { findCollection, sourceOf, type Context } from './context.ts';
import { cursorBatchSize, openCursor } from './cursors.ts';
import { checkedNamespace, documentField, isTrue, namespaceOf, numberField, wrongType } from './fields.ts';

/** find. Source: manual, "find" (recordings: find). */
export function find(context: Context): Reply {
  const { command } = context;
  if (typeof command['find'] !== 'string')
    throw new CommandError(9, "Failed to parse: 'find' field must be of type string");
  const ns = namespaceOf(context);
  const filter = documentField(context, 'filter', 9) ?? {};
  const sort = documentField(context, 'sort', 9) ?? {};
  const projection = documentField(context, 'projection', 9) ?? {};
  const skip = notNegative(numberField(context, 'skip'), 'Skip') ?? 0;
  const limit = notNegative(numberField(context, 'limit'), 'Limit') ?? 0;
  const batchSize = notNegative(numberField(context, 'batchSize'), 'BatchSize');
  if (isTrue(command['tailable'])) throw new CommandError(2, 'tailable cursor requested on non capped collection');
  const { asStored, encode } = compileEncoded(projection, filter);
  const rowsWanted = limit === 0 ? undefined : skip + limit;
  const documents = projected(query(context, ns, filter, sort, { rowsWanted, asStored }), skip, encode);
  const results = { documents, remaining: limit === 0 ? Infinity : limit };
  return openCursor(context, ns, results, batchSize, isTrue(command['singleBatch']));
}

/** count. Source: manual, "count" (recordings: count-distinct). */
export function count(context: Context): Reply {
  const ns = namespaceOf(context);
  const filter = documentField(context, 'query') ?? {};
  const skip = numberField(context, 'skip') ?? 0;
  if (skip < 0) throw new CommandError(9, `Expected a positive number in: skip: ${skip}`);
  const limit = Math.abs(numberField(context, 'limit') ?? 0) || Infinity;
  const collection = findCollection(context, ns);
  if (collection !== undefined && Object.keys(filter).length === 0) {
    const { from, to } = recordRange(collection);
    collection.count ??= context.engine.store.countRecords(from, to, Infinity);
    return { n: Math.max(0, Math.min(collection.count - skip, limit)), ok: 1 };
  }
  const n = query(context, ns, filter, {}, { asStored: true }).count(skip + limit);
  return { n: Math.max(0, n - skip), ok: 1 };
}

/** distinct. Source: manual, "distinct" (recordings: count-distinct). */
export function distinct(context: Context): Reply {
  const ns = namespaceOf(context);
  const { key } = context.command;
  if (key === undefined) throw new CommandError(40414, "BSON field 'distinct.key' is missing but a required field");
  if (typeof key !== 'string') throw wrongType('distinct', 'key', key, 'string');
  const filter = documentField(context, 'query') ?? {};
  return { values: distinctValues(documentsOf(query(context, ns, filter, {})), key), ok: 1 };
}

/** aggregate. Source: manual, "aggregate" (recordings: aggregate). */
export function aggregate(context: Context): Reply {
  const { command, transaction, database } = context;
  const { pipeline } = command;
  if (!Array.isArray(pipeline)) throw new CommandError(14, "'pipeline' option must be specified as an array");
  const stages = pipeline.map((stage) => {
    if (!isDocument(stage)) throw new CommandError(14, 'Each element of the pipeline array must be an object');
    return stage;
  });
  if (command['cursor'] === undefined) {
    throw new CommandError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const batchSize = cursorBatchSize(context);
  if (typeof command['aggregate'] !== 'string') throw new CommandError(73, 'a collection is required');
  const ns = namespaceOf(context);
  for (const stage of stages) {
    const [name = ''] = Object.keys(stage);
    const isWrite = name === '$out' || name === '$merge';
    if (isWrite && transaction !== undefined) throw new CommandError(263, `${name} cannot be used in a transaction`);
  }
  const { filter, sort, rest } = leadingQuery(stages);
  const counting = countingPipeline(rest);
  const execution = query(context, ns, filter, sort, { asStored: counting !== undefined });
  const piped = runPipeline(documentsOf(execution), rest, {
    read: (name) => documentsOf(query(context, checkedNamespace(database, name), {}, {})),
    now: new Date(),
  });
  const results = counting === undefined ? piped : counted(execution, counting);
  return openCursor(context, ns, { documents: encoded(results), remaining: Infinity }, batchSize);
}

/** Plans and starts a query on a collection; an absent one has no rows, yet the query is checked. */
export function query(
  context: Context,
  ns: string,
  filter: Document,
  sort: Document,
  wanted: Pick<Query, 'rowsWanted' | 'asStored'> = {},
): Execution {
  const collection = findCollection(context, ns);
  const { command, stringOrder } = context;
  const hasCollation = stringOrder !== undefined;
  if (collection !== undefined) {
    const asked = { filter, sort, hint: command['hint'], hasCollation, ...wanted };
    return execute(sourceOf(context, collection), asked, stringOrder);
  }
  compileMatch(filter);
  const { $natural: natural, ...keys } = sort;
  if (natural === undefined) compileSort(keys);
  return {
    plan: { scans: [], servesSort: true },
    statistics: { keys: 0, documents: 0 },
    rows: [],
    isCovered: false,
    count: () => 0,
  };
}

/** What of a pipeline's beginning a query can do with an index: `$match`, then `$sort`. */
export function leadingQuery(stages: Document[]): { filter: Document; sort: Document; rest: Document[] } {
  const [first, second] = stages;
  const match = stageOf(first, '$match');
  const sort = stageOf(match === undefined ? first : second, '$sort');
  const isPlain = sort === undefined || Object.values(sort).every((direction) => Math.abs(Number(direction)) === 1);
  const used = Number(match !== undefined) + Number(sort !== undefined && isPlain);
  return { filter: match ?? {}, sort: isPlain ? (sort ?? {}) : {}, rest: stages.slice(used) };
}

function stageOf(stage: Document | undefined, name: string): Document | undefined {
  const argument = stage?.[name];
  const isStage = stage !== undefined && Object.keys(stage).length === 1 && isDocument(argument);
  return isStage && Object.keys(argument).length > 0 ? argument : undefined;
}

interface Encoded {
  encode: (version: Version) => Uint8Array;
  /** No document is decoded for it. */
  asStored: boolean;
}

/** What a projection leaves of a document, encoded. Throws what a faulty projection throws. */
function compileEncoded(projection: Document, filter: Document): Encoded {
  if (Object.keys(projection).length === 0) return { asStored: true, encode: ({ bytes }) => bytes };
  const selection = fieldSelection(projection);
  if (selection !== undefined) return { asStored: true, encode: ({ bytes }) => selectFields(bytes, selection) };
  const project = compileProjection(projection, filter);
  return { asStored: false, encode: ({ document }) => serialize(project(document)) };
}

function* projected(execution: Execution, skip: number, encode: Encoded['encode']) {
  let skipped = 0;
  for (const { version } of execution.rows) {
    if (skipped++ < skip) continue;
    yield encode(version);
  }
}

function* documentsOf(execution: Execution): Generator<Document> {
  for (const { version } of execution.rows) yield version.document;
}

/** What a pipeline makes of the number of rows, counted when it is asked for. */
function* counted(execution: Execution, { countMax, resultOf }: Counting): Generator<Document> {
  yield* resultOf(execution.count(countMax));
}

function* encoded(documents: Iterable<Document>): Generator<Uint8Array> {
  for (const document of documents) yield serialize(document);
}

function notNegative(value: number | undefined, name: string): number | undefined {
  if (value !== undefined && value < 0) {
    throw new CommandError(2, `${name} value must be non-negative, but received: ${value}`);
  }
  return value;
}
