import type { Collection, Filter } from 'mongodb';
import {
  countRows,
  findRows,
  readPage,
  type IdRange,
  type ListedForm,
  type Page,
  type PagePlace,
  type ReadOptions,
  type ReadTime,
  type Total,
} from '../storage/shared/page.ts';

/*
 * A list is served by its index, which then has just its rows, or looked through: the index has others too, so that documents
 * have to be looked at, and any number of them may lie between two rows that are shown. So a page or a count that is looked
 * through stops after the newest so many.
 */

/** How many rows a page or a count looks at. Some 3 µs each. */
export const rowsLookedMax = 10_000;
/** How many rows are looked at first for each row that is to be shown: most filters fit one row in a few. */
const nearRows = 10;

/** Which rows a list has, and the index that leads to them. */
export interface ListSource<Row> {
  /** The name of the index. */
  readonly hint: string;
  /** The conditions that the keys of the index answer. */
  readonly served: Filter<Row>;
  /** Those that only the documents answer. */
  readonly others: Filter<Row>;
  readonly ids: IdRange;
}

/** Whether the index has just the rows of the list. */
export function isServed<Row>({ others }: ListSource<Row>): boolean {
  return Object.keys(others).length === 0;
}

/** All rows of a list, as a filter. */
function rowsOf<Row>({ served, others, ids: { from, before } }: ListSource<Row>): Filter<Row> {
  return { ...served, ...others, _id: { $gte: from, $lt: before } };
}

/**
 * A page of a list, newest first: one command if the list is served by its index. Otherwise two, or four if its rows lie far
 * apart: it then ends after {@link rowsLookedMax} rows, and may be empty though others follow.
 * @throws as `readPage` does.
 */
export async function readPageOf<Row extends { readonly _id: string }, Item>(
  collection: Collection<Row>,
  source: ListSource<Row>,
  place: PagePlace,
  form: ListedForm<Row, Item>,
  options: ReadOptions,
): Promise<Page<Item>> {
  const read = (from: ListSource<Row>) =>
    readPage(collection, rowsOf(from), place, form, { ...options, hint: source.hint });
  if (isServed(source)) return read(source);
  const near = nearRows * (place.skip + place.size + 1);
  if (near < rowsLookedMax) {
    const lookedTo = await endOfLook(collection, source, near, options);
    const page = await read(downTo(source, lookedTo));
    if (page.hasMore || lookedTo === undefined) return page;
  }
  return readLookedThrough(collection, source, place, form, options);
}

/** A page of those rows of a list that are among the newest so many that its index leads to. @throws as `readPage` does. */
export async function readLookedThrough<Row extends { readonly _id: string }, Item>(
  collection: Collection<Row>,
  source: ListSource<Row>,
  place: PagePlace,
  form: ListedForm<Row, Item>,
  options: ReadOptions,
  countMax = rowsLookedMax,
): Promise<Page<Item>> {
  const lookedTo = await endOfLook(collection, source, countMax, options);
  const rows = rowsOf(downTo(source, lookedTo));
  return { ...(await readPage(collection, rows, place, form, { ...options, hint: source.hint })), lookedTo };
}

/**
 * The number of a list's rows; if its index has others too, of the newest {@link rowsLookedMax} that it leads to.
 * @throws as `countRows` does.
 */
export async function countRowsOf<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  source: ListSource<Row>,
  time: ReadTime,
): Promise<Total> {
  const lookedTo = isServed(source) ? undefined : await endOfLook(collection, source, rowsLookedMax, time);
  const total = await countAll(collection, downTo(source, lookedTo), time);
  return { total, isExact: lookedTo === undefined };
}

/** The number of all rows of a list, however many have to be looked at. @throws as `countRows` does. */
export function countAll<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  source: ListSource<Row>,
  options: ReadOptions,
): Promise<number> {
  return countRows(collection, rowsOf(source), { ...options, hint: source.hint });
}

function downTo<Row>(source: ListSource<Row>, lookedTo: string | undefined): ListSource<Row> {
  return lookedTo === undefined ? source : { ...source, ids: { ...source.ids, from: lookedTo } };
}

/** The last of the newest so many rows that an index leads to; undefined if it leads to no more. Reads index keys alone. */
async function endOfLook<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  { served, ids, hint }: ListSource<Row>,
  countMax: number,
  options: ReadOptions,
): Promise<string | undefined> {
  const filter = rowsOf({ served, others: {}, ids, hint });
  const keys = { filter, sort: { _id: -1 }, skip: countMax - 1, limit: 2, projection: { _id: 1 } } as const;
  const [last, next] = await findRows(collection, keys, { ...options, hint });
  return next === undefined ? undefined : last?._id;
}
