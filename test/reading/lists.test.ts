import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flowId, leastIdAt, newId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { OrderStatus } from '../../src/orders/order.ts';
import { createLogger } from '../../src/log.ts';
import { connectForLists } from '../../src/storage/shared/connection.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { openFlowLists } from '../../src/reading/flows.ts';
import { openBacklog } from '../../src/storage/orders/backlog.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { openWalletLists } from '../../src/reading/wallets.ts';
import { testDatabase } from '../support/database.ts';
import { watchReads } from '../support/watched-reads.ts';
import { watchWorkspaces } from '../support/workspace-watch.ts';

const rows = 2_000;
const size = 20;
const start = Date.parse('2026-01-01T00:00:00Z');
const timeOf = (row: number): Date => new Date(start + row * 1000);
const idOf = (row: number): string => leastIdAt('order', timeOf(row)).slice(0, -6) + String(row).padStart(6, '0');
/** One in a hundred failed, and the last three wait. */
const statusOf = (row: number): OrderStatus => (row > rows - 3 ? 'PENDING' : row % 100 === 0 ? 'FAILED' : 'COMPLETED');

const workspaceId = newId('workspace');
const [alice, bob] = [newId('wallet'), newId('wallet')];
const { uri, db: plain } = testDatabase();
const client = new MongoClient(uri, { monitorCommands: true });
const db = client.db();
const orders = openOrderLists(db);
const flows = openFlowLists(db);
const wallets = openWalletLists(db);
const { sentBy, examinedBy } = watchReads(client, plain);

/** No more than what lists read is stored here. */
const fieldsOfLists = { bypassDocumentValidation: true };

const complaints: string[] = [];
watchWorkspaces(client, (command) => complaints.push(command));
afterAll(() => {
  expect(complaints).toEqual([]);
});

beforeAll(async () => {
  await ensureSchema(plain);
  const amount = toDecimal128(new Money(1));
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);
  const completed = numbers.filter((row) => statusOf(row) === 'COMPLETED');
  const failed = numbers.filter((row) => statusOf(row) === 'FAILED');
  const ofStates = { TRANSFER: { COMPLETED: completed.length - 5, FAILED: failed.length }, DEPOSIT: { COMPLETED: 5 } };
  await plain.collection<Document & { _id: string }>('orders').insertMany(
    numbers.map((row) => ({
      _id: idOf(row),
      bizId: idOf(row),
      workspaceId,
      sourceWalletId: row % 2 === 0 ? alice : bob,
      targetWalletId: row % 2 === 0 ? bob : alice,
      wallets: row % 2 === 0 ? [alice, bob] : [bob, alice],
      amount,
      currency: 'USD',
      status: statusOf(row),
      createdAt: timeOf(row),
      updatedAt: timeOf(row),
    })),
    fieldsOfLists,
  );
  await plain.collection<Document & { _id: string }>('flows').insertMany(
    completed.map((row, index) => ({
      _id: flowId(alice, index + 1),
      workspaceId,
      walletId: alice,
      sequence: index + 1,
      direction: row % 2 === 0 ? 'DEBIT' : 'CREDIT',
      ...{ amount, balanceBefore: amount, balanceAfter: amount },
      // Several flows of one moment, as a group posted at once has them.
      createdAt: timeOf(row - (row % 7)),
    })),
    fieldsOfLists,
  );
  await plain.collection<Document & { _id: string }>('wallets').insertMany(
    [
      ...[alice, bob].map((_id) => ({
        _id,
        workspaceId,
        currency: 'USD',
        status: 'ACTIVE',
        orders: ofStates,
      })),
      { _id: 'ex_1', workspaceId, currency: 'USD', status: 'ACTIVE', orders: ofStates },
      { _id: totalsId(workspaceId, 'wallets'), workspaceId, wallets: { USD: { ACTIVE: 2 } } },
      {
        _id: totalsId(workspaceId, 'posting-0'),
        workspaceId,
        orders: { USD: { TRANSFER: { COMPLETED: completed.length - 1 } } },
      },
      {
        _id: totalsId(workspaceId, 'posting-1'),
        workspaceId,
        orders: { USD: { DEPOSIT: { COMPLETED: 1 }, TRANSFER: { FAILED: failed.length } } },
      },
    ].map((document) => ({ ...document, balance: amount })),
    fieldsOfLists,
  );
}, 60_000);
afterAll(() => client.close());

const first = { size, skip: 0 };
const longWallet = { workspaceId, id: alice, sequence: 1_978 };
const pages: [string, () => Promise<unknown>][] = [
  ['orders, first page', () => orders.page({ workspaceId }, first)],
  ['orders, deepest page', () => orders.page({ workspaceId }, { ...first, below: idOf(size + 5) })],
  ['orders in a range of times', () => orders.page({ workspaceId, from: timeOf(5), to: timeOf(900) }, first)],
  ['pending orders', () => orders.page({ workspaceId, status: 'PENDING' }, first)],
  ['failed orders', () => orders.page({ workspaceId, status: 'FAILED' }, first)],
  ['orders of a wallet, first page', () => orders.page({ workspaceId, walletId: alice }, first)],
  [
    'orders of a wallet, deepest page',
    () => orders.page({ workspaceId, walletId: alice }, { ...first, below: idOf(size + 5) }),
  ],
  ['pending orders of a wallet', () => orders.page({ workspaceId, walletId: alice, status: 'PENDING' }, first)],
  ['failed orders of a wallet', () => orders.page({ workspaceId, walletId: alice, status: 'FAILED' }, first)],
  ['the number of orders', () => orders.count({ workspaceId })],
  ['the number of orders of a wallet', () => orders.count({ workspaceId, walletId: alice })],
  ['the number of completed orders', () => orders.count({ workspaceId, status: 'COMPLETED' })],
  ['flows, first page', () => flows.page({ wallet: longWallet }, first)],
  ['flows, deepest page', () => flows.page({ wallet: longWallet }, { ...first, below: flowId(alice, 25) })],
  ['flows, deepest page by number', () => flows.page({ wallet: longWallet }, { size, skip: 1_950 })],
  ['flows of a direction', () => flows.page({ wallet: longWallet, direction: 'DEBIT' }, first)],
  ['flows in a range of times', () => flows.page({ wallet: longWallet, from: timeOf(700) }, first)],
  ['wallets', () => wallets.page({ workspaceId }, first)],
];

describe('a query reads an index, and no more of it than it answers', () => {
  it.each(pages)('%s', async (_, read) => {
    for (const { stages, keys, documents } of await examinedBy(read)) {
      expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
      expect(keys).toBeLessThanOrEqual(2 * (size + 12));
      expect(documents).toBeLessThanOrEqual(2 * (size + 12));
    }
  });
});

/** By wallet and times, which no wallet knows the number of; what waits is read itself, as it is little. */
const counts: [string, () => Promise<unknown>][] = [
  ['orders of a workspace', () => orders.count({ workspaceId, from: timeOf(5), to: timeOf(900) })],
  ['orders of a wallet', () => orders.count({ workspaceId, walletId: alice, from: timeOf(5), to: timeOf(900) })],
  ['failed orders of a wallet', () => orders.count({ workspaceId, walletId: alice, status: 'FAILED' })],
  ['flows of a direction', () => flows.count({ wallet: longWallet, direction: 'DEBIT', to: timeOf(900) })],
];

/** The engine fetches what it counts: that no document is needed is seen by the fields that are asked for. */
describe('a count is answered from the keys of one index', () => {
  it.each(counts)('of %s', async (_, count) => {
    for (const { aggregate, pipeline } of (await sentBy(count)).filter((command) => 'aggregate' in command)) {
      const fields = Object.keys((pipeline as [{ $match: Document }])[0].$match);
      const indexes = schema[String(aggregate)] ?? [];
      expect(
        indexes.some(({ key }) => fields.every((field) => field in key)),
        fields.join(),
      ).toBe(true);
    }
  });
});

/** Reads with so much time left, and so much less for each command sent. */
const timed: [string, (timeLeftMs: () => number) => Promise<unknown>][] = [
  ['orders', (timeLeftMs) => orders.page({ workspaceId, timeLeftMs }, first)],
  ['pending orders', (timeLeftMs) => orders.page({ workspaceId, status: 'PENDING', timeLeftMs }, first)],
  ['the number of orders', (timeLeftMs) => orders.count({ workspaceId, timeLeftMs })],
  ['the number of orders of a wallet', (timeLeftMs) => orders.count({ workspaceId, walletId: alice, timeLeftMs })],
  [
    'the number of orders of a range and status',
    (timeLeftMs) => orders.count({ workspaceId, status: 'COMPLETED', from: timeOf(1), timeLeftMs }),
  ],
  ['flows of a direction', (timeLeftMs) => flows.page({ wallet: longWallet, direction: 'DEBIT', timeLeftMs }, first)],
  ['flows of a range', (timeLeftMs) => flows.page({ wallet: longWallet, from: timeOf(9), timeLeftMs }, first)],
  ['the number of flows of a range', (timeLeftMs) => flows.count({ wallet: longWallet, to: timeOf(9), timeLeftMs })],
  [
    'the number of flows of a direction',
    (timeLeftMs) => flows.count({ wallet: longWallet, direction: 'CREDIT', from: timeOf(7), timeLeftMs }),
  ],
  ['wallets', (timeLeftMs) => wallets.page({ workspaceId, timeLeftMs }, first)],
  ['the number of wallets', (timeLeftMs) => wallets.count({ workspaceId, status: 'ACTIVE', timeLeftMs })],
];

describe('every command of a list is limited', () => {
  it.each(timed)('%s: to 8 s, or to what is left of the answer', async (_, read) => {
    for (const [leftMs, limitMs] of [
      [14_000, 8_000],
      [3_456.7, 3_456],
    ] as const) {
      const commands = await sentBy(() => read(() => leftMs));
      expect(commands.length).toBeGreaterThan(0);
      expect(commands.map(({ maxTimeMS }) => maxTimeMS as number)).toEqual(commands.map(() => limitMs));
    }
  });

  it.each(timed)('%s: nothing is asked for once the time is over', async (_, read) => {
    const refused = () =>
      expect(read(() => 0)).rejects.toMatchObject({ errorName: 'ANSWER_TOO_LATE', retryAfterSeconds: 5 });
    expect(await sentBy(refused)).toEqual([]);
  });
});

it('what the sweeper looks for is found by the index of what is PENDING, whatever else the planner could take', async () => {
  const found = [idOf(rows - 2), idOf(rows - 1)].map((id) => ({ id, workspaceId }));
  const backlog = openBacklog(db);
  const commands = await sentBy(async () => {
    expect(await backlog.waitingBehind('', idOf(rows), size)).toEqual(found);
    expect(await backlog.oldestBefore(workspaceId, idOf(rows), 1_000)).toEqual(found.slice(0, 1));
  });
  expect(commands.map(({ hint }) => hint as unknown)).toEqual(['unsettled_orders', 'unsettled_orders']);
});

it('the number of orders that a first page is given takes the snapshot alone where the page shows one that waits', async () => {
  const read = async (query: Parameters<typeof orders.count>[0]) => {
    const page = await orders.page(query, first);
    return sentBy(async () => {
      expect((await orders.count(query, page)).total).toBe(rows);
    });
  };
  const [settled, waiting, ...rest] = await read({ workspaceId });
  expect(rest).toEqual([]);
  expect(settled).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } });
  expect([waiting?.['txnNumber'], waiting?.['autocommit']]).toEqual([settled?.['txnNumber'], false]);
  // Those of a wallet are found by the oldest that waits; those for a later time have an index.
  expect((await read({ workspaceId, walletId: alice })).map(({ hint }) => hint as unknown)).toEqual([
    ...['_id_', 'unsettled_orders', 'unsettled_orders', 'orders_of_wallet', 'scheduled_of_wallet'],
  ]);
});

it('a list sends no more commands at once than it has connections', async () => {
  const storage = await connectForLists(uri, createLogger('test', 'silent').log, new AbortController().signal);
  let [out, most] = [0, 0];
  storage.client.on('connectionCheckedOut', () => (most = Math.max(most, (out += 1))));
  storage.client.on('connectionCheckedIn', () => (out -= 1));
  const lists = openOrderLists(storage.db);
  const query = { workspaceId, walletId: alice, status: 'COMPLETED', currency: 'USD', from: timeOf(1) } as const;
  for (let count = 0; count < 20; count++) await lists.count(query);
  await storage.close();
  expect(most).toBe(1);
});

describe('where thousands of orders of a workspace wait, and some are set aside', () => {
  const flooded = newId('workspace');
  const [few, other, third] = [newId('wallet'), newId('wallet'), newId('wallet')];
  const waitingRows = 3_000;
  const at = (row: number): string => idOf(rows + 1 + row);
  const collection = plain.collection<Document & { _id: string }>('orders');
  const ofFew = { workspaceId: flooded, walletId: few, status: 'PENDING' } as const;
  const order = (id: string, wallets: [string, string], more: Document = {}) => ({
    ...{ _id: id, bizId: id, status: 'PENDING', createdAt: timeOf(1), workspaceId: flooded },
    ...{ amount: toDecimal128(new Money(1)), currency: 'USD', sourceWalletId: wallets[0], targetWalletId: wallets[1] },
    ...{ wallets, ...more },
  });
  const aside = { status: 'SET_ASIDE', stuckSince: timeOf(1) };
  beforeAll(async () => {
    const waiting = Array.from({ length: waitingRows }, (_, row) => order(at(row), [other, third]));
    const own = [0, 1, 2].map((row) => order(`${at(row)}x`, [few, third]));
    await collection.insertMany([...waiting, ...own], fieldsOfLists);
  });

  it.each(['PENDING', undefined] as const)(
    'a wallet’s of status %s are counted, and not the others',
    async (status) => {
      let count = 0;
      const sent = await examinedBy(async () => (count = (await orders.count({ ...ofFew, status })).total));
      expect(count).toBe(3);
      for (const { stages, keys } of sent) {
        expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
        expect(keys).toBeLessThan(50);
      }
    },
  );

  it('a page by number of a workspace’s is skipped to by the server, among both kinds in one order', async () => {
    await collection.insertMany(
      [10, 20, 2_000].map((row) => order(`${at(row)}y`, [other, third], aside)),
      fieldsOfLists,
    );
    const query = { workspaceId: flooded, status: 'PENDING' } as const;
    expect((await orders.count(query)).total).toBe(waitingRows + 6);
    const all = await orders.page(query, { size: waitingRows + 10, skip: 0 });
    const ids = all.items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(all.items.map(({ status }) => status))).toEqual(new Set(['PENDING']));
    for (const skip of [0, 990, 2_980, 3_005]) {
      const commands = await sentBy(async () => {
        const page = await orders.page(query, { size: 20, skip });
        expect(page.items).toEqual(all.items.slice(skip, skip + 20));
      });
      expect(commands).toMatchObject([{ skip, limit: 21, hint: 'unsettled_orders' }]);
    }
    const below = ids[1_000]!;
    const [cost] = await examinedBy(() => orders.page(query, { size: 20, skip: 0, below }));
    expect(cost!.stages).toContain('SORT_MERGE');
    expect(cost!.keys).toBeLessThan(30);
    expect((await orders.page(query, { size: 20, skip: 0, below })).items).toEqual(all.items.slice(1_001, 1_021));
    const times = { from: timeOf(rows + 11), to: timeOf(rows + 15) };
    expect((await orders.count({ ...query, ...times })).total).toBe(5);
  });

  it('a wallet’s are listed with those that are set aside, at whatever time', async () => {
    const old = order(idOf(1).slice(0, -1), [few, third], aside);
    await collection.insertOne(old, fieldsOfLists);
    const all = await orders.page(ofFew, first);
    expect(all.items.map(({ id }) => id)).toEqual([`${at(2)}x`, `${at(1)}x`, `${at(0)}x`, old._id]);
    expect(await orders.page(ofFew, { size: 2, skip: 0 })).toEqual({ items: all.items.slice(0, 2), hasMore: true });
    expect(await orders.page(ofFew, { size: 2, skip: 2 })).toEqual({ items: all.items.slice(2), hasMore: false });
    const below = all.items[1]!.id;
    expect((await orders.page(ofFew, { size: 1, skip: 0, below })).items).toEqual(all.items.slice(2, 3));
    expect((await orders.count(ofFew)).total).toBe(4);
    expect((await orders.count({ ...ofFew, status: undefined })).total).toBe(4);
  });
});
