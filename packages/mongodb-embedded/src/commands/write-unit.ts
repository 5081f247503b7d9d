import { CommandError } from '../errors.ts';
import { before } from '../sessions/locks.ts';
import { unlessKilled } from '../sessions/sessions.ts';
import { integerOf } from '../semantics/numbers.ts';
import { isDocument, isNumeric, type Document, type Value } from '../semantics/values.ts';
import type { Collection, Writer } from '../storage/collection.ts';
import { WriteBlocked, type Transaction } from '../storage/transaction.ts';
import type { Version } from '../storage/version.ts';
import { findCollection, type Context } from './context.ts';
import { isTrue, listField, missing, wrongType } from './fields.ts';

/** Steps of a write that yield whom they have to wait for. Between two waits all happens at once. */
export type Work<T> = Generator<Writer, T>;

/** What a command writes into: its transaction, or one of its own that is renewed after each wait. */
export interface Unit {
  transaction: Transaction;
  waits: number;
}

/**
 * Runs a write. Outside a transaction what is done is committed before each wait and at the end, so nothing is held
 * while waiting and no two writes can wait for each other. Throws 50 when maxTimeMS runs out meanwhile.
 */
export async function runWrite<T>(context: Context, work: (unit: Unit) => Work<T>): Promise<T> {
  const { transactions } = context.engine;
  if (context.transaction !== undefined) {
    const step = work({ transaction: context.transaction.unit, waits: 0 }).next();
    if (!step.done) throw new Error('a write in a transaction never waits');
    return step.value;
  }
  const unit: Unit = { transaction: transactions.begin(true), waits: 0 };
  try {
    const steps = work(unit);
    let step = steps.next();
    while (!step.done) {
      transactions.commit(unit.transaction);
      await before(context.deadline, unlessKilled(context.session, step.value.ended));
      unit.transaction = transactions.begin(true);
      unit.waits++;
      step = steps.next();
    }
    transactions.commit(unit.transaction);
    return step.value;
  } finally {
    transactions.abort(unit.transaction);
  }
}

/** Tries again after each wait until nobody is in the way. */
export function* unblocked<T>(work: () => T): Work<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof WriteBlocked)) throw error;
      yield error.by;
    }
  }
}

/** A record as the unit sees it. */
export function readVisible(
  { engine }: Context,
  unit: Unit,
  collection: Collection,
  record: number,
): Version | undefined {
  const dirty = engine.transactions.view(unit.transaction, collection).dirty.get(record);
  return dirty === undefined ? engine.versions.lookUp(record) : dirty.visible;
}

/** The collection to insert into, made if need be. */
export function collectionForInsert(context: Context, ns: string): Collection {
  return findCollection(context, ns) ?? createCollection(context, ns, {});
}

/**
 * Makes a collection: at once, or in a transaction as part of it, so that its commit conflicts with whoever has made one of
 * that name meanwhile. Throws 73 for system names and what an invalid validator throws.
 */
export function createCollection({ engine, transaction }: Context, ns: string, options: Document): Collection {
  if (ns.slice(ns.indexOf('.') + 1).startsWith('system.')) throw new CommandError(73, `cannot write to '${ns}'`);
  const { catalog, transactions } = engine;
  const created = catalog.prepare(ns, options);
  if (transaction !== undefined) {
    transaction.unit.created.set(ns, created);
    return created;
  }
  created.definedAt = transactions.define(() => {
    catalog.save(created);
  });
  catalog.enter(created);
  return created;
}

/** A definition in a transaction needs the read concern `local`. Throws 72 for others. */
export function refuseReadConcern({ name, transaction }: Context): void {
  const level = transaction?.readConcern ?? 'local';
  if (level !== 'local')
    throw new CommandError(72, `Command ${name} does not support { readConcern: { level: ${level} } }`);
}

/** The statements of a write command with their ids: documents to insert, or `{ q, u }` and the like. */
export function readStatements(context: Context, field: string): { statement: Document; id: number }[] {
  const { command } = context;
  const statements = listField(context, field);
  if (statements.length === 0 || statements.length > 100_000) {
    throw new CommandError(16, `Write batch sizes must be between 1 and 100000. Got ${statements.length} operations.`);
  }
  const ids = command['stmtIds'];
  if (Array.isArray(ids) && ids.length !== statements.length) {
    throw new CommandError(16, 'Number of statement ids must match the number of batch entries');
  }
  const first = wholeNumber(command['stmtId']) ?? 0;
  return statements.map((statement, at) => {
    if (!isDocument(statement)) throw wrongType(context.name, field, statement, 'object');
    return { statement, id: Array.isArray(ids) ? (wholeNumber(ids[at]) ?? at) : first + at };
  });
}

/**
 * Runs the statements of a command one by one; the failed ones are told in `writeErrors`. An ordered command stops at
 * the first failure. So does any command in a transaction, and conflicts there fail the command as a whole.
 */
export function* runStatements<T>(
  context: Context,
  statements: readonly T[],
  run: (statement: T, index: number) => Work<void>,
): Work<object> {
  const isOrdered = context.command['ordered'] === undefined || isTrue(context.command['ordered']);
  const writeErrors: object[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      yield* run(statement, index);
    } catch (error) {
      if (!(error instanceof CommandError) || endsCommand.has(error.code)) throw error;
      writeErrors.push({ index, code: error.code, ...error.extra, errmsg: error.message });
      if (isOrdered || context.transaction !== undefined) break;
    }
  }
  return writeErrors.length === 0 ? {} : { writeErrors };
}

/** A field of a statement that must be there. */
export function statementField(
  context: Context,
  list: string,
  statement: Document,
  field: string,
): NonNullable<Value> | null {
  const value = statement[field];
  if (value === undefined) throw missing(context.name, `${list}.${field}`);
  return value;
}

// Conflicts and interruptions concern the command, not one of its statements.
const endsCommand = new Set([24, 50, 112, 246, 251, 11600, 11601]);

function wholeNumber(value: Value): number | undefined {
  return isNumeric(value) ? integerOf(value) : undefined;
}
