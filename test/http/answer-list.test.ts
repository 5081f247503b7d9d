import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { createListQueries } from '../../src/http/list-queries.ts';
import type { ListTurns } from '../../src/http/list-turns.ts';
import { answerList, readListRequest } from '../../src/http/lists.ts';
import type { PagePlace } from '../../src/storage/shared/page.ts';

const queries = createListQueries(createCurrencies(new Map()));

const atOnce: ListTurns = ({ timeLeftMs }, read) => read(timeLeftMs);
const asking = { workspaceId: 'ws', timeLeftMs: () => 1_000 };

/** A list of that many rows, and what was asked of it. */
async function ask(rows: number, query: string) {
  const asked: string[] = [];
  const request = readListRequest(queries.orders, 'list', new URLSearchParams(query));
  const { data } = await answerList(atOnce, asking, request, () => ({
    page: ({ size, skip }: PagePlace) => {
      asked.push('page');
      const items = Array.from({ length: rows }, (_, index) => ({ id: String(index) })).slice(skip, skip + size);
      return Promise.resolve({ items, hasMore: rows > skip + size });
    },
    count: () => {
      asked.push('count');
      return Promise.resolve(rows);
    },
    present: ({ id }: { id: string }) => id,
  }));
  return { asked, ...(data as { items: string[]; total: number; nextCursor: string | null }) };
}

describe('a list', () => {
  it.each([0, 1, 5])('of %i rows that fits its first page is not counted', async (rows) => {
    const { asked, items, total, nextCursor } = await ask(rows, 'size=5');
    expect({ asked, rows: items.length, total, nextCursor }).toEqual({
      ...{ asked: ['page'], rows, total: rows, nextCursor: null },
    });
  });

  it('that is longer is counted', async () => {
    expect(await ask(6, 'size=5')).toMatchObject({ asked: ['page', 'count'], total: 6 });
    expect(await ask(6, 'size=5&page=1')).toMatchObject({ asked: ['count', 'page'], items: ['5'], total: 6 });
  });

  it('is not read where the count says that nothing is there', async () => {
    expect(await ask(5, 'size=5&page=1')).toMatchObject({ asked: ['count'], items: [], total: 5 });
    expect(await ask(0, 'size=5&status=FAILED')).toMatchObject({ asked: ['count'], items: [], total: 0 });
  });
});
