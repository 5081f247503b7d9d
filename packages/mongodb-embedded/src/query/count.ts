import { recordRange } from '../storage/collection.ts';
import type { IndexScan } from './plan.ts';
import { firstRows, scanEntries, type Interval, type Source } from './scan.ts';

/** How many records a scan finds, counted up to `countMax`, whatever is in them: no document is read. */
export function countEntries(source: Source, { index, intervals }: IndexScan, countMax: number): number {
  const isCommittedState = (source.view()?.dirty.size ?? 0) === 0;
  if (!isCommittedState || index.arrayPaths.size > 0) return countOneByOne(source, { index, intervals }, countMax);
  let count = 0;
  for (const interval of intervals) {
    if (count >= countMax) break;
    count += countStored(source, index, interval, countMax - count);
  }
  return count;
}

function countStored(
  { store, collection }: Source,
  index: IndexScan['index'],
  { lower, upper }: Interval,
  countMax: number,
): number {
  const { from, to } = recordRange(collection);
  return index.natural
    ? store.countRecords(from, to, countMax)
    : store.countEntries({ index: index.id, lower, upper, countMax });
}

/** A transaction may see some records otherwise; and a record with several keys counts once. */
function countOneByOne(
  source: Source,
  { index, intervals }: Pick<IndexScan, 'index' | 'intervals'>,
  countMax: number,
): number {
  const records = new Set<number>();
  for (const interval of intervals) {
    for (const { record } of scanEntries(source, { index, interval, backward: false, rowsWanted: firstRows })) {
      if (records.size >= countMax) return countMax;
      records.add(record);
    }
  }
  return Math.min(records.size, countMax);
}
