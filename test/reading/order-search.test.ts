import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { openOrderSearch, ordersLookedMax, ordersPageSize, type OrderSearch } from '../../src/reading/order-search.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { idOf, openWatchedBooks, orderRow, sumOf, timeOf } from './watched-books.ts';

const { plain, db, insert, examinedBy } = openWatchedBooks();
const search = openOrderSearch(db);
const [busy, calm] = [newId('workspace'), newId('workspace')];
const [alice, bob, carol] = ['', '', ''].map(() => newId('wallet')) as [string, string, string];

/** Only those below 6,000 have ended. */
const row = (number: number, workspaceId: string, more: object = {}) =>
  orderRow(number, { workspaceId, wallets: [alice, bob], completedAt: timeOf(number), ...more });

const setAside = {
  status: 'SET_ASIDE',
  stuckSince: timeOf(1),
  fault: { attempts: 4, reason: 'no XAU', at: timeOf(1) },
};
const failed = { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' };
const endedCount = 6_000;
/** Every 1,000th FAILED, every 300th of the calm workspace. */
const ended = Array.from({ length: endedCount }, (_, number) =>
  row(number, number % 300 === 7 ? calm : busy, {
    ...(number % 1_000 === 5 ? failed : {}),
    ...(number === 3_005 ? { amount: toDecimal128(new Money('7.50')) } : {}),
    ...(number === 4_005 ? { wallets: [alice, carol], targetWalletId: carol } : {}),
  }),
);

const numberOf = (createdAt: Date): number => (createdAt.getTime() - timeOf(0).getTime()) / 1_000;

beforeAll(() =>
  insert('orders', [
    ...ended,
    row(7_001, busy, { status: 'PENDING', completedAt: null, type: 'HOLD' }),
    row(7_002, busy, { ...setAside, completedAt: null }),
    row(7_003, calm, { ...setAside, completedAt: null }),
  ]),
);

/** The numbers of all orders that a search finds, page by page, and how often it had to look further. */
async function all(asked: OrderSearch) {
  const numbers: number[] = [];
  let [pages, cuts] = [0, 0];
  for (let below: string | undefined; ;) {
    const page = await search.page(asked, below);
    expect(page.orders.length).toBeLessThanOrEqual(ordersPageSize);
    numbers.push(...page.orders.map(({ createdAt }) => numberOf(createdAt)));
    pages += 1;
    if (page.isCut) cuts += 1;
    if (page.below === undefined) return { numbers, pages, cuts };
    ({ below } = page);
  }
}

const numbersOf = (isIt: (each: (typeof ended)[number], number: number) => boolean) =>
  ended.flatMap((each, number) => (isIt(each, number) ? [number] : [])).toReversed();

describe('a search of a workspace', () => {
  it.each<[string, Omit<OrderSearch, 'state'>, Parameters<typeof numbersOf>[0]]>([
    ['that FAILED', {}, ({ status }) => status === 'FAILED'],
    ['of an amount', { amount: new Money('7.5') }, (_, number) => number === 3_005],
    ['of a wallet and an amount', { walletId: alice, amount: new Money('7.50') }, (_, number) => number === 3_005],
    ['of a wallet', { walletId: carol }, (_, number) => number === 4_005],
  ])('finds those %s, newest first, each once', async (_, asked, isIt) => {
    const { numbers, cuts } = await all({ workspaceId: busy, state: 'FAILED', ...asked });
    expect(numbers).toEqual(numbersOf((each, number) => each.workspaceId === busy && isIt(each, number)));
    expect(cuts).toBe(0);
  });

  it('reads a page’s orders and no more where an index has them', async () => {
    const rows = ordersPageSize + 1;
    for (const asked of [{ state: 'FAILED' }, { walletId: alice, state: 'FAILED' }, { state: 'SET_ASIDE' }] as const) {
      const { commands: sent, documents } = sumOf(await examinedBy(() => search.page({ workspaceId: busy, ...asked })));
      expect(sent).toBe(1);
      expect(documents, JSON.stringify(asked)).toBeLessThanOrEqual(rows);
    }
  });

  it('tells those that wait from those that are set aside', async () => {
    expect((await all({ workspaceId: busy, state: 'SET_ASIDE' })).numbers).toEqual([7_002]);
  });
});

describe('a search of all workspaces', () => {
  it('finds the few FAILED ones among many, further and further back', async () => {
    const { numbers, cuts, pages } = await all({ state: 'FAILED' });
    expect(numbers).toEqual([5_005, 4_005, 3_005, 2_005, 1_005, 5]);
    expect({ cuts, pages }).toEqual({ cuts: 1, pages: 2 });
  });

  it('looks at no more than so many orders a page', async () => {
    const cost = sumOf(await examinedBy(() => search.page({ state: 'FAILED' })));
    expect(cost.commands).toBe(2);
    expect(cost.documents).toBeLessThanOrEqual(2 * ordersLookedMax + 1);
    expect(cost.keys).toBeLessThanOrEqual(2 * ordersLookedMax + 2);
  });

  it('has each order once, though new ones come between its pages', async () => {
    const before = await all({ state: 'FAILED' });
    const numbers: number[] = [];
    let next = 10_000;
    for (let below: string | undefined; ;) {
      const page = await search.page({ state: 'FAILED' }, below);
      numbers.push(...page.orders.map(({ createdAt }) => numberOf(createdAt)));
      await insert('orders', [row(next++, busy, failed), row(next++, calm, failed)]);
      if (page.below === undefined) break;
      ({ below } = page);
    }
    expect(numbers).toEqual(before.numbers);
    await plain.collection<{ _id: string }>('orders').deleteMany({ _id: { $gte: idOf(10_000) } });
  });

  it('finds what is set aside, whosever it is', async () => {
    expect((await all({ state: 'SET_ASIDE' })).numbers).toEqual([7_003, 7_002]);
    expect((await all({ state: 'SET_ASIDE', amount: new Money(2) })).numbers).toEqual([]);
  });
});
