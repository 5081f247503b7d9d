import { ObjectId, Timestamp } from 'bson';
import { CommandError } from '../errors.ts';
import { isBson, isDocument, type Document, type Value } from '../semantics/values.ts';
import { validate } from '../storage/collection.ts';
import { newVersion } from '../storage/version.ts';
import { receivedBytes } from '../wire/message.ts';
import type { Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { isTrue, namespaceOf } from './fields.ts';
import {
  collectionForInsert,
  readStatements,
  runStatements,
  runWrite,
  unblocked,
  type Unit,
  type Work,
} from './write-unit.ts';

/** insert. Source: manual, "insert" (recordings: insert, transactions, retryable). */
export function insert(context: Context): Promise<Reply> {
  const ns = namespaceOf(context);
  const statements = asAnswered(context, readStatements(context, 'documents'));
  return runWrite(context, function* (unit): Work<Reply> {
    let n = 0;
    const failed = yield* runStatements(context, statements, function* ({ statement, id }) {
      if (!isRemembered(context, id)) {
        const inserted = yield* insertDocument(context, unit, ns, storable(statement));
        remember(context, unit, id, { op: 'i', _id: inserted['_id'] });
      }
      n++;
    });
    return { n, ...failed, ok: 1 };
  });
}

/**
 * The statements in the order in which their results are told. MongoDB up to 5.0 gathers documents and inserts them together,
 * but of a retry tells at once what was carried out before, and goes on with the next document. So the places in the reply are
 * not those of the documents; and if the last document was carried out before, those that were still gathered are neither
 * inserted nor told of. Source: `performInserts` in MongoDB 4.4's `write_ops_exec.cpp`, and the replies of a 4.4.0.
 */
function asAnswered<T extends { readonly id: number }>(context: Context, statements: readonly T[]): readonly T[] {
  const isRepeated = ({ id }: T): boolean => isRemembered(context, id);
  const repeated = statements.filter(isRepeated);
  if (repeated.length === 0) return statements;
  const isLastRepeated = repeated.at(-1) === statements.at(-1);
  return isLastRepeated ? repeated : [...repeated, ...statements.filter((statement) => !isRepeated(statement))];
}

/** Inserts one document, waiting for whoever holds its keys. Throws 11000, 112, 121, 171 or 263. */
export function* insertDocument(context: Context, unit: Unit, ns: string, document: Document): Work<Document> {
  const after = newVersion(document, 2, receivedBytes(document));
  yield* unblocked(() => {
    const collection = collectionForInsert(context, ns);
    if (!isTrue(context.command['bypassDocumentValidation'])) validate(collection, document, undefined);
    const record = collection.nextRecord++;
    context.engine.transactions.write(unit.transaction, collection, { record, before: undefined, after });
  });
  return document;
}

/**
 * The document as it is stored: `_id` first, made if missing; an empty Timestamp at the top gets the time. One that needs
 * neither is given back itself, so that the bytes it came in can be stored as they are.
 * Throws 2 for an `_id` or a field name that cannot be stored, 52 for dollar fields inside `_id`.
 */
export function storable(document: Document): Document {
  const { _id: id = new ObjectId() } = document;
  if (Array.isArray(id)) throw new CommandError(2, "can't use an array for _id");
  if (isBson(id, 'BSONRegExp')) throw new CommandError(2, "can't use a regex for _id");
  const dollar = isDocument(id) ? Object.keys(id).find((name) => name.startsWith('$')) : undefined;
  if (dollar !== undefined) throw new CommandError(52, `${dollar} is not valid for storage.`);
  const fields: Document = { _id: id };
  const names = Object.keys(document);
  let isAsStored = names[0] === '_id';
  for (const name of names) {
    if (name === '_id') continue;
    const value = document[name];
    if (name.startsWith('$')) throw new CommandError(2, `Document can't have $ prefixed field names: ${name}`);
    const isTimeless = isEmptyTimestamp(value);
    if (isTimeless) isAsStored = false;
    fields[name] = isTimeless ? timestampNow() : value;
  }
  return isAsStored ? document : fields;
}

/** Whether a statement of this retryable write has been carried out already. */
export function isRemembered({ session, isRetryable }: Context, statement: number): boolean {
  return isRetryable && session !== undefined && session.statements.has(statement);
}

/** Keeps the result of a statement for a retry, if the command is a retryable write. */
export function remember(
  { engine, session, isRetryable }: Context,
  unit: Unit,
  statement: number,
  result: Document,
): void {
  if (isRetryable && session !== undefined) engine.sessions.remember(session, unit.transaction, statement, result);
}

function isEmptyTimestamp(value: Value): boolean {
  return isBson(value, 'Timestamp') && value.t === 0 && value.i === 0;
}

function timestampNow(): Timestamp {
  return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
}
