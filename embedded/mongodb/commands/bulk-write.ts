import { Double, serialize } from 'bson';
import { CommandError, shown } from '../errors.ts';
import { integerOf } from '../semantics/numbers.ts';
import type { Document, Value } from '../semantics/values.ts';
import { isDocument, isNumeric } from '../semantics/values.ts';
import type { Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { cursorBatchSize, openCursor } from './cursors.ts';
import { deleteStatement } from './delete.ts';
import type { DeleteRequest } from './delete.ts';
import { checkedDatabase, checkedNamespace, isTrue, listField, missing } from './fields.ts';
import { refuseInternalDatabase, wrongType } from './fields.ts';
import { insertStatement } from './insert.ts';
import { readUpdate, updateStatement } from './update.ts';
import type { UpdateRequest } from './update.ts';
import { readStatements, runStatements, runWrite } from './write-unit.ts';
import type { Unit, Work } from './write-unit.ts';

/** One write of the command, to the collection that it names by its place in `nsInfo`. */
type Operation =
  | { kind: 'insert'; ns: string; document: Document }
  | { kind: 'update'; ns: string; request: UpdateRequest }
  | { kind: 'delete'; ns: string; request: DeleteRequest };

type Counts = Record<'nInserted' | 'nMatched' | 'nModified' | 'nUpserted' | 'nDeleted', number>;

const fieldsOf: Record<Operation['kind'], string[]> = {
  insert: ['insert', 'document'],
  update: ['update', 'filter', 'updateMods', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation'],
  delete: ['delete', 'filter', 'multi', 'hint', 'collation'],
};

/**
 * bulkWrite: inserts, updates and deletes of several collections in one command, as of 8.0. A write that fails is told
 * among the results, and ends the command where it is ordered or in a transaction; a conflict fails the command as a whole.
 * Source: manual, "bulkWrite"; drivers' specification "Bulk Write". No recording of a real server stands behind it.
 */
export async function bulkWrite(context: Context): Promise<Reply> {
  const namespaces = readNamespaces(context);
  const statements = readStatements(context, 'ops').map(({ statement, id }) => ({
    operation: readOperation(statement, namespaces),
    id,
  }));
  if (context.transaction === undefined) {
    for (const ns of namespaces) await context.engine.locks.share(ns, context.deadline);
  }
  const counts: Counts = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: { idx: number }[] = [];
  const failed = await runWrite(context, function* (unit) {
    return yield* runStatements(context, statements, function* ({ operation, id }, idx) {
      const result = yield* runOperation(context, unit, { operation, id }, counts);
      results.push({ ...{ ok: new Double(1), idx }, ...result });
    });
  });
  const errors = failed.writeErrors.map(({ index, ...error }) => ({
    ...{ ok: new Double(0), idx: index, ...error, n: 0 },
    ...(statements[index]?.operation.kind === 'update' && { nModified: 0 }),
  }));
  const told = isTrue(context.command['errorsOnly']) ? errors : [...results, ...errors].sort((a, b) => a.idx - b.idx);
  const documents = told.map((result) => serialize(result)).values();
  const cursor = { documents, remaining: Infinity };
  return {
    ...openCursor(context, 'admin.$cmd.bulkWrite', cursor, cursorBatchSize(context) ?? Infinity),
    ...{ nErrors: errors.length, ...counts },
  };
}

/** Carries out one write, counts it, and gives what its result says of it. */
function* runOperation(
  context: Context,
  unit: Unit,
  { operation, id }: { operation: Operation; id: number },
  counts: Counts,
): Work<object> {
  if (operation.kind === 'insert') {
    yield* insertStatement(context, unit, operation.ns, { document: operation.document, id });
    counts.nInserted++;
    return { n: 1 };
  }
  if (operation.kind === 'delete') {
    const n = yield* deleteStatement(context, unit, operation.ns, { request: operation.request, id });
    counts.nDeleted += n;
    return { n };
  }
  const result = yield* updateStatement(context, unit, operation.request, id);
  const { n, nModified } = result;
  const isUpserted = 'upserted' in result;
  if (isUpserted) counts.nUpserted++;
  else counts.nMatched += n;
  counts.nModified += nModified;
  return { n, nModified, ...(isUpserted && { upserted: { _id: result.upserted } }) };
}

function readNamespaces(context: Context): string[] {
  return listField(context, 'nsInfo').map((entry, index) => {
    if (!isDocument(entry)) throw wrongType('bulkWrite', `nsInfo.${index}`, entry, 'object');
    refuseOtherFields(entry, ['ns'], 'bulkWrite.nsInfo');
    const { ns } = entry;
    if (ns === undefined) throw missing('bulkWrite', 'nsInfo.ns');
    if (typeof ns !== 'string') throw wrongType('bulkWrite', 'nsInfo.ns', ns, 'string');
    const [database = '', ...name] = ns.split('.');
    if (database === '' || name.join('.') === '')
      throw new CommandError(73, `Invalid namespace specified for bulkWrite: '${database}'`);
    if (context.transaction !== undefined) refuseInternalDatabase(database);
    return checkedNamespace(checkedDatabase(database), name.join('.'));
  });
}

function readOperation(statement: Document, namespaces: string[]): Operation {
  const [kind = ''] = Object.keys(statement);
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete')
    throw new CommandError(40415, `BSON field 'bulkWrite.${kind}' is an unknown field.`);
  refuseOtherFields(statement, fieldsOf[kind], 'bulkWrite.ops');
  const ns = namespaces[namespaceIndex(statement, kind)];
  if (ns === undefined) {
    throw new CommandError(2, `BulkWrite ops entry ${shown(statement)} has an invalid nsInfo index.`);
  }
  if (kind === 'insert') return { kind, ns, document: documentOf(statement, 'document') };
  const filter = documentOf(statement, 'filter');
  const rows = { filter, sort: {}, hint: statement['hint'], collation: statement['collation'] };
  const isMulti = isTrue(statement['multi']);
  if (kind === 'delete') return { kind, ns, request: { ...rows, isSingle: !isMulti } };
  const { updateMods, arrayFilters = [] } = statement;
  if (updateMods === undefined) throw missing('bulkWrite', 'ops.updateMods');
  if (!Array.isArray(arrayFilters)) throw wrongType('bulkWrite', 'ops.arrayFilters', arrayFilters, 'array');
  const change = { update: readUpdate(updateMods), arrayFilters: arrayFilters as Document[] };
  return { kind, ns, request: { ns, ...rows, ...change, isMulti, isUpsert: isTrue(statement['upsert']) } };
}

function namespaceIndex(statement: Document, kind: string): number {
  const value: Value = statement[kind];
  if (!isNumeric(value)) throw wrongType('bulkWrite', `ops.${kind}`, value, '[long, int, decimal, double]');
  const index = integerOf(value) ?? NaN;
  if (index < 0) throw new CommandError(2, `BSON field '${kind}' value must be >= 0, actual value '${index}'`);
  return index;
}

function documentOf(statement: Document, field: string): Document {
  const value = statement[field];
  if (value === undefined) throw missing('bulkWrite', `ops.${field}`);
  if (!isDocument(value)) throw wrongType('bulkWrite', `ops.${field}`, value, 'object');
  return value;
}

function refuseOtherFields(document: Document, fields: string[], path: string): void {
  const other = Object.keys(document).find((field) => !fields.includes(field));
  if (other !== undefined) throw new CommandError(40415, `BSON field '${path}.${other}' is an unknown field.`);
}
