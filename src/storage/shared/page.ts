import type { ClientSession, Collection, Document, Filter, FindOptions, MongoClient } from 'mongodb';
import { idPrefixes, leastIdAt } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { inOneReply } from './commands.ts';
import { isServerError } from './error-codes.ts';
import { inTransaction } from './transaction.ts';

/** Where a page of a list lies: after `skip` rows from the top, or, for a cursor, right below a row. */
export interface PagePlace {
  /** Rows of one page. */
  readonly size: number;
  readonly skip: number;
  /** The last row of the page before, for a cursor. */
  readonly below?: string | undefined;
}

export interface Page<T> {
  /** Newest first. */
  readonly items: readonly T[];
  /** Whether a row was seen that follows them. */
  readonly hasMore: boolean;
  /** The last row that was looked at, if it stopped there though rows may follow. The next page begins below it. */
  readonly lookedTo?: string | undefined;
}

/** The number of a list's rows. */
export interface Total {
  readonly total: number;
  /** False if only the rows of a part were counted. */
  readonly isExact: boolean;
}

export function exactly(total: number): Total {
  return { total, isExact: true };
}

/** Ids from `from`, inclusive, to `before`, exclusive. */
export interface IdRange {
  readonly from: string;
  readonly before: string;
}

/** When what is listed was created. */
export interface TimeRange {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** How a list's rows are read. */
export interface ListedForm<Row, Item> {
  /** Fields that no list shows, so that they are not sent and decoded for nothing. */
  readonly without: Readonly<Record<string, 0>>;
  readonly convert: (row: Row) => Item;
}

/** How long a list may be read for. */
export interface ReadTime {
  /** Milliseconds until the client is told that it took too long. */
  readonly timeLeftMs?: (() => number) | undefined;
}

/** How a command of a list is sent. */
export interface ReadOptions extends ReadTime {
  /** The session to read in, if not one of the driver's for each command. */
  readonly session?: ClientSession | undefined;
  /** The index to read, so that the server need not find out which is best. */
  readonly hint?: string;
}

/** What a command finds. */
interface Asked<Row> extends Pick<FindOptions, 'sort' | 'skip' | 'projection'> {
  readonly filter: Filter<Row>;
  /** The most rows. */
  readonly limit: number;
}

/** No id is greater: each begins with two letters and an underscore. */
export const beyondAnyId = '~';

/** The longest that a command of a list may take, because one client's odd filter must not exhaust the primary. */
const timeMaxMs = 8_000;
const retryAfterSeconds = 5;

/**
 * One page, newest first, in one round trip. Ids are unique, so pages by cursor neither repeat a row nor miss one that was
 * there when the first page was read. A row that is stored later may lie among them, because its id is made earlier.
 * @throws as {@link timeLimit} and {@link bounded} do.
 */
export async function readPage<Row extends { readonly _id: string }, Item>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { size, skip }: PagePlace,
  { without, convert }: ListedForm<Row, Item>,
  options: ReadOptions = {},
): Promise<Page<Item>> {
  const asked = { filter, sort: { _id: -1 }, skip, limit: size + 1, projection: without } as const;
  const rows = await findRows(collection, asked, options);
  return { items: rows.slice(0, size).map(convert), hasMore: rows.length > size };
}

/**
 * Finds rows by one command, and has all of them from its reply. The driver's cursor would take this process as long again as
 * all else about the command, and keep the reply in memory for long enough that it grows old.
 * @throws as {@link timeLimit} and {@link bounded} do; Error the rows are more than a reply holds, which is 16 MB.
 */
export async function findRows<Row extends { readonly _id: string }>(
  { db, collectionName }: Collection<Row>,
  { limit, ...asked }: Asked<Row>,
  { timeLeftMs, session, hint }: ReadOptions,
): Promise<Row[]> {
  // By name: a caller may pass on what it got, and the server refuses a field that it does not know.
  const index = hint === undefined ? {} : { hint };
  const rows = { find: collectionName, ...asked, limit, ...inOneReply(limit), ...index, ...timeLimit({ timeLeftMs }) };
  // A transaction has its own. Made anew, because the driver adds to it.
  const seen = session?.inTransaction() === true ? {} : { readConcern: { level: 'majority' } };
  const ofSession = session === undefined ? {} : { session };
  const { cursor } = await bounded(db.command({ ...rows, ...seen }, { ...ofSession, enableUtf8Validation: false }));
  const { id, firstBatch } = cursor as { readonly id: unknown; readonly firstBatch: Row[] };
  if (Number(id) !== 0) throw new Error(`${collectionName} sent more than one reply`);
  return firstBatch;
}

/** @throws as {@link readPage} does. */
export async function countRows<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { timeLeftMs, session, ...options }: ReadOptions,
): Promise<number> {
  const inSession = session === undefined ? {} : { session };
  return bounded(collection.countDocuments(filter, { ...timeLimit({ timeLeftMs }), ...inSession, ...options }));
}

/** The ids that were made from a time, inclusive, to another one, exclusive; where none is named, from the first or to the last. */
export function idsMadeIn(kind: keyof typeof idPrefixes, { from, to }: TimeRange): IdRange {
  return {
    from: from === undefined ? idPrefixes[kind] : leastIdAt(kind, from),
    before: to === undefined ? beyondAnyId : leastIdAt(kind, to),
  };
}

export function intersection(a: IdRange, b: IdRange): IdRange {
  return { from: a.from > b.from ? a.from : b.from, before: a.before < b.before ? a.before : b.before };
}

/** The part of a range that lies below a cursor's row. */
export function idsBelow(range: IdRange, below: string | undefined): IdRange {
  return below === undefined ? range : intersection(range, { from: '', before: below });
}

/**
 * The time limit of every command of a list. @throws ServiceError ANSWER_TOO_LATE no time is left, so that no command is
 * sent in vain.
 */
export function timeLimit({ timeLeftMs }: ReadTime): { readonly maxTimeMS: number } {
  const maxTimeMS = Math.min(timeMaxMs, Math.floor(timeLeftMs?.() ?? timeMaxMs));
  if (maxTimeMS < 1) throw new ServiceError('ANSWER_TOO_LATE', { retryAfterSeconds });
  return { maxTimeMS };
}

/** Awaits a command with a {@link timeLimit}. @throws ServiceError ANSWER_TOO_LATE if that was reached. */
export async function bounded<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!isServerError(cause, 'MaxTimeMSExpired')) throw cause;
    throw new ServiceError('ANSWER_TOO_LATE', { cause, retryAfterSeconds });
  }
}

export interface PagesOptions<Row> extends Pick<FindOptions, 'hint' | 'projection'> {
  readonly filter?: Filter<Row>;
  /** Where the ids begin or end. */
  readonly ids?: { readonly $eq?: string; readonly $gte?: string; readonly $lt?: string };
  /**
   * Each page is read in a snapshot, which waits for a commit under way, so that it shows whatever was seen to be posted before.
   * Absent: it may not.
   */
  readonly inSnapshotsOf?: MongoClient;
}

/**
 * All documents that match, by id, each page by a command of its own: so no cursor lives long, and memory stays flat however many
 * there are. What is stored meanwhile may or may not be seen. It ends with the first page that is empty, which is not handed out.
 */
export async function* pagesById<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  pageSize: number,
  { filter, ids, inSnapshotsOf, ...options }: PagesOptions<Row> = {},
): AsyncGenerator<Row[], void, undefined> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const ofPage = { ...filter, _id: { ...ids, $gt: last } } as Filter<Row>;
    const read = (inSession: { readonly session?: ClientSession }): Promise<Document[]> =>
      collection
        .find(ofPage, { ...options, ...inOneReply(pageSize), ...inSession })
        .sort({ _id: 1 })
        .limit(pageSize)
        .toArray();
    const rows = await (inSnapshotsOf === undefined
      ? read({})
      : inTransaction(inSnapshotsOf, (session) => read({ session })));
    last = (rows as Row[]).at(-1)?._id;
    if (last !== undefined) yield rows as Row[];
  }
}
