import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';
import { storedVersion, type Version } from './version.ts';

/**
 * The committed version of each record, read from the store or kept from the last time: what was looked up by its key is
 * likely to be looked up again and changed soon, and its document and keys are known here. Versions are shared, so nobody
 * may change a document that is in one.
 */
export interface Versions {
  /** The committed version of a record, kept for the next one who asks. */
  lookUp(record: number): Version | undefined;
  /** The same for one record of many: what is read only now is not kept, or a long scan would displace all else. */
  scan(record: number): Version | undefined;
  /** A version of bytes that were just read from the store. */
  ofBytes(record: number, bytes: Uint8Array): Version;
  /** Puts what a commit has written in the place of what is kept; to be called when it cannot fail any more. */
  replace(record: number, version: Version | undefined): void;
  /** Gives free what is kept of the records from `from` up to but not including `to`. */
  forget(from: number, to: number): void;
}

/** Few enough that the garbage collector, which visits them all, does not cost what they save. */
const keptVersionsMax = 4_096;
const keptBytesMax = 16 * 1024 * 1024;
/** A larger document is not kept: it would displace many. */
const keptDocumentBytesMax = 64 * 1024;

/** The versions of a store that nobody else writes to. */
export function createVersions(store: Store): Versions {
  const kept = new LRUCache<number, Version>({
    ...{ max: keptVersionsMax, maxSize: keptBytesMax, maxEntrySize: keptDocumentBytesMax },
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  const scan = (record: number): Version | undefined => {
    const known = kept.get(record);
    if (known !== undefined) return known;
    const bytes = store.readRecord(record);
    return bytes === undefined ? undefined : storedVersion(bytes);
  };
  return {
    scan,
    lookUp(record) {
      const version = scan(record);
      if (version !== undefined && !kept.has(record)) kept.set(record, version);
      return version;
    },
    ofBytes: (record, bytes) => kept.get(record) ?? storedVersion(bytes),
    replace(record, version) {
      // Most of what is inserted is never asked for again, or not before it is displaced.
      if (!kept.has(record)) return;
      // A version too large to be kept displaces the one before it all the same.
      if (version === undefined) kept.delete(record);
      else kept.set(record, version);
    },
    forget(from, to) {
      for (const record of kept.keys()) if (record >= from && record < to) kept.delete(record);
    },
  };
}
