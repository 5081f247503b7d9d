import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../../src/domain/currency.ts';
import { decodeCursor } from '../../../src/http/lists/cursor.ts';
import { createOrdersQuery } from '../../../src/http/transfers/read.ts';
import type { ListLimiter } from '../../../src/http/lists/limiter.ts';
import { answerList, readListRequest } from '../../../src/http/lists/list.ts';
import { exactly, type Page, type PagePlace, type Total } from '../../../src/storage/shared/page.ts';

const ordersQuery = createOrdersQuery(createCurrencies(new Map()));

const atOnce: ListLimiter = ({ timeLeftMs }, read) => read(timeLeftMs);
const asking = { workspaceId: 'ws', timeLeftMs: () => 1_000 };

interface Row {
  readonly id: string;
}

/** A list, and what was asked of it. */
async function askOf(
  { page, count, isCountedFirst }: Pick<Parameters<typeof sourceOf>[0], 'page' | 'count' | 'isCountedFirst'>,
  query: string,
) {
  const asked: string[] = [];
  const request = readListRequest(ordersQuery, 'list', Object.fromEntries(new URLSearchParams(query)));
  const { data } = await answerList(atOnce, asking, request, () =>
    sourceOf({
      page(place) {
        asked.push('page');
        return page(place);
      },
      count() {
        asked.push('count');
        return count();
      },
      ...(isCountedFirst === undefined ? {} : { isCountedFirst }),
    }),
  );
  return { asked, ...(data as { items: string[]; total: number; totalIsExact: boolean; nextCursor: string | null }) };
}

function sourceOf(source: {
  page: (place: PagePlace) => Promise<Page<Row>>;
  count: () => Promise<Total>;
  isCountedFirst?: boolean;
}) {
  return { ...source, present: ({ id }: Row) => id };
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `tr_${count - index}` }));

/** A list of that many rows. */
function ask(rows: number, query: string, isCountedFirst = false) {
  const page = ({ size, skip }: PagePlace) =>
    Promise.resolve({ items: rowsOf(rows).slice(skip, skip + size), hasMore: rows > skip + size });
  return askOf({ page, count: () => Promise.resolve(exactly(rows)), isCountedFirst }, query);
}

describe('a list', () => {
  it.each([0, 1, 5])('of %i rows that fits its first page is not counted, filtered or not', async (rows) => {
    for (const query of ['size=5', 'size=5&status=FAILED']) {
      const { asked, items, nextCursor, ...paging } = await ask(rows, query);
      expect({ asked, rows: items.length, nextCursor }).toEqual({ asked: ['page'], rows, nextCursor: null });
      expect(paging).toMatchObject({ total: rows, totalIsExact: true });
    }
  });

  it('that is longer is counted', async () => {
    expect(await ask(6, 'size=5')).toMatchObject({ asked: ['page', 'count'], total: 6 });
    expect(await ask(6, 'size=5&page=1')).toMatchObject({ asked: ['count', 'page'], items: ['tr_1'], total: 6 });
  });

  it('is not read where the count says that nothing is there', async () => {
    expect(await ask(5, 'size=5&page=1')).toMatchObject({ asked: ['count'], items: [], total: 5 });
    expect(await ask(0, 'size=5&currency=EUR', true)).toMatchObject({ asked: ['count'], items: [], total: 0 });
  });

  it.each(['size=5', 'size=5&page=2'])(
    'whose rows come while it is read has no fewer in its total than are seen: %s',
    async (query) => {
      const count = () => Promise.resolve(exactly(11));
      const skipped = query.includes('page') ? 10 : 0;
      for (const isCountedFirst of [true, false]) {
        const asked = { count, isCountedFirst };
        // The last page tells the number, a page before it that there is one more.
        const last = await askOf(
          { ...asked, page: () => Promise.resolve({ items: rowsOf(4), hasMore: false }) },
          query,
        );
        expect(last).toMatchObject({ total: skipped + 4, nextCursor: null });
        const more = await askOf({ ...asked, page: () => Promise.resolve({ items: rowsOf(5), hasMore: true }) }, query);
        expect(more.total).toBe(Math.max(11, skipped + 6));
      }
    },
  );
});

describe('a query', () => {
  it.each([
    [101, 100],
    [10_001, 1],
    [999_999_999, 100],
  ])('for page %i of size %i is refused: a cursor leads further', (page, size) => {
    const query = { page: String(page), size: String(size) };
    expect(() => readListRequest(ordersQuery, 'list', query)).toThrow(
      expect.objectContaining({ errorName: 'PAGE_TOO_DEEP', field: 'page' }) as Error,
    );
  });
});

describe('a list whose rows are looked for among many others', () => {
  const lookedTo = 'tr_0';
  const page = (count: number) => () => Promise.resolve({ items: rowsOf(count), hasMore: false, lookedTo });
  const below = ({ nextCursor }: { nextCursor: string | null }) => decodeCursor(nextCursor ?? '', 'list');

  it.each([0, 3])('has a page of %i rows, the number that was seen, and the page that follows', async (count) => {
    const answer = await askOf({ page: page(count), count: () => Promise.reject(new Error('counted')) }, 'size=5');
    expect(answer).toMatchObject({ asked: ['page'], total: count, totalIsExact: false });
    expect(answer.items).toHaveLength(count);
    expect(below(answer)).toMatchObject({ below: lookedTo, total: count, totalIsExact: false });
    const next = await ask(4, `size=5&cursor=${answer.nextCursor ?? ''}`);
    expect(next).toMatchObject({ asked: ['page'], total: count, totalIsExact: false, nextCursor: null });
  });

  it('is counted beyond its first page, and goes on where the count ended', async () => {
    const count = () => Promise.resolve({ total: 3, isExact: false });
    const answer = await askOf({ page: page(0), count }, 'size=5&page=2');
    expect(answer).toMatchObject({ items: [], total: 3, totalIsExact: false });
    expect(below(answer)).toMatchObject({ below: lookedTo });
  });

  it('has the number that is known without counting', async () => {
    const answer = await askOf({ page: page(2), count: () => Promise.resolve(exactly(9)), isCountedFirst: true }, '');
    expect(answer).toMatchObject({ total: 9, totalIsExact: true });
    expect(below(answer)).toMatchObject({ below: lookedTo, totalIsExact: true });
  });
});
