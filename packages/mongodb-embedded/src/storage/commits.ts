import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { noRedoLog, openRedoLog, type Change, type RedoLog, type SqlValue } from './redo-log.ts';

/** Commits to one SQLite database. */
export interface Commits {
  /**
   * What `write` changes is durable when this returns, and undone when `write` throws an error of its own.
   * Throws {@link StoreFailed} when the disk fails.
   */
  commit(write: () => void): void;
  /** Prepares a statement that changes something, to be called inside `commit` alone. Throws what SQLite does. */
  change: (sql: string) => (...values: SqlValue[]) => ReturnType<StatementSync['run']>;
  /** Whether the disk has failed. To be asked after an error that SQLite threw, for it may have lost what it held. */
  hasFailed(): boolean;
  close(): void;
}

/**
 * The disk failed, and only a new start can tell whether the commit under way is there: a synchronisation that fails may
 * have left all of it. The database is closed, so that nothing wrong is answered.
 */
export class StoreFailed extends Error {}

const schema = `CREATE TABLE IF NOT EXISTS round (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, salt BLOB NOT NULL)`;
const saveRound = 'INSERT OR REPLACE INTO round VALUES (1, ?, ?)';
const saltBytes = 8;

/**
 * Many commits share one transaction of SQLite, which stays open: each is made durable by one short entry in a redo
 * log, and SQLite writes its pages when the log is full. What a crash leaves out of SQLite's file is then done again
 * from the log. A commit that finds no room in the log settles all before it and itself in SQLite's file.
 * The database is this process's alone. Throws what opening, reading and carrying out the log throws.
 */
export function openCommits(
  database: DatabaseSync,
  logFile: string | undefined,
  statement: (sql: string) => StatementSync,
): Commits {
  database.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT;`);
  const log = logFile === undefined ? noRedoLog() : openRedoLog(logFile, lastRound(statement));
  const changes = gatherChanges(log.bytesMax);
  const round = openRound(database, log, statement);
  const orFail = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (database.isOpen) database.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreFailed(`the data file failed: ${reason}`, { cause: error });
    }
  };
  try {
    round.restore();
    round.settle();
  } catch (error) {
    log.close();
    throw error;
  }
  return {
    change(sql) {
      const prepared = statement(sql);
      return (...values) => {
        changes.add({ sql, values });
        return prepared.run(...values);
      };
    },
    commit(write) {
      orFail(round.begin);
      changes.clear();
      try {
        write();
      } catch (error) {
        orFail(() => {
          if (isOfSqlite(error)) throw error;
          round.restore();
        });
        throw error;
      }
      orFail(() => {
        const all = changes.all();
        if (all === undefined || !log.append(all)) round.settle();
      });
    },
    hasFailed() {
      // A full disk or one that cannot be read makes SQLite roll back all that is not settled, even in a read.
      const isWhole = database.isOpen && (database.isTransaction || log.isEmpty());
      if (!isWhole && database.isOpen) database.close();
      return !isWhole;
    },
    close() {
      try {
        if (!database.isOpen) return;
        round.begin();
        round.settle();
      } finally {
        log.close();
      }
    },
  };
}

/** The transaction of SQLite that many commits share. */
function openRound(database: DatabaseSync, log: RedoLog, statement: (sql: string) => StatementSync) {
  return {
    begin: (): void => {
      if (database.isTransaction) return;
      if (!log.isEmpty()) throw new Error('SQLite has rolled back by itself');
      statement('BEGIN IMMEDIATE').run();
    },
    settle: (): void => {
      const next = { number: log.last() + 1, salt: randomBytes(saltBytes) };
      statement(saveRound).run(next.number, next.salt);
      statement('COMMIT').run();
      log.startOver(next);
    },
    /** What SQLite's file has, and the log on top of it. */
    restore: (): void => {
      if (database.isTransaction) statement('ROLLBACK').run();
      statement('BEGIN IMMEDIATE').run();
      for (const entry of log.entries()) for (const { sql, values } of entry) statement(sql).run(...values);
    },
  };
}

/** The last round that SQLite's file has all of; of a new one, one that no log knows. */
function lastRound(statement: (sql: string) => StatementSync): { number: number; salt: Uint8Array } {
  const row = statement('SELECT number, salt FROM round').get();
  if (row === undefined) return { number: 0, salt: randomBytes(saltBytes) };
  return { number: Number(row['number']), salt: row['salt'] as Uint8Array };
}

/** What no engine can do something about: no space, a page that cannot be read, no memory. */
function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** The changes of one commit: none once they are longer than `bytesMax`, for building an index may make any number. */
function gatherChanges(bytesMax: number) {
  let gathered: Change[] | undefined;
  let bytes = 0;
  return {
    clear(): void {
      gathered = [];
      bytes = 0;
    },
    add(change: Change): void {
      for (const value of change.values) bytes += typeof value === 'number' ? 1 : value.length;
      if (bytes > bytesMax) gathered = undefined;
      gathered?.push(change);
    },
    all: () => gathered,
  };
}
