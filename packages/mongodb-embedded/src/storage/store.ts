import { realpathSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openCommits, type Commits } from './commits.ts';
import type { KeyEntry } from './sorted-keys.ts';

/** The durable state in one SQLite database: encoded documents by record id, index entries in key order. */
export interface Store extends Commits {
  readRecord(record: number): Uint8Array | undefined;
  putRecord(record: number, bytes: Uint8Array): void;
  deleteRecord(record: number): void;
  putEntry(index: number, key: Uint8Array, record: number): void;
  deleteEntry(index: number, key: Uint8Array, record: number): void;
  /** The record that holds exactly this key of a unique index. */
  holderOf(index: number, key: Uint8Array): number | undefined;
  /** The next entries of an index after a position, in key order. */
  entries(range: EntryRange): KeyEntry[];
  /** The number of entries from `lower` up to but not including `upper`, counted up to `countMax`. */
  countEntries(range: { index: number; lower: Uint8Array; upper: Uint8Array; countMax: number }): number;
  /** The next records of a collection after a record id, in the order of insertion, with their documents. */
  records(range: RecordRange): StoredRow[];
  countRecords(from: number, to: number, countMax: number): number;
  lastRecord(from: number, to: number): number | undefined;
  dropRecords(from: number, to: number): void;
  dropIndex(index: number): void;
  /** A statement that changes nothing. */
  statement(sql: string): StatementSync;
}

/** `key` and `record` name the position to go on from; `limit` is the other end: exclusive forward, inclusive backward. */
export interface EntryRange {
  index: number;
  key: Uint8Array;
  record: number;
  limit: Uint8Array;
  backward: boolean;
  rowsMax: number;
}

export interface RecordRange {
  record: number;
  limit: number;
  backward: boolean;
  rowsMax: number;
}

export interface StoredRow extends KeyEntry {
  document: Uint8Array;
}

const schema = `
  CREATE TABLE IF NOT EXISTS catalog (id INTEGER PRIMARY KEY AUTOINCREMENT, ns TEXT UNIQUE, definition BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, document BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS entry (index_id INTEGER, key BLOB, record INTEGER, PRIMARY KEY (index_id, key, record)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session (id BLOB PRIMARY KEY, number TEXT NOT NULL, committed INTEGER NOT NULL, used_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS carried_out (session BLOB, first INTEGER, statements BLOB NOT NULL, PRIMARY KEY (session, first)) WITHOUT ROWID;
`;

const cacheKib = 256 * 1024;
/**
 * Pages of SQLite's log before it is copied into the file; one that several rounds have written is copied once. More would
 * spare some copies, but everybody waits meanwhile.
 */
const checkpointPages = 6_144;

/**
 * Opens the database in a file, or in memory for ':memory:'. In a file a commit survives the death of the process
 * and of the machine: SQLite's write-ahead log is synchronised when it takes what the redo log (FILE-redo) gathered.
 * Throws when the file cannot be written or another engine has it.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function openStore(file: string): Store {
  const database = new DatabaseSync(file);
  try {
    return storeIn(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}

function storeIn(database: DatabaseSync, file: string): Store {
  // A second engine on the same file would not see this one's open transactions, so it is locked out.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // Where fsync alone is no barrier (macOS), SQLite asks for one as Node does for the redo log.
  database.exec('PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1;');
  database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKib};`);
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages};`);
  database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`);
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let found = prepared.get(sql);
    if (found === undefined) prepared.set(sql, (found = database.prepare(sql)));
    return found;
  };
  // Beside the file itself, as SQLite's own log is, by whatever link it is opened.
  const logFile = file === ':memory:' ? undefined : `${realpathSync(file)}-redo`;
  const commits = openCommits(database, logFile, statement);
  return {
    ...commits,
    ...recordAccess(statement, commits.change),
    ...entryAccess(statement, commits.change),
    statement,
    close() {
      try {
        commits.close();
      } finally {
        if (database.isOpen) database.close();
      }
    },
  };
}

/** SQLite's LIMIT, where a negative one is none. */
function rowLimit(countMax: number): number {
  return Number.isSafeInteger(countMax) ? countMax : -1;
}

type Statement = (sql: string) => StatementSync;

/** What every look-up and every page asks: an array takes less time to make than an object with names. */
function inArrays(prepared: StatementSync): StatementSync {
  prepared.setReturnArrays(true);
  return prepared;
}

function recordAccess(statement: Statement, change: Commits['change']) {
  const read = inArrays(statement('SELECT document FROM record WHERE id = ?'));
  const put = change(
    'INSERT INTO record (id, document) VALUES (?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
  );
  const remove = change('DELETE FROM record WHERE id = ?');
  const removeRange = change('DELETE FROM record WHERE id >= ? AND id < ?');
  const select = "SELECT x'' AS key, id AS record, document FROM record";
  const forward = statement(`${select} WHERE id > ? AND id < ? ORDER BY id LIMIT ?`);
  const backward = statement(`${select} WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT ?`);
  const count = statement('SELECT count(*) AS n FROM (SELECT 1 FROM record WHERE id >= ? AND id < ? LIMIT ?)');
  return {
    readRecord: (record: number) => (read.get(record) as unknown as [Uint8Array] | undefined)?.[0],
    putRecord: (record: number, bytes: Uint8Array) => void put(record, bytes),
    deleteRecord: (record: number) => void remove(record),
    records: (range: RecordRange) =>
      (range.backward ? backward : forward).all(range.record, range.limit, range.rowsMax) as unknown as StoredRow[],
    countRecords: (from: number, to: number, countMax: number) =>
      Number(count.get(from, to, rowLimit(countMax))?.['n']),
    lastRecord: (from: number, to: number) =>
      (statement('SELECT max(id) AS id FROM record WHERE id >= ? AND id < ?').get(from, to)?.['id'] ?? undefined) as
        number | undefined,
    dropRecords: (from: number, to: number) => void removeRange(from, to),
  };
}

function entryAccess(statement: Statement, change: Commits['change']) {
  const put = change('INSERT INTO entry (index_id, key, record) VALUES (?, ?, ?)');
  const remove = change('DELETE FROM entry WHERE index_id = ? AND key = ? AND record = ?');
  const removeIndex = change('DELETE FROM entry WHERE index_id = ?');
  const holder = inArrays(statement('SELECT record FROM entry WHERE index_id = ? AND key = ?'));
  const select = 'SELECT key, record FROM entry WHERE index_id = ?';
  const inside = 'SELECT 1 FROM entry WHERE index_id = ? AND key >= ? AND key < ? LIMIT ?';
  const count = statement(`SELECT count(*) AS n FROM (${inside})`);
  const forward = inArrays(statement(`${select} AND (key, record) > (?, ?) AND key < ? ORDER BY key, record LIMIT ?`));
  const backward = inArrays(
    statement(`${select} AND (key, record) < (?, ?) AND key >= ? ORDER BY key DESC, record DESC LIMIT ?`),
  );
  return {
    putEntry: (index: number, key: Uint8Array, record: number) => void put(index, key, record),
    deleteEntry: (index: number, key: Uint8Array, record: number) => void remove(index, key, record),
    holderOf: (index: number, key: Uint8Array) => (holder.get(index, key) as unknown as [number] | undefined)?.[0],
    entries: ({ index, key: from, record: after, limit, backward: isBackward, rowsMax }: EntryRange): KeyEntry[] => {
      const rows: unknown = (isBackward ? backward : forward).all(index, from, after, limit, rowsMax);
      return (rows as [Uint8Array, number][]).map(([key, record]) => ({ key, record }));
    },
    countEntries: ({ index, lower, upper, countMax }: Parameters<Store['countEntries']>[0]) =>
      Number(count.get(index, lower, upper, rowLimit(countMax))?.['n']),
    dropIndex: (index: number) => void removeIndex(index),
  };
}
