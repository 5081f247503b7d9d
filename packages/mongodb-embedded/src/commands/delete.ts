import { CommandError } from '../errors.ts';
import { compileMatch } from '../semantics/match.ts';
import { isDocument, type Document, type Value } from '../semantics/values.ts';
import type { Reply } from '../wire/reply.ts';
import { findCollection, type Context } from './context.ts';
import { namespaceOf, wrongType } from './fields.ts';
import { isRemembered, remember } from './insert.ts';
import { findRows, stillMatching, type RowRequest } from './update.ts';
import {
  readStatements,
  runStatements,
  runWrite,
  statementField,
  unblocked,
  type Unit,
  type Work,
} from './write-unit.ts';

interface DeleteRequest extends RowRequest {
  isSingle: boolean;
}

/** delete. Source: manual, "delete" (recordings: delete, transactions, retryable). */
export function deleteDocuments(context: Context): Promise<Reply> {
  const ns = namespaceOf(context);
  const statements = readStatements(context, 'deletes').map(({ statement, id }) => ({
    request: readRequest(context, statement),
    id,
  }));
  return runWrite(context, function* (unit): Work<Reply> {
    let n = 0;
    const failed = yield* runStatements(context, statements, function* ({ request, id }) {
      if (isRemembered(context, id)) n++;
      else if (!request.isSingle) n += yield* deleteMany(context, unit, ns, request);
      else if ((yield* deleteFirst(context, unit, ns, request)) !== undefined) {
        remember(context, unit, id, { op: 'd' });
        n++;
      }
    });
    return { n, ...failed, ok: 1 };
  });
}

/** Deletes the first match and gives it back. */
export function* deleteFirst(
  context: Context,
  unit: Unit,
  ns: string,
  request: RowRequest,
): Work<Document | undefined> {
  return yield* unblocked(() => {
    const collection = findCollection(context, ns);
    if (collection === undefined) compileMatch(request.filter);
    for (const { record, version } of collection === undefined
      ? []
      : findRows(context, unit, collection, request).rows) {
      if (collection === undefined) break;
      context.engine.transactions.write(unit.transaction, collection, { record, before: version, after: undefined });
      return version.document;
    }
    return undefined;
  });
}

function* deleteMany(context: Context, unit: Unit, ns: string, request: DeleteRequest): Work<number> {
  if (context.isRetryable) throw new CommandError(72, 'Cannot use (or request) retryable writes with limit=0');
  const first = findCollection(context, ns);
  if (first === undefined) compileMatch(request.filter);
  const rows = first === undefined ? [] : [...findRows(context, unit, first, request).rows];
  const foundAt = unit.waits;
  let n = 0;
  for (const row of rows) {
    yield* unblocked(() => {
      const collection = unit.waits === foundAt ? first : findCollection(context, ns);
      const before = unit.waits === foundAt ? row.version : stillMatching(context, unit, collection, row, request);
      if (collection === undefined || before === undefined) return;
      context.engine.transactions.write(unit.transaction, collection, { record: row.record, before, after: undefined });
      n++;
    });
  }
  return n;
}

function readRequest(context: Context, statement: Document): DeleteRequest {
  const filter = statementField(context, 'deletes', statement, 'q');
  if (!isDocument(filter)) throw wrongType('delete', 'deletes.q', filter, 'object');
  if (namesTime(filter)) throw new CommandError(51144, "Builtin variable '$$NOW' is not available");
  const limit = Number(statementField(context, 'deletes', statement, 'limit'));
  if (limit !== 0 && limit !== 1) {
    throw new CommandError(9, `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  }
  return { filter, sort: {}, hint: statement['hint'], collation: statement['collation'], isSingle: limit === 1 };
}

/** The time of the command is given to finds and updates, but not to deletes (recorded of 4.2). */
function namesTime(value: Value): boolean {
  if (Array.isArray(value)) return value.some(namesTime);
  return isDocument(value) ? Object.values(value).some(namesTime) : value === '$$NOW';
}
