import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { noRedoLog, openRedoLog } from './redo-log.ts';
import type { Change, SqlValue } from './redo-log.ts';

/** Commits to one SQLite database; each is durable when `commit` returns, or undone when it throws. */
export interface Commits {
  commit(write: () => void): void;
  /** Prepares a statement that changes something, to be called inside `commit` alone. Throws what SQLite does. */
  change: (sql: string) => (...values: SqlValue[]) => ReturnType<StatementSync['run']>;
  close(): void;
}

const schema = `CREATE TABLE IF NOT EXISTS settled (id INTEGER PRIMARY KEY, number INTEGER NOT NULL)`;
const saveSettled = 'INSERT INTO settled VALUES (1, ?) ON CONFLICT DO UPDATE SET number = excluded.number';

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
  const settled = Number(statement('SELECT max(number) AS number FROM settled').get()?.['number']);
  const log = logFile === undefined ? noRedoLog() : openRedoLog(logFile, settled);
  const changes = gatherChanges(log.bytesMax);
  const begin = (): void => {
    if (!database.isTransaction) statement('BEGIN IMMEDIATE').run();
  };
  const settle = (): void => {
    const number = log.last() + 1;
    statement(saveSettled).run(number);
    statement('COMMIT').run();
    log.startOver(number);
  };
  /** What SQLite's file has, and the log on top of it. */
  const restore = (): void => {
    if (database.isTransaction) statement('ROLLBACK').run();
    begin();
    for (const entry of log.entries()) for (const { sql, values } of entry) statement(sql).run(...values);
  };
  restore();
  settle();
  return {
    change(sql) {
      const prepared = statement(sql);
      return (...values) => {
        changes.add({ sql, values });
        return prepared.run(...values);
      };
    },
    commit(write) {
      begin();
      changes.clear();
      try {
        write();
        const all = changes.all();
        if (all === undefined || !log.append(all)) settle();
      } catch (error) {
        undo(database, restore);
        throw error;
      }
    },
    close() {
      try {
        begin();
        settle();
      } finally {
        log.close();
      }
    },
  };
}

/** Closes the database if the state before cannot be had again: no answer is better than a wrong one. */
function undo(database: DatabaseSync, restore: () => void): void {
  try {
    restore();
  } catch (error) {
    database.close();
    throw error;
  }
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
