import { randomBytes } from 'node:crypto';
import { CommandError, shown } from '../errors.ts';
import { isBson, type Value } from '../semantics/values.ts';
import type { CursorReply, Reply } from '../wire/reply.ts';
import type { Context } from './context.ts';
import { listField, missing, numberField, wrongType } from './fields.ts';
import { takeBatch, type Cursor, type Results } from './open-cursors.ts';

const firstBatchSize = 101;

/** The reply of a command that opens a cursor: the first batch, and a cursor if there may be more. */
export function openCursor(
  context: Context,
  ns: string,
  results: Results,
  batchSize: number | undefined,
  single = false,
): Reply {
  const { documents, isDone } = takeBatch(results, batchSize ?? firstBatchSize);
  const isOpen = !isDone && !single;
  const id = isOpen ? newCursorId(context) : 0n;
  if (isOpen) {
    const { session, transaction } = context;
    context.engine.cursors.set(id, { id, ns, results, session, transaction, usedAt: Date.now() });
  }
  return { cursor: { id, ns, batch: 'firstBatch', documents }, ok: 1 };
}

/** getMore. Throws 43 for an unknown cursor, 507xx for one of another session or transaction. */
export function getMore(context: Context): Reply {
  const { command, engine } = context;
  const id = command['getMore'];
  const collection = command['collection'];
  if (!isBson(id, 'Long')) throw wrongType('getMore', 'getMore', id, 'long');
  if (collection === undefined) throw new CommandError(9, "Field 'collection' missing in getMore");
  const cursor = engine.cursors.get(id.toBigInt());
  if (cursor === undefined) throw new CommandError(43, `cursor id ${id.toString()} not found`);
  refuseForeign(context, cursor);
  if (cursor.ns !== `${context.database}.${shown(collection)}`) {
    throw new CommandError(
      13,
      `Requested getMore on namespace '${shown(collection)}', but cursor belongs to ${cursor.ns}`,
    );
  }
  const batchSize = numberField(context, 'batchSize');
  if (batchSize !== undefined && batchSize <= 0) throw new CommandError(2, 'Batch size for getMore must be positive');
  const { documents, isDone } = takeBatch(cursor.results, batchSize ?? Infinity);
  cursor.usedAt = Date.now();
  if (isDone) engine.cursors.delete(cursor.id);
  const reply: CursorReply = { id: isDone ? 0n : cursor.id, ns: cursor.ns, batch: 'nextBatch', documents };
  return { cursor: reply, ok: 1 };
}

/** killCursors. */
export function killCursors(context: Context): Reply {
  const ids = listField(context, 'cursors');
  if (ids.length === 0) throw new CommandError(2, 'Must specify at least one cursor id');
  const killed: Value[] = [];
  const notFound: Value[] = [];
  for (const id of ids) {
    if (!isBson(id, 'Long')) throw wrongType('killCursors', 'cursors', id, 'long');
    (context.engine.cursors.delete(id.toBigInt()) ? killed : notFound).push(id);
  }
  return { cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
}

/** The `cursor: { batchSize }` of commands other than find. */
export function cursorBatchSize(context: Context): number | undefined {
  const { command, name } = context;
  const cursor = command['cursor'];
  if (cursor === undefined) return undefined;
  if (cursor === null || typeof cursor !== 'object' || '_bsontype' in cursor || Array.isArray(cursor)) {
    throw new CommandError(14, 'cursor field must be missing or an object');
  }
  const { batchSize } = cursor as Record<string, Value>;
  const size = numberField({ ...context, command: { batchSize } }, 'batchSize');
  if (size !== undefined && size < 0) throw missing(name, 'cursor.batchSize');
  return size;
}

function refuseForeign({ session, transaction, command }: Context, cursor: Cursor): void {
  const what = `Cannot run getMore on cursor ${cursor.id}, which was`;
  if (cursor.session !== undefined && session === undefined) {
    throw new CommandError(50737, `${what} created in session ${cursor.session.key}, without an lsid`);
  }
  if (session !== undefined && cursor.session !== session) {
    const owner = cursor.session?.key;
    if (owner === undefined)
      throw new CommandError(50736, `${what} not created in a session, in session ${session.key}`);
    throw new CommandError(50738, `${what} created in session ${owner}, in session ${session.key}`);
  }
  if (cursor.transaction === transaction) return;
  if (cursor.transaction === undefined) {
    throw new CommandError(
      50739,
      `${what} not created in a transaction, in transaction ${shown(command['txnNumber'])}`,
    );
  }
  const { number } = cursor.transaction;
  if (transaction === undefined)
    throw new CommandError(50740, `${what} created in transaction ${number}, without a txnNumber`);
  throw new CommandError(50741, `${what} created in transaction ${number}, in transaction ${transaction.number}`);
}

function newCursorId({ engine }: Context): bigint {
  // Positive and beyond what a double holds, so that clients which mishandle 64 bits are found out.
  const id = (randomBytes(8).readBigUInt64LE() >> 1n) | (1n << 56n);
  return engine.cursors.has(id) ? newCursorId({ engine } as Context) : id;
}
