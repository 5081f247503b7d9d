import type { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { Page, PagePlace, Total } from '../../storage/shared/page.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { rowsSkippedMax } from './queries.ts';
import type { ListLimiter } from './limiter.ts';
import type { ApiAnswer, ApiRequest, ReadContext } from '../route.ts';
import { parse } from '../parse.ts';
import { refuseAll, type Query } from '../query.ts';

/*
 * A page is asked for by number, which reads and counts the rows before it, or by the cursor of the page before, which carries
 * the filters and the total and reads none.
 */

interface Paging {
  readonly page?: number | undefined;
  readonly size: number;
}

/** A page that was asked for, by number or by cursor. */
export interface ListRequest<Values extends Paging> {
  readonly list: string;
  readonly values: Values;
  /** The filters as they were given, for the next cursor. */
  readonly filters: Readonly<Record<string, string>>;
  /** Null for a page by cursor. */
  readonly page: number | null;
  /** The cursor's row, and the total it carries. */
  readonly after: (Total & { readonly below: string }) | undefined;
}

/**
 * Reads a list's query.
 * @param list names the list and whose it is. A cursor of another list is refused.
 * @throws ServiceError what {@link parse} throws; CURSOR_MALFORMED; CURSOR_CONFLICT for a parameter that
 * contradicts the cursor's filters, or is `page`; PAGE_TOO_DEEP beyond {@link rowsSkippedMax}.
 */
export function readListRequest<Values extends Paging>(
  schema: z.ZodType<Values>,
  list: string,
  query: Query,
): ListRequest<Values> {
  const { cursor: cursorText, ...parameters } = query;
  if (cursorText === undefined) {
    const values = parse(schema, parameters);
    const { page: _page, size: _size, ...filters } = parameters;
    if ((values.page ?? 0) * values.size > rowsSkippedMax) throw new ServiceError('PAGE_TOO_DEEP', { field: 'page' });
    return { list, values, filters, page: values.page ?? 0, after: undefined };
  }
  const cursor = decodeCursor(cursorText, list);
  if (cursor === undefined || !schema.safeParse(cursor.filters).success)
    throw new ServiceError('CURSOR_MALFORMED', { field: 'cursor' });
  const { size = String(cursor.size), ...repeated } = parameters;
  const isOther = ([name, value]: [string, string]): boolean => name === 'page' || cursor.filters[name] !== value;
  refuseAll(
    'CURSOR_CONFLICT',
    Object.entries(repeated)
      .filter(isOther)
      .map(([name]) => name),
  );
  const { below, total, totalIsExact: isExact, filters } = cursor;
  return { list, values: parse(schema, { ...filters, size }), filters, page: null, after: { below, total, isExact } };
}

interface ListReader<Item> {
  readonly page: (place: PagePlace) => Promise<Page<Item>>;
  /** @param shown a page of the list, if one was just read. */
  readonly count: (shown?: Page<Item>) => Promise<Total>;
  /** Whether even the first page is counted before it is read: counting is cheap, and looking for rows that are not there is not. */
  readonly isCountedFirst?: boolean;
  readonly present: (item: Item) => unknown;
  /** Called if there is no row to show that the list's subject exists; throws if it does not. */
  readonly ifEmpty?: () => Promise<unknown>;
}

/** Answers a page once it may be read. Only pages by number count the rows. */
export async function answerList<Values extends Paging, Item extends { readonly id: string }>(
  limiter: ListLimiter,
  context: ReadContext,
  request: ListRequest<Values>,
  sourceOf: (timeLeftMs: ApiRequest['timeLeftMs']) => ListReader<Item>,
): Promise<ApiAnswer> {
  return limiter(context, (timeLeftMs) => readPageOf(request, sourceOf(timeLeftMs)));
}

async function readPageOf<Values extends Paging, Item extends { readonly id: string }>(
  request: ListRequest<Values>,
  source: ListReader<Item>,
): Promise<ApiAnswer> {
  const { list, filters, page } = request;
  const { size } = request.values;
  const { items, hasMore, lookedTo, total, isExact: totalIsExact } = await readRows(request, source);
  if (items.length === 0) await source.ifEmpty?.();
  const below = hasMore ? items.at(-1)?.id : lookedTo;
  return {
    data: {
      items: items.map(source.present),
      page,
      size,
      total,
      totalIsExact,
      totalPages: Math.ceil(total / size),
      nextCursor: below === undefined ? null : encodeCursor({ list, below, total, totalIsExact, size, filters }),
    },
  };
}

async function readRows<Values extends Paging, Item>(
  { values: { size }, page, after }: ListRequest<Values>,
  source: ListReader<Item>,
): Promise<Page<Item> & Total> {
  if (after !== undefined) {
    const { below, ...carried } = after;
    return { ...(await source.page({ size, skip: 0, below })), ...carried };
  }
  const skip = (page ?? 0) * size;
  // Counted first, so that rows which are not there are not looked for among all others.
  const counted = skip > 0 || source.isCountedFirst === true ? await source.count() : undefined;
  if (counted?.isExact === true && counted.total <= skip) return { items: [], hasMore: false, ...counted };
  const rows = await source.page({ size, skip });
  const isEmpty = rows.items.length === 0;
  const seen = isEmpty ? 0 : skip + rows.items.length;
  // The last page tells the number by itself.
  const isLast = !rows.hasMore && (!isEmpty || skip === 0);
  if (isLast && rows.lookedTo === undefined) return { ...rows, total: seen, isExact: true };
  if (isLast && counted === undefined) return { ...rows, total: seen, isExact: false };
  const { total, isExact } = counted ?? (await source.count(rows));
  // The two are of two moments, so the page may have a row that was not counted.
  return { ...rows, total: Math.max(total, rows.hasMore ? seen + 1 : seen), isExact };
}

/** Reading so many legs costs as much as another list. */
const legsARequest = 100;

/**
 * Counts a page of which the orders have many legs as several requests: one may have as many as a hundred small pages.
 * @param legs of each order, if it names any. @throws as `chargeRate` does.
 */
export async function chargeLegs(
  { chargeRate }: Pick<ApiRequest, 'chargeRate'>,
  legs: readonly (readonly unknown[] | undefined)[],
): Promise<void> {
  const count = legs.reduce((sum, ofOrder) => sum + (ofOrder?.length ?? 0), 0);
  if (count > legsARequest) await chargeRate(Math.ceil(count / legsARequest));
}
