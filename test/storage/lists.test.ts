import { MongoClient, type CommandStartedEvent, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flowId, leastIdAt, newId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { OrderStatus } from '../../src/orders/order.ts';
import { createLogger } from '../../src/log.ts';
import { connectForLists } from '../../src/storage/shared/connection.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { openFlowLists } from '../../src/storage/flows/lists.ts';
import { openBacklog } from '../../src/storage/orders/backlog.ts';
import { openOrderLists } from '../../src/storage/orders/lists.ts';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { openWalletLists } from '../../src/storage/wallets/lists.ts';
import { testDatabase } from '../support/database.ts';
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
let commands: Document[] = [];

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
  client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'find' || commandName === 'aggregate') commands.push(command);
  });
}, 60_000);
afterAll(() => client.close());

/** What the server did for every command that `read` sent. */
async function explained(read: () => Promise<unknown>): Promise<{ stages: string; keys: number; documents: number }[]> {
  commands = [];
  await read();
  return Promise.all(
    [...commands].map(async ({ lsid, $db, $clusterTime, txnNumber, readConcern, ...command }) => {
      const result = await plain.command({ explain: command, verbosity: 'executionStats' });
      const text = JSON.stringify(result);
      const numberOf = (name: string) =>
        Math.max(0, ...[...text.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, n]) => Number(n)));
      return {
        stages: [...text.matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage).join(' '),
        keys: numberOf('totalKeysExamined'),
        documents: numberOf('totalDocsExamined'),
      };
    }),
  );
}

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
    for (const { stages, keys, documents } of await explained(read)) {
      expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
      expect(keys).toBeLessThanOrEqual(2 * (size + 12));
      expect(documents).toBeLessThanOrEqual(2 * (size + 12));
    }
  });
});

it('totals are read from the parts of their workspace, and nothing is counted but what waits', async () => {
  const own = newId('workspace');
  const part = {
    workspaceId: own,
    orders: { USD: { TRANSFER: { COMPLETED: 5 }, DEPOSIT: { COMPLETED: 2 } } },
    wallets: { USD: { ACTIVE: 5 }, EUR: { CLOSED: 2 } },
  };
  const parts = ['posting-0', 'wallets'].map((name) => ({ ...part, _id: totalsId(own, name) }));
  await plain.collection<{ _id: string }>('wallets').insertMany(parts, fieldsOfLists);
  const read = async () => [
    (await orders.count({ workspaceId: own })).total,
    (await orders.count({ workspaceId: own, status: 'COMPLETED', currency: 'EUR' })).total,
    await wallets.count({ workspaceId: own }),
    await wallets.count({ workspaceId: own, status: 'ACTIVE', currency: 'USD' }),
  ];
  expect(await read()).toEqual([14, 0, 14, 10]);
  const examined = (await explained(read)).map(({ documents }) => documents);
  // What waits in this workspace; then the parts, four times.
  expect(examined).toEqual([0, 2, 2, 2, 2]);
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
    commands = [];
    await count();
    for (const { aggregate, pipeline } of commands.filter((command) => 'aggregate' in command)) {
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
      commands = [];
      await read(() => leftMs);
      expect(commands.length).toBeGreaterThan(0);
      expect(commands.map(({ maxTimeMS }) => maxTimeMS as number)).toEqual(commands.map(() => limitMs));
    }
  });

  it.each(timed)('%s: nothing is asked for once the time is over', async (_, read) => {
    commands = [];
    await expect(read(() => 0)).rejects.toMatchObject({ errorName: 'ANSWER_TOO_LATE', retryAfterSeconds: 5 });
    expect(commands).toEqual([]);
  });
});

describe('a number of orders', () => {
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);

  it.each([undefined, 'PENDING', 'COMPLETED', 'FAILED'] as const)(
    'of status %s is what counting them gives',
    async (status) => {
      const matching = numbers.filter((row) => status === undefined || statusOf(row) === status);
      const inRange = matching.filter((row) => row >= 301 && row < 1_500);
      for (const walletId of [undefined, alice]) {
        expect((await orders.count({ workspaceId, walletId, status })).total).toBe(matching.length);
        expect((await orders.count({ workspaceId, walletId, status, currency: 'USD' })).total).toBe(matching.length);
        const times = { from: timeOf(301), to: timeOf(1_500) };
        expect((await orders.count({ workspaceId, walletId, status, ...times })).total).toBe(inRange.length);
      }
      expect((await orders.count({ workspaceId: newId('workspace'), status })).total).toBe(0);
    },
  );
});

it('what the sweeper looks for is found by the index of what is PENDING, whatever else the planner could take', async () => {
  commands = [];
  const found = [idOf(rows - 2), idOf(rows - 1)].map((id) => ({ id, workspaceId }));
  const backlog = openBacklog(db);
  expect(await backlog.waitingBehind('', idOf(rows), size)).toEqual(found);
  const behindFirst = { workspaceId, id: idOf(rows - 2) };
  expect(await backlog.waitingOf(behindFirst, { before: idOf(rows), countMax: size })).toEqual(found.slice(1));
  expect(commands.map(({ hint }) => hint as unknown)).toEqual(['unsettled_orders', 'unsettled_orders']);
});

describe('the number of orders that a first page is given', () => {
  const ofWallet = { workspaceId, walletId: alice };
  /** The number, and the commands that it took beside those of the page. */
  async function read(query: Parameters<typeof orders.count>[0], to?: Date): Promise<[number, Document[]]> {
    const page = await orders.page({ ...query, to }, first);
    commands = [];
    return [(await orders.count(query, page)).total, commands];
  }

  it('takes two commands where nothing of the workspace waits', async () => {
    const own = newId('workspace');
    const completed = {
      _id: newId('order'),
      workspaceId: own,
      status: 'COMPLETED',
      amount: toDecimal128(new Money(1)),
    };
    await plain.collection<{ _id: string }>('orders').insertOne(completed, fieldsOfLists);
    const id = totalsId(own, 'posting-0');
    const totals = { _id: id, workspaceId: own, orders: { USD: { TRANSFER: { COMPLETED: 1 } } } };
    await plain.collection<{ _id: string }>('wallets').insertOne(totals, fieldsOfLists);
    const [number, [key, ...rest]] = await read({ workspaceId: own });
    expect([number, rest]).toMatchObject([1, [{ find: 'wallets' }]]);
    expect(key).toMatchObject({ hint: 'unsettled_orders', limit: 1 });
  });

  it('takes one look more, and the snapshot of all, where orders wait that the page does not show', async () => {
    const [number, sent] = await read({ workspaceId }, timeOf(1_998));
    expect([number, sent.length]).toEqual([rows, 3]);
  });

  it('takes the snapshot alone where the page shows one that waits', async () => {
    const [number, [settled, waiting, ...rest]] = await read({ workspaceId });
    expect([number, rest]).toEqual([rows, []]);
    expect(settled).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } });
    expect([waiting?.['txnNumber'], waiting?.['autocommit']]).toEqual([settled?.['txnNumber'], false]);
    // Those of a wallet are found by the oldest that waits; those for a later time have an index.
    const [ofOne, sent] = await read(ofWallet);
    expect([ofOne, sent.map(({ hint }) => hint as unknown)]).toEqual([
      rows,
      ['_id_', 'unsettled_orders', 'unsettled_orders', 'orders_of_wallet', 'scheduled_of_wallet'],
    ]);
  });
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

it('what no list shows is not read', async () => {
  commands = [];
  await orders.page({ workspaceId, walletId: alice }, first);
  await flows.page({ wallet: longWallet }, first);
  await wallets.page({ workspaceId }, first);
  expect(commands.map(({ projection }) => projection as unknown)).toEqual([
    { request: 0, postedBy: 0, stuckSince: 0, wallets: 0, terms: 0, dueAt: 0, digest: 0, otherIds: 0, firstId: 0 },
    { hash: 0, debits: 0 },
    { flowHash: 0, lastFlowAt: 0, debitFlows: 0, debits: 0, orders: 0 },
  ]);
});

it('a wallet without orders is asked for what waits, and for what was settled', async () => {
  commands = [];
  expect((await orders.count({ workspaceId, walletId: newId('wallet') })).total).toBe(0);
  // The last that waits; the wallet; that key again, the oldest that waits, and which since then are the wallet's; and those
  // for a later time.
  expect(commands.length).toBe(6);
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
      const sent = await explained(async () => (count = (await orders.count({ ...ofFew, status })).total));
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
      commands = [];
      const page = await orders.page(query, { size: 20, skip });
      expect(page.items).toEqual(all.items.slice(skip, skip + 20));
      expect(commands).toMatchObject([{ skip, limit: 21, hint: 'unsettled_orders' }]);
    }
    const below = ids[1_000]!;
    const [cost] = await explained(() => orders.page(query, { size: 20, skip: 0, below }));
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

describe('flows in a range of times', () => {
  it('are found by halving, also where several are of one moment', async () => {
    const all = await plain.collection<{ _id: string; createdAt: Date }>('flows').find().sort({ _id: 1 }).toArray();
    const wallet = { workspaceId, id: alice, sequence: all.length };
    for (const row of [0, 1, 2, 6, 7, 8, 13, 700, 701, 1_393, 1_994, 1_999, 2_100]) {
      const [from, to] = [timeOf(row), timeOf(row + 21)];
      const expected = all.filter(({ createdAt }) => createdAt >= from && createdAt < to).map(({ _id }) => _id);
      const page = await flows.page({ wallet, from, to }, { size: 100, skip: 0 });
      expect(page.items.map(({ id }) => id)).toEqual(expected.toReversed());
      expect(await flows.count({ wallet, from, to })).toBe(expected.length);
    }
  });

  it('are searched in at most four round trips among a million', async () => {
    const wallet = longWallet;
    commands = [];
    await flows.count({ wallet, from: timeOf(1_000) });
    expect(commands.length).toBeLessThanOrEqual(Math.ceil(Math.log(wallet.sequence + 1) / Math.log(32)) + 1);
  });
});
