import { CommandError } from '../errors.ts';
import { readCollation } from '../query/collation.ts';
import { execute, type Execution } from '../query/execute.ts';
import type { Row } from '../query/scan.ts';
import { compileMatch } from '../semantics/match.ts';
import { compileUpdate, isReplacement, upsertSeed, type Updater } from '../semantics/update.ts';
import { isDocument, type Document, type Value } from '../semantics/values.ts';
import { validate, type Collection } from '../storage/collection.ts';
import { newVersion, type Version } from '../storage/version.ts';
import type { Reply } from '../wire/reply.ts';
import { findCollection, sourceOf, type Context } from './context.ts';
import { isTrue, namespaceOf, wrongType } from './fields.ts';
import { insertDocument, isRemembered, remember, storable } from './insert.ts';
import {
  readStatements,
  readVisible,
  runStatements,
  runWrite,
  statementField,
  unblocked,
  type Unit,
  type Work,
} from './write-unit.ts';

/** One update as asked for. */
export interface UpdateRequest {
  ns: string;
  filter: Document;
  sort: Document;
  update: Document | Document[];
  isUpsert: boolean;
  isMulti: boolean;
  arrayFilters: Document[];
  hint: Value;
  collation: Value;
}

/** What became of it. `before` and `after` are those of a single document. */
export interface UpdateResult {
  n: number;
  nModified: number;
  upserted?: Value;
  before?: Document;
  after?: Document;
}

/** update. Source: manual, "update" (recordings: update, transactions, retryable). */
export function update(context: Context): Promise<Reply> {
  const ns = namespaceOf(context);
  const statements = readStatements(context, 'updates').map(({ statement, id }) => ({
    request: readRequest(context, ns, statement),
    id,
  }));
  return runWrite(context, function* (unit): Work<Reply> {
    const total = { n: 0, nModified: 0 };
    const upserted: { index: number; _id: Value }[] = [];
    const failed = yield* runStatements(context, statements, function* ({ request, id }, index) {
      const result = isRemembered(context, id)
        ? recalled(context, id)
        : yield* updateDocuments(context, unit, request, (done) => {
            remember(context, unit, id, done.upserted === undefined ? { op: 'u' } : { op: 'i', _id: done.upserted });
          });
      total.n += result.n;
      total.nModified += result.nModified;
      if ('upserted' in result) upserted.push({ index, _id: result.upserted });
    });
    return { ...total, ...(upserted.length > 0 && { upserted }), ...failed, ok: 1 };
  });
}

/** Applies an update to the documents that match; `onWrite` is told in the same commit if something was written. */
export function* updateDocuments(
  context: Context,
  unit: Unit,
  request: UpdateRequest,
  onWrite: (result: UpdateResult) => void,
): Work<UpdateResult> {
  if (context.isRetryable && request.isMulti) {
    throw new CommandError(72, 'Cannot use (or request) retryable writes with multi=true');
  }
  if (request.isMulti && isReplacement(request.update)) {
    throw new CommandError(9, 'multi update is not supported for replacement-style update');
  }
  const { isUpsert, arrayFilters } = request;
  if (isUpsert && usesExpression(request.filter)) {
    throw new CommandError(224, '$expr is not allowed in the query predicate for an upsert');
  }
  const apply = compileUpdate(request.update, { isUpsert, ...(arrayFilters.length > 0 && { arrayFilters }) });
  const result = request.isMulti
    ? yield* updateMany(context, unit, request, apply)
    : yield* unblocked(() => updateFirst(context, unit, request, apply));
  if (result.n === 0 && isUpsert) {
    const inserted = yield* upsert(context, unit, request, apply);
    if (inserted === undefined) return yield* updateDocuments(context, unit, request, onWrite);
    onWrite(inserted);
    return inserted;
  }
  if (result.nModified > 0) onWrite(result);
  return result;
}

/** Finds the rows of a write in the state that the unit sees, its own writes included. */
export function findRows(context: Context, unit: Unit, collection: Collection, request: RowRequest): Execution {
  const { filter, sort, hint, collation } = request;
  const stringOrder = collation === undefined ? context.stringOrder : readCollation(collation);
  const source = sourceOf(context, collection);
  source.view = () => context.engine.transactions.view(unit.transaction, collection);
  return execute(source, { filter, sort, hint, hasCollation: stringOrder !== undefined }, stringOrder);
}

/** What determines the rows of a write. */
export type RowRequest = Pick<UpdateRequest, 'filter' | 'sort' | 'hint' | 'collation'>;

function updateFirst(context: Context, unit: Unit, request: UpdateRequest, apply: Updater): UpdateResult {
  const collection = existing(context, request);
  if (collection === undefined) return { n: 0, nModified: 0 };
  for (const { record, version } of findRows(context, unit, collection, request).rows) {
    const after = applyTo(context, unit, collection, { record, before: version }, request, apply);
    return { n: 1, nModified: Number(after !== undefined), before: version.document, after: after ?? version.document };
  }
  return { n: 0, nModified: 0 };
}

function* updateMany(context: Context, unit: Unit, request: UpdateRequest, apply: Updater): Work<UpdateResult> {
  const first = existing(context, request);
  const result = { n: 0, nModified: 0 };
  if (first === undefined) return result;
  // All rows are found before the first is changed, or a changed one might be met again further on in the index.
  const rows = [...findRows(context, unit, first, request).rows];
  const foundAt = unit.waits;
  for (const row of rows) {
    yield* unblocked(() => {
      const collection = unit.waits === foundAt ? first : existing(context, request);
      const before = unit.waits === foundAt ? row.version : stillMatching(context, unit, collection, row, request);
      if (collection === undefined || before === undefined) return;
      const after = applyTo(context, unit, collection, { record: row.record, before }, request, apply);
      result.n++;
      if (after !== undefined) result.nModified++;
    });
  }
  return result;
}

/** A row found before a wait, if it is still there and still matches. */
export function stillMatching(
  context: Context,
  unit: Unit,
  collection: Collection | undefined,
  row: Row,
  { filter }: RowRequest,
): Version | undefined {
  const version = collection === undefined ? undefined : readVisible(context, unit, collection, row.record);
  return version !== undefined && compileMatch(filter)(version.document) ? version : undefined;
}

/** Writes the changed document; undefined if nothing changes, which takes no lock and meets no conflict. */
function applyTo(
  context: Context,
  unit: Unit,
  collection: Collection,
  { record, before }: { record: number; before: Version },
  { filter }: UpdateRequest,
  apply: Updater,
): Document | undefined {
  const { doc, changed } = apply(before.document, { filter, isInsert: false, now: new Date() });
  if (!changed) return undefined;
  if (!isTrue(context.command['bypassDocumentValidation'])) validate(collection, doc, before.document);
  context.engine.transactions.write(unit.transaction, collection, { record, before, after: newVersion(doc) });
  return doc;
}

/** Inserts what an upsert makes; undefined if after a wait there is something to update instead. */
function* upsert(context: Context, unit: Unit, request: UpdateRequest, apply: Updater): Work<UpdateResult | undefined> {
  const { filter, ns } = request;
  const seed = upsertSeed(filter, { isReplacement: isReplacement(request.update) });
  const { doc } = apply(seed, { filter, isInsert: true, now: new Date() });
  const steps = insertDocument(context, unit, ns, storable(doc));
  const step = steps.next();
  if (!step.done) {
    yield step.value;
    return undefined;
  }
  return { n: 1, nModified: 0, upserted: step.value['_id'], after: step.value };
}

/** Whether a filter has `$expr`, at its top or within `$and`, `$or`, `$nor`. */
function usesExpression(filter: Document): boolean {
  return Object.entries(filter).some(([name, value]) => {
    if (name === '$expr') return true;
    const isLogical = name === '$and' || name === '$or' || name === '$nor';
    return isLogical && Array.isArray(value) && value.some((part) => isDocument(part) && usesExpression(part));
  });
}

function existing(context: Context, { ns, filter }: UpdateRequest): Collection | undefined {
  const collection = findCollection(context, ns);
  if (collection === undefined) compileMatch(filter);
  return collection;
}

function readRequest(context: Context, ns: string, statement: Document): UpdateRequest {
  const filter = statementField(context, 'updates', statement, 'q');
  const change = statementField(context, 'updates', statement, 'u');
  if (!isDocument(filter)) throw wrongType('update', 'updates.q', filter, 'object');
  const arrayFilters = statement['arrayFilters'] ?? [];
  if (!Array.isArray(arrayFilters)) throw wrongType('update', 'updates.arrayFilters', arrayFilters, 'array');
  return {
    ...{ ns, filter, sort: {}, update: readUpdate(change), arrayFilters: arrayFilters as Document[] },
    ...{ isUpsert: isTrue(statement['upsert']), isMulti: isTrue(statement['multi']) },
    ...{ hint: statement['hint'], collation: statement['collation'] },
  };
}

/** An update document or pipeline. Throws 9 (FailedToParse) for anything else. */
export function readUpdate(value: Value): Document | Document[] {
  if (isDocument(value) || (Array.isArray(value) && value.every(isDocument))) return value;
  throw new CommandError(9, 'Update argument must be either an object or an array');
}

/** The answer to a statement that was carried out before: what it wrote decides, not what is asked now. */
function recalled({ session }: Context, id: number): UpdateResult {
  const stored = session?.statements.get(id);
  if (stored?.['op'] === 'd')
    throw new CommandError(40638, 'update retry request is not compatible with a previous delete');
  return stored?.['op'] === 'i' ? { n: 1, nModified: 0, upserted: stored['_id'] } : { n: 1, nModified: 1 };
}
