import { MongoClient, type CommandStartedEvent, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flowId, leastIdAt, newId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { OrderStatus } from '../../src/orders/order.ts';
import { createLogger } from '../../src/log.ts';
import { connectForLists } from '../../src/storage/shared/connection.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { openFlowLists } from '../../src/storage/flows/lists.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { openOrderLists } from '../../src/storage/orders/lists.ts';
import { ensureSchema, schema } from '../../src/storage/schema/schema.ts';
import { openPendingOrders, type LookAtPending } from '../../src/storage/orders/pending-orders.ts';
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
/** What is known of all that waits; undefined: nothing. */
let look: LookAtPending | undefined;
const orders = openOrderLists(db, () => look);
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
    await orders.count({ workspaceId: own }),
    await orders.count({ workspaceId: own, status: 'COMPLETED', currency: 'EUR' }),
    await wallets.count({ workspaceId: own }),
    await wallets.count({ workspaceId: own, status: 'ACTIVE', currency: 'USD' }),
  ];
  expect(await read()).toEqual([14, 0, 14, 10]);
  const examined = (await explained(read)).map(({ documents }) => documents);
  // What waits at all, by its keys, and in this workspace; then the parts, four times.
  expect(examined).toEqual([0, 3, 2, 2, 2, 2]);
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
        expect(await orders.count({ workspaceId, walletId, status })).toBe(matching.length);
        expect(await orders.count({ workspaceId, walletId, status, currency: 'USD' })).toBe(matching.length);
        const times = { from: timeOf(301), to: timeOf(1_500) };
        expect(await orders.count({ workspaceId, walletId, status, ...times })).toBe(inRange.length);
      }
      expect(await orders.count({ workspaceId: newId('workspace'), status })).toBe(0);
    },
  );
});

it('what the sweeper looks for is found by the index of what is PENDING, whatever else the planner could take', async () => {
  commands = [];
  const range = { after: '', before: idOf(rows), countMax: size };
  const found = [idOf(rows - 2), idOf(rows - 1)].map((id) => ({ id, workspaceId }));
  expect(await openOrders(db).pendingBetween(range)).toEqual(found);
  expect(commands).toMatchObject([{ hint: 'pending_orders' }]);
});

describe('the first page of a wallet’s orders, with its number of orders', () => {
  const wallet = { workspaceId, walletId: alice };
  /** The number, and how many commands both took. */
  async function readBoth(query: Parameters<typeof orders.count>[0]): Promise<[number, number]> {
    commands = [];
    const page = await orders.page(query, first);
    return [await orders.count(query, page), commands.length];
  }

  const settledOnly = { ...wallet, to: timeOf(1_998) };
  /** The number, where the first page shows no order that waits. */
  async function readSettled(): Promise<[number, number]> {
    const page = await orders.page(settledOnly, first);
    commands = [];
    return [await orders.count(wallet, page), commands.length];
  }

  it('takes two commands, where it is known that none waits', async () => {
    look = { waiting: 0, pending: 0, settledBefore: idOf(rows) };
    expect(await readSettled()).toEqual([rows - 3, 1]);
  });

  it('takes one more where orders wait that may be older than the page, and two where nothing is known', async () => {
    look = { waiting: 3, pending: 3, settledBefore: idOf(5) };
    expect(await readSettled()).toEqual([rows - 3, 2]);
    look = undefined;
    expect(await readSettled()).toEqual([rows - 3, 3]);
  });

  it('takes three commands where an order on it waits: those that wait are counted in the snapshot of the others', async () => {
    look = await openPendingOrders(plain).look(10_000);
    expect(look).toMatchObject({ waiting: 3, pending: 3, settledBefore: idOf(1_998) });
    expect(await readBoth(wallet)).toEqual([rows, 3]);
    const [, settled, waiting] = commands;
    expect(settled).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } });
    expect([waiting?.['txnNumber'], waiting?.['autocommit']]).toEqual([settled?.['txnNumber'], false]);
  });

  it('takes two commands for a workspace, where nothing waits', async () => {
    look = { waiting: 0, pending: 0, settledBefore: idOf(rows) };
    const done = { workspaceId, to: timeOf(1_998) };
    const page = await orders.page(done, first);
    commands = [];
    expect(await orders.count({ workspaceId }, page)).toBe(rows - 3);
    expect(commands).toHaveLength(1);
  });

  afterAll(() => {
    look = undefined;
  });
});

it('where many orders wait, a list’s own are searched, unless they are more than all that wait', async () => {
  const order = plain.collection<{ _id: string }>('orders');
  const hintsOfCount = async (count: number): Promise<unknown[]> => {
    look = { waiting: 1_001, pending: 1_001, settledBefore: idOf(5) };
    commands = [];
    expect(await orders.count({ workspaceId, status: 'PENDING' })).toBe(count);
    look = undefined;
    return commands.map(({ hint }) => hint as unknown);
  };
  const [ofAll, own] = ['pending_orders', 'orders_of_workspace'];
  expect(await hintsOfCount(3)).toEqual([ofAll, own, ofAll, own]);
  // An order waits since long ago: the workspace has made some two thousand since.
  await order.updateOne({ _id: idOf(5) }, { $set: { status: 'PENDING' } }, fieldsOfLists);
  expect(await hintsOfCount(4)).toEqual([ofAll, own, ofAll]);
  await order.updateOne({ _id: idOf(5) }, { $set: { status: statusOf(5) } }, fieldsOfLists);
});

it('a list sends no more commands at once than it has connections', async () => {
  const storage = await connectForLists(uri, createLogger('test', 'silent').log, new AbortController().signal);
  let [out, most] = [0, 0];
  storage.client.on('connectionCheckedOut', () => (most = Math.max(most, (out += 1))));
  storage.client.on('connectionCheckedIn', () => (out -= 1));
  const lists = openOrderLists(storage.db, () => ({ waiting: 1_001, pending: 1_001, settledBefore: idOf(5) }));
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
    { request: 0, postedBy: 0, stuckSince: 0, wallets: 0, terms: 0 },
    { hash: 0, debits: 0 },
    { flowHash: 0, lastFlowAt: 0, debitFlows: 0, debits: 0, orders: 0 },
  ]);
});

it('a wallet without orders is asked for what waits, and for what was settled', async () => {
  commands = [];
  expect(await orders.count({ workspaceId, walletId: newId('wallet') })).toBe(0);
  // How many wait at all, which of them are the wallet's, and the wallet.
  expect(commands.length).toBe(3);
});

describe('where thousands of orders wait', () => {
  const flooded = newId('wallet');
  const waitingRows = 3_000;
  beforeAll(async () => {
    const base = { workspaceId: newId('workspace'), amount: toDecimal128(new Money(1)), currency: 'USD' };
    const order = (id: string, sides: { sourceWalletId: string; targetWalletId: string } & Document) => ({
      ...{ _id: id, bizId: id, status: 'PENDING', createdAt: timeOf(1), ...base, ...sides },
      wallets: [sides.sourceWalletId, sides.targetWalletId],
    });
    const others = { sourceWalletId: newId('wallet'), targetWalletId: newId('wallet') };
    const at = (row: number): string => idOf(rows + 1 + row);
    await plain.collection<Document & { _id: string }>('orders').insertMany(
      [
        ...Array.from({ length: waitingRows }, (_, row) => order(at(row), others)),
        ...[0, 1, 2].map((row) => order(`${at(row)}x`, { workspaceId, sourceWalletId: flooded, targetWalletId: bob })),
        // Set aside long ago.
        order(idOf(1).slice(0, -1), { workspaceId, sourceWalletId: alice, targetWalletId: flooded, stuckSince: start }),
      ],
      fieldsOfLists,
    );
  });

  it.each(['PENDING', undefined] as const)(
    'a wallet’s of status %s are counted, and not those of others',
    async (status) => {
      let count = 0;
      const commandsSent = await explained(async () => {
        count = await orders.count({ workspaceId, walletId: flooded, status });
      });
      expect(count).toBe(4);
      // That many wait is found out from a bounded number of keys alone.
      expect(JSON.stringify(commands)).toContain('{"$match":{"status":"PENDING"}},{"$limit":1001}');
      for (const { stages, keys, documents } of commandsSent) {
        expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
        expect(documents).toBeLessThan(50);
        if (documents > 0) expect(keys).toBeLessThan(50);
      }
      expect(await orders.count({ workspaceId, status: 'PENDING' })).toBe(3 + 4);
    },
  );

  it('a wallet’s are listed, and those of others are not looked through', async () => {
    const query = { workspaceId, walletId: flooded, status: 'PENDING' } as const;
    const all = await orders.page(query, first);
    expect(all.items.map(({ id }) => id)).toHaveLength(4);
    expect(all.items.map(({ id }) => id)).toEqual(
      all.items
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    look = { waiting: waitingRows, pending: waitingRows, settledBefore: '' };
    const commandsSent = await explained(async () => {
      expect(await orders.page(query, { size: 2, skip: 0 })).toEqual({ items: all.items.slice(0, 2), hasMore: true });
      expect(await orders.page(query, { size: 2, skip: 2 })).toEqual({ items: all.items.slice(2), hasMore: false });
      const below = all.items[1]!.id;
      expect((await orders.page(query, { size: 1, skip: 0, below })).items).toEqual(all.items.slice(2, 3));
    });
    look = undefined;
    for (const { stages, keys, documents } of commandsSent) {
      expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
      expect(documents).toBeLessThan(50);
      expect(keys).toBeLessThan(50);
    }
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
