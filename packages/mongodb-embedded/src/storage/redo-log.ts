import { closeSync, constants, fdatasyncSync, fsyncSync, openSync, readSync, writevSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';

export type SqlValue = number | string | Uint8Array;

/** A statement that changes the store, with its values. */
export interface Change {
  sql: string;
  values: SqlValue[];
}

/**
 * What SQLite's file has: all commits up to a number. The salt is new in each round; an entry of another round, or of the
 * log of another file, has a checksum that does not fit it.
 */
export interface Round {
  readonly number: number;
  readonly salt: Uint8Array;
}

/** The commits that SQLite's file does not have yet, each an entry with the next number. */
export interface RedoLog {
  readonly bytesMax: number;
  /** The number of the last commit in here; before the first one, of the last in SQLite's file. */
  last(): number;
  /** Makes a commit durable. Gives false, having done nothing, when there is no room for it. Throws what writing does. */
  append(changes: Change[]): boolean;
  isEmpty(): boolean;
  /** The commits of this round, in their order. Throws when one can no longer be read. */
  entries(): Generator<Change[]>;
  /** Begins the file anew, when SQLite's file has all that is in it. */
  startOver(round: Round): void;
  close(): void;
}

/** Number, length and checksum of an entry: 8, 4 and 4 bytes. */
const headerBytes = 16;
/**
 * So much is gathered before SQLite writes its pages: one that many commits touch is then written once. A start after a
 * crash carries out no more.
 */
export const logBytesMax = 4 * 1024 * 1024;

/**
 * Opens the log of a database whose file has all up to the given round. An entry cut short by a crash has a wrong checksum
 * and ends the reading, as those of another round do. Nobody else may have it open.
 * Throws when the file cannot be opened or read, or is damaged before its end.
 */
export function openRedoLog(path: string, settled: Round): RedoLog {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let round = settled;
  let last = settled.number;
  let end = 0;
  const read = (at: number, number: number): Buffer | undefined => readEntry(file, at, { ...round, number });
  try {
    syncFolder(dirname(path));
    for (let next = read(end, last + 1); next !== undefined; next = read(end, last + 1)) {
      end += headerBytes + next.length;
      last++;
    }
    refuseDamaged(path, file, end, { ...round, number: last + 1 });
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    bytesMax: logBytesMax,
    last: () => last,
    isEmpty: () => last === round.number,
    append(changes) {
      const payload = encode(changes);
      if (end + headerBytes + payload.length > logBytesMax) return false;
      const header = headerOf({ ...round, number: last + 1 }, payload);
      const written = writevSync(file, [header, payload], end);
      if (written < headerBytes + payload.length) throw new Error(`${path} took a part of a commit alone`);
      fdatasyncSync(file);
      end += written;
      last++;
      return true;
    },
    *entries() {
      for (let number = round.number + 1, at = 0; number <= last; number++) {
        const payload = read(at, number);
        if (payload === undefined) throw new Error(`commit ${number} can no longer be read from ${path}`);
        at += headerBytes + payload.length;
        yield decode(payload);
      }
    },
    startOver(next) {
      round = next;
      last = next.number;
      end = 0;
    },
    close() {
      closeSync(file);
    },
  };
}

/** The log of a database in memory, with room for nothing: SQLite gets every commit at once. */
export function noRedoLog(): RedoLog {
  const nothing = (): void => undefined;
  const none = { bytesMax: 0, last: () => 0, isEmpty: () => true, append: () => false, entries: function* () {} };
  return { ...none, startOver: nothing, close: nothing };
}

/** Plain arrays: neither are objects to become records, nor byte arrays to keep their class. */
const packr = new Packr({ useRecords: false, moreTypes: false });

/** A statement's text is spelled out once; a change names it by its place. */
function encode(changes: Change[]): Buffer {
  const places = new Map<string, number>();
  const rows = changes.map(({ sql, values }) => {
    let place = places.get(sql);
    if (place === undefined) places.set(sql, (place = places.size));
    return [place, ...values];
  });
  return packr.pack([[...places.keys()], rows]);
}

function decode(payload: Buffer): Change[] {
  const [statements, rows] = packr.unpack(payload) as [string[], [number, ...SqlValue[]][]];
  return rows.map(([place, ...values]) => {
    const sql = statements[place];
    if (sql === undefined) throw new Error('a commit in the log names a statement that it does not have');
    return { sql, values };
  });
}

function headerOf(entry: Round, payload: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeDoubleLE(entry.number, 0);
  header.writeUInt32LE(payload.length, 8);
  header.writeUInt32LE(checksum(header, payload, entry), 12);
  return header;
}

function checksum(header: Buffer, payload: Buffer, { salt }: Round): number {
  return crc32(payload, crc32(header.subarray(0, 12), crc32(salt)));
}

/** What the entry at a place holds, if it is the one with this number and salt, and whole. */
function readEntry(file: number, at: number, entry: Round): Buffer | undefined {
  const header = readHeader(file, at);
  if (header?.number !== entry.number) return undefined;
  const payload = Buffer.alloc(header.length);
  if (readSync(file, payload, 0, header.length, at + headerBytes) < header.length) return undefined;
  return header.checksum === checksum(header.bytes, payload, entry) ? payload : undefined;
}

function readHeader(file: number, at: number) {
  const bytes = Buffer.alloc(headerBytes);
  if (readSync(file, bytes, 0, headerBytes, at) < headerBytes) return undefined;
  const length = bytes.readUInt32LE(8);
  if (length > logBytesMax) return undefined;
  return { bytes, number: bytes.readDoubleLE(0), length, checksum: bytes.readUInt32LE(12) };
}

/** An entry is written once the one before it is on the disk: behind one that is cut short, there is never a whole one. */
function refuseDamaged(path: string, file: number, at: number, entry: Round): void {
  const header = readHeader(file, at);
  if (header?.number !== entry.number) return;
  const next = { ...entry, number: entry.number + 1 };
  if (readEntry(file, at + headerBytes + header.length, next) === undefined) return;
  throw new Error(`${path} is damaged: commit ${entry.number} cannot be read, and a later one can`);
}

/** Makes the name of a new file as durable as what is written to it. */
function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY);
  fsyncSync(folder);
  closeSync(folder);
}
