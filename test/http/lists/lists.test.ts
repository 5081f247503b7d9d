import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { totalsId } from '../../../src/domain/ids.ts';
import { encodeCursor } from '../../../src/http/lists/cursor.ts';
import type { Order } from '../../../src/http/transfers/order.ts';
import { OrderPage } from '../../../src/http/transfers/read.ts';
import { FlowPage, type Flow } from '../../../src/http/wallets/flows.ts';
import { WalletPage } from '../../../src/http/wallets/read.ts';
import type { Wallet } from '../../../src/http/wallets/wallet.ts';
import { orderStatuses } from '../../../src/orders/order.ts';
import { serviceForTests } from '../../support/service.ts';
import { createWorkspace } from '../../support/workspace.ts';

type Query = Record<string, string | number>;
type OrderItem = z.output<typeof Order>;
type WalletItem = z.output<typeof Wallet>;
type Item = WalletItem | z.output<typeof Flow> | OrderItem;
type List = Omit<z.output<typeof OrderPage>, 'items'> & { items: Item[] };

const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';

const service = await serviceForTests();
const [home, stranger] = await Promise.all([createWorkspace(service), createWorkspace(service)]);
const alice = await home.wallet('100');
const bob = await home.wallet();
const carol = await home.wallet('50', 'EUR');
const dave = await home.wallet('0', 'EUR');
for (let count = 1; count <= 23; count++) await transfer(count % 4 === 0 ? [bob, alice] : [alice, bob], '1.00');
for (let count = 1; count <= 2; count++) await transfer([alice, bob], '5000');
await transfer([carol, dave], '7', 'EUR');
/** Every order of the home workspace, oldest first: two fundings, 23 of USD that complete, two that fail, one of EUR. */
const orders = ((await list(ordersPath, { size: 100 })).items as OrderItem[]).toReversed();

async function transfer([source, target]: [string, string], amount: string, currency = 'USD'): Promise<OrderItem> {
  const body = { sourceWalletId: source, targetWalletId: target, amount, currency };
  const answer = await home.client.request<OrderItem>('POST', createPath, { body, headers: { Prefer: 'wait=10' } });
  expect(answer.status).toBe(200);
  return answer.envelope!.data;
}

async function list(path: string, query: Query = {}): Promise<List> {
  const answer = await home.client.request<List>('GET', path, { query });
  expect([answer.status, answer.envelope?.message]).toEqual([200, 'SUCCESS']);
  return answer.envelope!.data;
}

const idOf = (item: Item): string => ('bizId' in item ? item.transferId : item.id);

/** Ids of every page, by cursor, and how many pages there were. */
async function follow(path: string, query: Query, between?: () => Promise<unknown>) {
  let page = await list(path, query);
  const ids = page.items.map(idOf);
  const { total } = page;
  while (page.nextCursor !== null) {
    await between?.();
    page = await list(path, { cursor: page.nextCursor });
    expect([page.page, page.total]).toEqual([null, total]);
    ids.push(...page.items.map(idOf));
  }
  return { ids, total };
}

const lists: readonly [string, () => string, z.ZodType, number][] = [
  ['wallets', () => '/api/v1/wallets', WalletPage, 4],
  ['flows', () => `/api/v1/wallets/${alice}/flows`, FlowPage, 24],
  ['orders', () => ordersPath, OrderPage, 28],
  ['orders of a wallet', () => `${ordersPath}/wallet/${alice}`, OrderPage, 26],
];

describe.each(lists)('the list of %s', (_, path, resource, total) => {
  it('has the published shape, newest first', async () => {
    const page = await list(path());
    resource.parse(page);
    expect(page).toMatchObject({ page: 0, size: 20, total, totalPages: Math.ceil(total / 20) });
    expect(page.items.map(idOf)).toEqual(page.items.map(idOf).toSorted().toReversed());
  });

  it('is the same by number and by cursor, in pages of any size', async () => {
    const whole = (await list(path(), { size: 100 })).items.map(idOf);
    expect(whole).toHaveLength(total);
    for (const size of [3, 7, total, total + 1]) {
      const numbered: string[] = [];
      for (let page = 0; page < Math.ceil(total / size); page++) {
        const { items, nextCursor } = await list(path(), { page, size });
        numbered.push(...items.map(idOf));
        expect(nextCursor === null).toBe(numbered.length === total);
      }
      expect(numbered).toEqual(whole);
      expect(await follow(path(), { size })).toEqual({ ids: whole, total });
    }
  });

  it('is empty beyond its end', async () => {
    expect(await list(path(), { page: 100, size: 100 })).toMatchObject({ items: [], total, nextCursor: null });
    expect(await list(path(), { page: 10_000, size: 1 })).toMatchObject({ items: [], total, nextCursor: null });
  });

  it('refuses a cursor together with a page, or of another list', async () => {
    const { nextCursor } = await list(path(), { size: 1 });
    await expectRefused(path(), `cursor=${nextCursor ?? ''}&page=0`, 'page');
    for (const [, other] of lists) {
      if (other() !== path()) await expectRefused(other(), `cursor=${nextCursor ?? ''}`, 'cursor');
    }
    const foreign = await stranger.client.request('GET', path(), { query: { cursor: nextCursor ?? '' } });
    expect([foreign.status, foreign.envelope?.code]).toEqual(
      path().includes('wa_') ? [404, 'WA4041'] : [400, 'RQ4001'],
    );
  });
});

async function expectRefused(path: string, query: string, field: string): Promise<void> {
  const answer = await home.client.request('GET', path, { query, headers: { 'X-LOCALE': 'en-US' } });
  expect([answer.status, answer.envelope?.code]).toEqual([400, 'RQ4001']);
  expect(answer.envelope?.message).toContain(` ${field} `);
}

describe('filters', () => {
  it('of orders are status and currency', async () => {
    for (const path of [ordersPath, `${ordersPath}/wallet/${alice}`, `${ordersPath}/wallet/${carol}`]) {
      const all = (await list(path, { size: 100 })).items as OrderItem[];
      for (const status of [undefined, 'PENDING', 'COMPLETED', 'FAILED']) {
        for (const currency of [undefined, 'USD', 'EUR', 'JPY']) {
          const expected = all.filter(
            (order) =>
              (status === undefined || order.status === status) &&
              (currency === undefined || order.currency === currency),
          );
          const { ids, total } = await follow(path, {
            size: 9,
            ...(status && { status }),
            ...(currency && { currency }),
          });
          expect([ids, total]).toEqual([expected.map(idOf), expected.length]);
        }
      }
    }
  });

  it('of wallets are reference, status and currency', async () => {
    const shop = await createWorkspace(service);
    for (const [index, currency] of ['USD', 'EUR', 'USD', 'EUR', 'USD'].entries()) {
      const { id } = await shop.post<WalletItem>('wallets', { currency, reference: `ref-${index}` });
      if (index < 2) await shop.post(`wallets/${id}/freeze`);
      if (index === 2) await shop.post(`wallets/${id}/close`);
    }
    const wallets = async (query: Query) => {
      const answer = await shop.client.request<List>('GET', '/api/v1/wallets', { query });
      return answer.envelope!.data as { items: WalletItem[]; total: number };
    };
    const all = (await wallets({})).items;
    expect(all.map(({ reference, status }) => [reference, status])).toEqual([
      ...[4, 3].map((index) => [`ref-${index}`, 'ACTIVE']),
      ['ref-2', 'CLOSED'],
      ...[1, 0].map((index) => [`ref-${index}`, 'FROZEN']),
    ]);
    for (const reference of [undefined, 'ref-1', 'ref-9'])
      for (const status of [undefined, 'ACTIVE', 'FROZEN', 'CLOSED'])
        for (const currency of [undefined, 'EUR', 'GBP']) {
          const query = JSON.parse(JSON.stringify({ reference, status, currency })) as Partial<WalletItem> & Query;
          const expected = all.filter((wallet) =>
            Object.entries(query).every(([name, value]) => wallet[name as keyof WalletItem] === value),
          );
          expect(await wallets(query)).toMatchObject({ items: expected, total: expected.length });
        }
  });

  it('of orders and flows are times: from inclusive, to exclusive, in any zone', async () => {
    const flows = (await list(`/api/v1/wallets/${alice}/flows`, { size: 100 })).items;
    for (const [path, all] of [
      [ordersPath, orders.toReversed()],
      [`/api/v1/wallets/${alice}/flows`, flows],
    ] as const) {
      const [from, to] = [all.at(-5)!.createdAt, all[4]!.createdAt];
      const within = (item: Item): boolean => item.createdAt >= from && item.createdAt < to;
      const expected = all.filter(within).map(idOf);
      expect(await follow(path, { size: 4, from, to })).toEqual({ ids: expected, total: expected.length });
      const elsewhere = `${new Date(Date.parse(from) + 3_600_000).toISOString().slice(0, -1)}+01:00`;
      expect((await list(path, { size: 100, from: elsewhere, to })).items.map(idOf)).toEqual(expected);
      expect(await list(path, { from: to, to: from })).toMatchObject({ items: [], total: 0 });
      expect((await list(path, { to: '1969-01-01T00:00:00Z' })).total).toBe(0);
      expect((await list(path, { from: '9999-12-31T00:00:00Z' })).total).toBe(0);
    }
  });

  it('of flows are directions', async () => {
    const path = `/api/v1/wallets/${alice}/flows`;
    const all = (await list(path, { size: 100 })).items as z.output<typeof Flow>[];
    const [from, to] = [all.at(-3)!.createdAt, all[2]!.createdAt];
    for (const direction of ['DEBIT', 'CREDIT']) {
      const expected = all.filter((flow) => flow.direction === direction);
      expect(await follow(path, { size: 5, direction })).toEqual({ ids: expected.map(idOf), total: expected.length });
      const later = expected.filter(({ createdAt }) => createdAt >= from);
      expect(await follow(path, { size: 5, direction, from })).toEqual({ ids: later.map(idOf), total: later.length });
      const earlier = expected.filter(({ createdAt }) => createdAt < to);
      expect(await follow(path, { size: 5, direction, to })).toEqual({ ids: earlier.map(idOf), total: earlier.length });
    }
  });

  it('stay with a cursor; the same may be repeated, others not', async () => {
    const { nextCursor } = await list(ordersPath, { size: 5, status: 'COMPLETED', currency: 'USD' });
    const cursor = nextCursor!;
    const second = await list(ordersPath, { cursor });
    expect(second.items).toHaveLength(5);
    expect(await list(ordersPath, { cursor, status: 'COMPLETED' })).toEqual(second);
    expect((await list(ordersPath, { cursor, size: 3 })).items).toEqual(second.items.slice(0, 3));
    await expectRefused(ordersPath, `cursor=${cursor}&status=FAILED`, 'status');
    await expectRefused(ordersPath, `cursor=${cursor}&from=2026-01-01T00:00:00Z`, 'from');
  });
});

describe('while new rows arrive', () => {
  it('pages by cursor have no gap and no double', async () => {
    const lists = [ordersPath, `${ordersPath}/wallet/${alice}`, `/api/v1/wallets/${alice}/flows`];
    for (const path of lists) {
      const before = (await list(path, { size: 100 })).items.map(idOf);
      const { ids } = await follow(path, { size: 10 }, () => transfer([alice, bob], '0.01'));
      expect(ids).toEqual(before);
    }
  });
});

describe('between workspaces', () => {
  it('nothing of one is in the lists of the other', async () => {
    for (const path of ['/api/v1/wallets', ordersPath]) {
      const answer = await stranger.client.request<List>('GET', path);
      expect(answer.envelope?.data).toMatchObject({ items: [], total: 0, totalPages: 0, nextCursor: null });
    }
  });

  it('a wallet of the other, an EXTERNAL and an unknown one are answered alike', async () => {
    const external = `ex_${home.workspaceId.slice(3)}USD`;
    for (const path of [(id: string) => `/api/v1/wallets/${id}/flows`, (id: string) => `${ordersPath}/wallet/${id}`]) {
      const answers = await Promise.all([
        stranger.client.request('GET', path(alice)),
        stranger.client.request('GET', path('wa_00000000000000000000000000')),
        home.client.request('GET', path(external)),
      ]);
      expect(new Set(answers.map(({ text }) => text.replace(/"timestamp":\d+/, ''))).size).toBe(1);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });

  it('what else is stored among the wallets is no wallet to any route', async () => {
    const ids = ['wallets', 'posting-0', 'cancelled'].map((part) => totalsId(home.workspaceId, part));
    const past = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const get = (path: string, query: Query = {}) => home.client.request('GET', path, { query });
    const post = (path: string, body: object) => home.client.request('POST', path, { body });
    const ofWallet: ((path: string) => ReturnType<typeof get>)[] = [
      ...['', '/balance', '/flows'].map((end) => (path: string) => get(path + end)),
      (path) => get(`${path}/balance`, { at: past.from }),
      (path) => get(`${path}/flows`, { direction: 'DEBIT' }),
      (path) => get(`${path}/statement`, past),
      ...['freeze', 'unfreeze', 'close'].map((verb) => (path: string) => post(`${path}/${verb}`, {})),
      (path) => post(`${path}/limit`, { creditLimit: '1' }),
    ];
    const asked = [
      ...ofWallet.map((ask) => (id: string) => ask(`/api/v1/wallets/${id}`)),
      ...[{}, ...orderStatuses.map((status) => ({ status }))].map(
        (query) => (id: string) => get(`${ordersPath}/wallet/${id}`, query),
      ),
      ...['sourceWalletId', 'targetWalletId'].flatMap((field) =>
        [createPath, '/api/v1/transfer/command/preview'].map((path) => (id: string) => {
          const sides = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
          return post(path, { ...sides, [field]: id });
        }),
      ),
    ];
    for (const ask of asked) {
      const answers = await Promise.all(['wa_00000000000000000000000000', ...ids].map(ask));
      expect(new Set(answers.map(({ text }) => text.replace(/"timestamp":\d+/, ''))).size).toBe(1);
      expect([answers[0]!.status, answers[0]!.envelope?.code]).toEqual([404, 'WA4041']);
    }
  });

  it('a cursor that a client writes itself leads to nothing of the other', async () => {
    const written = (list: string) => encodeCursor({ list, below: 'tr_Z', total: 9, size: 20, filters: {} });
    const ask = (path: string, cursor: string) => stranger.client.request<List>('GET', path, { query: { cursor } });
    const foreign = await ask(ordersPath, written(`orders ${home.workspaceId}`));
    expect([foreign.status, foreign.envelope?.code]).toEqual([400, 'RQ4001']);
    const below = orders.at(-1)!.transferId;
    const cursor = encodeCursor({ list: `orders ${stranger.workspaceId}`, below, total: 9, size: 20, filters: {} });
    expect((await ask(ordersPath, cursor)).envelope?.data).toMatchObject({ items: [], nextCursor: null });
    expect((await ask(`${ordersPath}/wallet/${alice}`, written(`wallet-orders ${alice}`))).status).not.toBe(200);
  });

  it('an EXTERNAL wallet is neither listed nor named', async () => {
    const texts = await Promise.all(
      lists.map(async ([, path]) => (await home.client.request('GET', path(), { query: { size: 100 } })).text),
    );
    expect(texts.join()).not.toContain('ex_');
    expect(orders[0]).toMatchObject({ sourceWalletId: 'EXTERNAL', targetWalletId: alice });
    const flows = await list(`/api/v1/wallets/${alice}/flows`, { size: 100 });
    expect(flows.items.at(-1)).toMatchObject({ sequence: 1, counterpartyWalletId: 'EXTERNAL', direction: 'CREDIT' });
  });
});
