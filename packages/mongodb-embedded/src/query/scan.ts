import { recordRange, type Collection, type Index } from '../storage/collection.ts';
import { compareEntries, nextEntry, type KeyEntry } from '../storage/sorted-keys.ts';
import type { Store, StoredRow } from '../storage/store.ts';
import { dirtyEntries, type View } from '../storage/view.ts';
import type { Version } from '../storage/version.ts';
import type { Versions } from '../storage/versions.ts';

/** One index entry and the document behind it. */
export interface Row extends KeyEntry {
  version: Version;
}

/** The keys from `lower` up to but not including `upper`. */
export interface Interval {
  lower: Uint8Array;
  upper: Uint8Array;
}

/** Where a scan reads from: the committed state and, in a transaction, what that sees differently. */
export interface Source {
  store: Store;
  versions: Versions;
  collection: Collection;
  view: () => View | undefined;
  lastCommit: () => number;
}

/** What is read at once to begin with, where nobody says how many rows are wanted. */
export const firstRows = 16;
const chunkMax = 512;

/**
 * The visible rows of an index in an interval, in key order or backward, read as they are asked for. Between two
 * rows others may write: a scan outside a transaction then goes on in the new state, as a cursor of MongoDB does.
 */
export function* scanIndex(source: Source, scan: EntryScan): Generator<Row> {
  for (const entry of scanEntries(source, scan)) {
    const version = versionOf(source, entry);
    if (version !== undefined) yield { key: entry.key, record: entry.record, version };
  }
}

/** A visible entry: of a record that looks different here, or as it is stored, with its document where that was read. */
export interface FoundEntry extends KeyEntry {
  visible?: Version;
  document?: Uint8Array;
}

/** What of an index is read, and how. */
export interface EntryScan {
  index: Index;
  interval: Interval;
  backward: boolean;
  /** As many rows are likely to be asked for. */
  rowsWanted: number;
}

/** See {@link scanIndex}; documents are left for the reader to read. */
export function* scanEntries(
  source: Source,
  { index, interval, backward, rowsWanted }: EntryScan,
): Generator<FoundEntry> {
  const range = recordRange(source.collection);
  const start = backward ? range.to : range.from - 1;
  let position: KeyEntry = index.natural
    ? { key: new Uint8Array(0), record: start }
    : { key: backward ? interval.upper : interval.lower, record: -1 };
  let chunk: (KeyEntry | StoredRow)[] = [];
  let at = 0;
  let rowsMax = Math.min(rowsWanted, chunkMax);
  let readAt = -1;
  const refill = (from: KeyEntry): void => {
    chunk = index.natural
      ? source.store.records({ record: from.record, limit: backward ? range.from : range.to, backward, rowsMax })
      : source.store.entries({
          ...{ index: index.id, key: from.key, record: from.record, backward, rowsMax },
          limit: backward ? interval.lower : interval.upper,
        });
    at = 0;
    readAt = source.lastCommit();
  };
  for (;;) {
    const view = source.view();
    // Rows read ahead are of an older state once somebody has committed.
    if (readAt !== source.lastCommit()) refill(position);
    let stored = chunk[at];
    while (view !== undefined && stored !== undefined && view.dirty.has(stored.record)) {
      const skipped = stored;
      stored = chunk[++at];
      if (stored === undefined && chunk.length === rowsMax) {
        refill(skipped);
        stored = chunk[0];
      }
    }
    const own = view === undefined ? undefined : ownEntry(view, index, interval, position, backward);
    if (stored === undefined && own === undefined) return;
    if (stored !== undefined && (own === undefined || isBefore(stored, own, backward))) {
      position = stored;
      const full = chunk.length === rowsMax;
      if (++at === chunk.length) {
        rowsMax = Math.min(rowsMax * 2, chunkMax);
        if (full) readAt = -1;
      }
      yield stored;
    } else if (own !== undefined) {
      position = own;
      const visible = view?.dirty.get(own.record)?.visible;
      if (visible !== undefined) yield { key: own.key, record: own.record, visible };
    }
  }
}

/** The row of one whole key of a unique index, if there is one. */
export function lookUp({ store, versions, view }: Source, index: Index, key: Uint8Array): Row[] {
  const seen = view();
  const own = seen === undefined ? undefined : nextEntry(dirtyEntries(seen, index), key, -1, false);
  const visible = own === undefined ? undefined : seen?.dirty.get(own.record)?.visible;
  if (own !== undefined && visible !== undefined && Buffer.compare(own.key, key) === 0) {
    return [{ key, record: own.record, version: visible }];
  }
  const record = store.holderOf(index.id, key);
  if (record === undefined || seen?.dirty.has(record)) return [];
  const version = versions.lookUp(record);
  return version === undefined ? [] : [{ key, record, version }];
}

function versionOf({ versions }: Source, { record, visible, document }: FoundEntry): Version | undefined {
  if (visible !== undefined) return visible;
  return document === undefined ? versions.scan(record) : versions.ofBytes(record, document);
}

function ownEntry(view: View, index: Index, interval: Interval, position: KeyEntry, backward: boolean) {
  const entry = nextEntry(dirtyEntries(view, index), position.key, position.record, backward);
  if (entry === undefined || index.natural) return entry;
  const inside = backward
    ? Buffer.compare(entry.key, interval.lower) >= 0
    : Buffer.compare(entry.key, interval.upper) < 0;
  return inside ? entry : undefined;
}

function isBefore(left: KeyEntry, right: KeyEntry, backward: boolean): boolean {
  const order = compareEntries(left, right);
  return backward ? order > 0 : order < 0;
}
