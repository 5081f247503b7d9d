/** One entry of an index as a transaction sees it. */
export interface KeyEntry {
  key: Uint8Array;
  record: number;
}

/** Adds an entry to a list in order; the list stays sorted by key, then by record. */
export function addEntry(entries: KeyEntry[], entry: KeyEntry): void {
  const at = positionOf(entries, entry.key, entry.record);
  if (at === entries.length) entries.push(entry);
  else entries.splice(at, 0, entry);
}

/** Removes an entry if it is there. */
export function removeEntry(entries: KeyEntry[], { key, record }: KeyEntry): void {
  const at = positionOf(entries, key, record);
  const found = entries[at];
  if (found?.record === record && Buffer.compare(found.key, key) === 0) entries.splice(at, 1);
}

/** The first entry behind a position, or the last one before it when reading backward. */
export function nextEntry(
  entries: KeyEntry[],
  key: Uint8Array,
  record: number,
  backward: boolean,
): KeyEntry | undefined {
  const at = positionOf(entries, key, record);
  if (backward) return entries[at - 1];
  const found = entries[at];
  return found?.record === record && Buffer.compare(found.key, key) === 0 ? entries[at + 1] : found;
}

/** Less than zero when the left entry comes first. */
export function compareEntries(left: KeyEntry, right: KeyEntry): number {
  return Buffer.compare(left.key, right.key) || left.record - right.record;
}

/** Where the first entry not less than (key, record) is, or would be. */
function positionOf(entries: KeyEntry[], key: Uint8Array, record: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && (Buffer.compare(entry.key, key) || entry.record - record) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
