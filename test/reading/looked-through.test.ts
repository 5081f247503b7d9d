import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { rowsLookedMax } from '../../src/reading/looked-through.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { idOf, openWatchedBooks, orderRow, timeOf } from './watched-books.ts';

/*
 * Lists whose filters no index answers together, of a workspace with more orders than a page or a count may look at: all have
 * one reference, and what is asked for is rare.
 */

const rows = 2 * rowsLookedMax + 500;
const workspaceId = newId('workspace');
const [alice, bob] = [newId('wallet'), newId('wallet')];
const reference = 'all';
const isRare = (row: number): boolean => row % 4_000 < 2;
const orderOf = (row: number) => ({
  status: isRare(row) ? 'FAILED' : row > rows - 10 ? 'PENDING' : 'COMPLETED',
  currency: row % 3_000 === 7 ? 'EUR' : 'USD',
  type: row % 3 === 0 ? 'HOLD' : row % 5_000 === 1 ? 'REVERSAL' : 'TRANSFER',
});

const { plain, db, insert, examinedBy } = openWatchedBooks();
const lists = openOrderLists(db);
const rowOf = (row: number) => orderRow(row, { workspaceId, wallets: [alice, bob], reference, ...orderOf(row) });
beforeAll(() =>
  insert(
    'orders',
    Array.from({ length: rows }, (_, row) => rowOf(row)),
  ),
);

type Query = Omit<Parameters<typeof lists.page>[0], 'workspaceId'>;
type Place = Parameters<typeof lists.page>[1];

/** The rows of a list, newest first. */
function listed({ walletId: _, from, to, reference: __, ...others }: Query): string[] {
  const filters: Readonly<Record<string, unknown>> = others;
  return Array.from({ length: rows }, (___, row) => row)
    .filter((row) => (from === undefined || timeOf(row) >= from) && (to === undefined || timeOf(row) < to))
    .filter((row) =>
      Object.entries(orderOf(row)).every(([name, value]) =>
        [undefined, value].includes(filters[name] as string | undefined),
      ),
    )
    .map(idOf)
    .reverse();
}

/** What each command examined, by an index in its order. */
async function examined(read: () => Promise<unknown>) {
  const found = await examinedBy(read);
  for (const { stages } of found) expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
  return found;
}

const page = (query: Query, place: Partial<Place> = {}) =>
  lists.page({ workspaceId, ...query }, { size: 20, skip: 0, ...place });

/** All pages of a list, by cursor. */
async function pagesOf(query: Query, size: number) {
  const pages = [await page(query, { size })];
  for (;;) {
    const { items, hasMore, lookedTo } = pages.at(-1)!;
    const below = hasMore ? items.at(-1)!.id : lookedTo;
    if (below === undefined) return pages;
    pages.push(await page(query, { size, below }));
  }
}

const later = { from: timeOf(1_000) };
const filters: [string, Query, isExact: boolean][] = [
  ['FAILED, of a reference', { reference, status: 'FAILED' }, false],
  ['nothing, of a reference', { reference, currency: 'JPY' }, false],
  ['most, of a reference', { reference, status: 'COMPLETED' }, false],
  ['FAILED, of the usual type, from a time on', { ...later, type: 'TRANSFER', status: 'COMPLETED' }, false],
  ['a currency, from a time on', { ...later, currency: 'EUR' }, false],
  ['a type, of a wallet, from a time on', { ...later, walletId: alice, type: 'REVERSAL' }, false],
  ['FAILED, of a type, from a time on', { ...later, type: 'HOLD', status: 'FAILED' }, true],
  ['a type, in few orders', { from: timeOf(rows - rowsLookedMax), type: 'REVERSAL', walletId: alice }, true],
  ['a type', { type: 'REVERSAL', from: timeOf(0) }, true],
];

describe.each(filters)('a list of %s', (_, query, isExact) => {
  it('has each order once in its pages, whichever of them are short', async () => {
    const expected = listed(query);
    const pages = await pagesOf(query, expected.length > 100 ? 1_000 : 3);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(expected);
  });

  it('looks at so many for a page, and for its number, and says whether that is exact', async () => {
    const bound = rowsLookedMax + 3;
    for (const below of [undefined, idOf(rows - 2_000), idOf(1_400)]) {
      const costs = await examined(() => page(query, { below }));
      expect(costs.length).toBeLessThanOrEqual(4);
      for (const cost of costs) expect(Math.max(cost.keys, cost.documents)).toBeLessThanOrEqual(bound);
    }
    let found = { total: -1, isExact: !isExact };
    const costs = await examined(async () => (found = await lists.count({ workspaceId, ...query })));
    for (const cost of costs) expect(Math.max(cost.keys, cost.documents)).toBeLessThanOrEqual(bound);
    const expected = listed(query);
    const counted = isExact ? expected : expected.filter((id) => id >= idOf(rows - rowsLookedMax));
    expect(found).toEqual({ total: counted.length, isExact });
  });
});

it('a page of what is frequent looks at little', async () => {
  const [first, second] = await examined(() => page({ reference, status: 'COMPLETED' }));
  expect(first!.keys).toBeLessThanOrEqual(10 * 21 + 2);
  expect(second!.documents).toBeLessThanOrEqual(40);
});

it('orders that come while a list is read neither repeat others nor hide them', async () => {
  const query = { reference, status: 'FAILED' } as const;
  const first = await page(query, { size: 3 });
  const newer = Array.from({ length: 30 }, (_, index) => ({
    ...rowOf(rows + index),
    type: 'TRANSFER',
    status: 'FAILED',
  }));
  await insert('orders', newer);
  const ids = first.items.map(({ id }) => id);
  let last = first;
  for (let below = ids.at(-1); below !== undefined;) {
    last = await page(query, { size: 3, below });
    ids.push(...last.items.map(({ id }) => id));
    below = last.hasMore ? ids.at(-1) : last.lookedTo;
  }
  await plain.collection<{ _id: string }>('orders').deleteMany({ _id: { $gte: idOf(rows) } });
  expect(ids).toEqual(listed(query));
});
