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

/** The commits that SQLite's file does not have yet, each an entry with the next number. */
export interface RedoLog {
  readonly bytesMax: number;
  /** The number of the last commit in here; before the first one, of the last in SQLite's file. */
  last(): number;
  /** Makes a commit durable. Gives false, having done nothing, when there is no room for it. Throws what writing does. */
  append(changes: Change[]): boolean;
  /** The commits since the file was last begun anew, in their order. */
  entries(): Generator<Change[]>;
  /** Begins the file anew: SQLite's file has all up to the commit of this number. */
  startOver(number: number): void;
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
 * Opens the log of a database whose file has all commits up to number `settled`. Entries of an earlier round have lower
 * numbers and one cut short by a crash has a wrong checksum: both end the reading. Nobody else may have it open.
 * Throws when the file cannot be opened or read.
 */
export function openRedoLog(path: string, settled: number): RedoLog {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  syncFolder(dirname(path));
  let first = settled;
  let last = settled;
  let end = 0;
  for (let next = readEntry(file, end, last + 1); next !== undefined; next = readEntry(file, end, last + 1)) {
    end += headerBytes + next.length;
    last++;
  }
  return {
    bytesMax: logBytesMax,
    last: () => last,
    append(changes) {
      const payload = encode(changes);
      if (end + headerBytes + payload.length > logBytesMax) return false;
      const written = writevSync(file, [headerOf(last + 1, payload), payload], end);
      if (written < headerBytes + payload.length) throw new Error(`${path} took a part of a commit alone`);
      fdatasyncSync(file);
      end += written;
      last++;
      return true;
    },
    *entries() {
      for (let number = first + 1, at = 0; number <= last; number++) {
        const payload = readEntry(file, at, number);
        if (payload === undefined) throw new Error(`commit ${number} can no longer be read from ${path}`);
        at += headerBytes + payload.length;
        yield decode(payload);
      }
    },
    startOver(number) {
      first = last = number;
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
  const none = { bytesMax: 0, last: () => 0, append: () => false, entries: function* () {} };
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
  return rows.map(([place, ...values]) => ({ sql: statements[place] ?? '', values }));
}

function headerOf(number: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeDoubleLE(number, 0);
  header.writeUInt32LE(payload.length, 8);
  header.writeUInt32LE(checksum(header, payload), 12);
  return header;
}

function checksum(header: Buffer, payload: Buffer): number {
  return crc32(payload, crc32(header.subarray(0, 12)));
}

/** What the entry at a place holds, if it is the one with this number and whole. */
function readEntry(file: number, at: number, number: number): Buffer | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, at) < headerBytes || header.readDoubleLE(0) !== number) return undefined;
  const length = header.readUInt32LE(8);
  if (length > logBytesMax) return undefined;
  const payload = Buffer.alloc(length);
  if (readSync(file, payload, 0, length, at + headerBytes) < length) return undefined;
  return header.readUInt32LE(12) === checksum(header, payload) ? payload : undefined;
}

/** Makes the name of a new file as durable as what is written to it. */
function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY);
  fsyncSync(folder);
  closeSync(folder);
}
