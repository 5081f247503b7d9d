import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { flowId, newId, totalsId } from '../../src/domain/ids.ts';
import { createLogger } from '../../src/log.ts';
import { openFlowLists } from '../../src/reading/flows.ts';
import { openOrderLists } from '../../src/reading/orders.ts';
import { openStatements } from '../../src/reading/statements.ts';
import { openWalletLists } from '../../src/reading/wallets.ts';
import { openBacklog } from '../../src/storage/orders/backlog.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { schema } from '../../src/storage/schema/schema.ts';
import { connectForLists } from '../../src/storage/shared/connection.ts';
import { openWallets } from '../../src/storage/wallets/wallets.ts';
import { insertFlows, timeOfFlow } from '../storage/many-flows.ts';
import { idOf, one, openWatchedBooks, orderRow, sumOf, timeOf, type Row } from './watched-books.ts';

/*
 * What each read costs MongoDB, counted: whoever adds a command, a document or a key sees it here. The table of
 * docs/storage.md has these numbers.
 */

const { uri, client, db, insert, sentBy, examinedBy } = openWatchedBooks();
let commits = 0;
client.on('commandStarted', ({ commandName }) => {
  if (commandName === 'commitTransaction') commits += 1;
});
const orders = openOrderLists(db);
const flows = openFlowLists(db);
const wallets = openWalletLists(db);
/** Of the moment when the last order was recorded. */
const backlog = openBacklog(db, () => timeOf(2_105));

/** Five orders of the one wait; none of the other, of which all else is the same. */
const [own, calm, flooded] = [newId('workspace'), newId('workspace'), newId('workspace')];
const [alice, bob, carol, dave] = ['', '', '', ''].map(() => newId('wallet')) as [string, string, string, string];
const [few, other, third] = ['', '', ''].map(() => newId('wallet')) as [string, string, string];
const ofOwn = { workspaceId: own };
const ofAlice = { ...ofOwn, walletId: alice };
const longWallet = { workspaceId: own, id: alice, sequence: 1_000 };
const size = 20;
const first = { size, skip: 0 };
const limits = { countMax: 50_000, perWorkspaceMax: 1_000 };
const floodRows = 3_000;
const pageSize = 256;

const rowsOf = (count: number, from: number, values: Parameters<typeof orderRow>[1]): Row[] =>
  Array.from({ length: count }, (_, index) => orderRow(from + index, values));

beforeAll(async () => {
  const ofCalm = { workspaceId: calm, wallets: [carol, dave], digit: 1 };
  const ofBoth = { workspaceId: own, wallets: [alice, bob] };
  await insert('orders', [
    ...[ofBoth, ofCalm].flatMap((values) => [
      ...rowsOf(1_000, 1_000, values),
      ...rowsOf(10, 2_000, { ...values, status: 'FAILED' }),
    ]),
    ...rowsOf(5, 2_100, { ...ofBoth, status: 'PENDING' }),
  ]);
  const counts = { TRANSFER: { COMPLETED: 1_000, FAILED: 10 } };
  const walletRow = (workspaceId: string) => (_id: string) => ({
    ...{ _id, workspaceId, currency: 'USD', status: 'ACTIVE', balance: one, orders: counts },
  });
  await insert('wallets', [
    ...[alice, bob].map(walletRow(own)),
    ...[carol, dave].map(walletRow(calm)),
    ...[own, calm].map((workspaceId) => ({
      ...{ _id: totalsId(workspaceId, 'posting-0'), workspaceId },
      ...{ orders: { USD: counts }, wallets: { USD: { ACTIVE: 2 } } },
    })),
  ]);
  await insert(
    'flows',
    Array.from({ length: 1_000 }, (_, index) => ({
      ...{ _id: flowId(alice, index + 1), workspaceId: own, walletId: alice, sequence: index + 1, amount: one },
      ...{ direction: index % 2 === 0 ? 'DEBIT' : 'CREDIT', balanceBefore: one, balanceAfter: one },
      // Several flows of one moment, as a group posted at once has them.
      createdAt: timeOf(index - (index % 7)),
    })),
  );
});

/** Commands, and the index keys and documents that they examine. @param isByIndex whether each reads an index in its order. */
async function costOf(read: () => Promise<unknown>, isByIndex = true) {
  commits = 0;
  const costs = await examinedBy(read);
  if (isByIndex) for (const { stages } of costs) expect(stages).not.toMatch(/COLLSCAN|\bSORT\b/);
  const { commands, ...sums } = sumOf(costs);
  return { commands: commands + commits, ...sums };
}

type Reads = Readonly<Record<string, () => Promise<unknown>>>;

async function costs(reads: Reads): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, read] of Object.entries(reads)) {
    const { commands, keys, documents } = await costOf(read);
    found[name] = `${commands} commands, ${keys} keys, ${documents} documents`;
  }
  return found;
}

type Query = Parameters<typeof orders.page>[0];
/** A list's first page and its total, as a client gets them. */
const list = (query: Query) => async () => orders.count(query, await orders.page(query, first));
const below = idOf(1_000 + size + 5);
const countWaiting = (workspaceId: string) => () => backlog.countOf(workspaceId, limits.perWorkspaceMax + 1);

const reads: Reads = {
  'orders of a workspace, some PENDING': list(ofOwn),
  'orders of a workspace, none PENDING': list({ workspaceId: calm }),
  'orders of a workspace, the deepest page': () => orders.page(ofOwn, { ...first, below }),
  'orders of a workspace, in a range of times': () =>
    orders.page({ ...ofOwn, from: timeOf(1_005), to: timeOf(1_900) }, first),
  'orders of a wallet, some PENDING': list(ofAlice),
  'orders of a wallet, none PENDING': list({ workspaceId: calm, walletId: carol }),
  'orders of a wallet, the deepest page': () => orders.page(ofAlice, { ...first, below }),
  'PENDING orders of a workspace': list({ ...ofOwn, status: 'PENDING' }),
  'PENDING orders of a wallet': list({ ...ofAlice, status: 'PENDING' }),
  'FAILED orders of a workspace': list({ ...ofOwn, status: 'FAILED' }),
  'FAILED orders of a wallet': list({ ...ofAlice, status: 'FAILED' }),
  'COMPLETED orders of a workspace': list({ ...ofOwn, status: 'COMPLETED' }),
  'wallets of a workspace': async () => {
    await wallets.page(ofOwn, first);
    await wallets.count(ofOwn);
  },
  'flows of a wallet': async () => {
    await flows.page({ wallet: longWallet }, first);
    await flows.count({ wallet: longWallet });
  },
  'flows of a wallet, the deepest page': () =>
    flows.page({ wallet: longWallet }, { ...first, below: flowId(alice, size + 5) }),
  'flows of a wallet, the deepest page by number': () => flows.page({ wallet: longWallet }, { size, skip: 975 }),
  'flows of a direction': () => flows.page({ wallet: longWallet, direction: 'DEBIT' }, first),
  'flows in a range of times': () => flows.page({ wallet: longWallet, from: timeOf(700) }, first),
  'how many orders of a workspace wait': countWaiting(own),
  'what a poster reads of a workspace': () =>
    openOrders(db).findWaiting({ workspaceIds: [own], behind: '', except: [] }, pageSize),
};
/** What processes ask for of all workspaces. */
const sweep = () => backlog.waitingBehind({ $gt: '' }, pageSize, '~');
const look = () => backlog.snapshot(limits);

/** Balances at a time and statements, of a wallet of so many flows. */
async function readsOfThePast(count: number): Promise<Reads> {
  const statements = openStatements(db);
  const workspaceId = newId('workspace');
  const { walletId: id, from, to } = await insertFlows(uri, workspaceId, count);
  const read = (times: readonly Date[], entriesCount: number) => async () => {
    const [wallet] = await openWallets(db).findVisible([{ workspaceId, id }]);
    const ends = await statements.standingsBefore(wallet!, times);
    await statements.settledUntil(wallet!, new Date());
    if (entriesCount === 0) return;
    const [start, last] = [ends[0]!.sequence + 1, ends[1]!.sequence];
    const entries = await statements.entries(wallet!, {
      first: start,
      last: Math.min(last, start + entriesCount - 1),
    });
    expect(entries).toHaveLength(entriesCount);
  };
  const hundred = [timeOfFlow(count / 2 - 98), timeOfFlow(count / 2 + 1)];
  return {
    'balance at a time': read([timeOfFlow(count / 2)], 0),
    'statement of 100': read(hundred, size),
    'statement of all but the first and last': read([timeOfFlow(4), timeOfFlow(count)], size),
    'statement of all': read([from, to], size),
  };
}

/** The costs of {@link reads}. */
const usual = {
  'orders of a workspace, some PENDING': '4 commands, 27 keys, 22 documents',
  'orders of a workspace, none PENDING': '3 commands, 22 keys, 22 documents',
  'orders of a workspace, the deepest page': '1 commands, 21 keys, 21 documents',
  'orders of a workspace, in a range of times': '1 commands, 21 keys, 21 documents',
  'orders of a wallet, some PENDING': '7 commands, 29 keys, 29 documents',
  'orders of a wallet, none PENDING': '3 commands, 22 keys, 22 documents',
  'orders of a wallet, the deepest page': '1 commands, 21 keys, 21 documents',
  'PENDING orders of a workspace': '2 commands, 10 keys, 5 documents',
  // Of these and of the COMPLETED ones the keys are those of the look that ends a page: no document is needed.
  'PENDING orders of a wallet': '8 commands, 24 keys, 24 documents',
  'FAILED orders of a workspace': '2 commands, 11 keys, 11 documents',
  'FAILED orders of a wallet': '2 commands, 11 keys, 11 documents',
  'COMPLETED orders of a workspace': '3 commands, 248 keys, 248 documents',
  'wallets of a workspace': '2 commands, 3 keys, 3 documents',
  'flows of a wallet': '1 commands, 21 keys, 21 documents',
  'flows of a wallet, the deepest page': '1 commands, 21 keys, 21 documents',
  'flows of a wallet, the deepest page by number': '1 commands, 21 keys, 21 documents',
  'flows of a direction': '1 commands, 21 keys, 21 documents',
  'flows in a range of times': '3 commands, 82 keys, 82 documents',
  'how many orders of a workspace wait': '1 commands, 5 keys, 0 documents',
  'what a poster reads of a workspace': '1 commands, 5 keys, 5 documents',
};

it('a read costs so much', async () => {
  expect(await costs(reads)).toEqual(usual);
  expect(await costOf(sweep)).toEqual({ commands: 1, keys: 6, documents: 5 });
  expect(await costOf(look)).toEqual({ commands: 1, keys: 6, documents: 5 });
  // One document more once the oldest is old: whether that was SCHEDULED.
  expect(await costOf(() => openBacklog(db).snapshot(limits))).toEqual({ commands: 2, keys: 7, documents: 6 });
});

it('a read of the past costs the same whatever the range, and a round trip more for a wallet of five times the flows', async () => {
  // The wallet; the search, of at most 62 flows a round trip; a look for a flow that no majority has yet; 20 flows; their orders.
  expect(await costs(await readsOfThePast(1_000))).toEqual({
    'balance at a time': '4 commands, 63 keys, 63 documents',
    'statement of 100': '6 commands, 133 keys, 133 documents',
    'statement of all but the first and last': '6 commands, 134 keys, 134 documents',
    'statement of all': '6 commands, 103 keys, 103 documents',
  });
  expect(await costs(await readsOfThePast(5_000))).toEqual({
    'balance at a time': '5 commands, 67 keys, 67 documents',
    'statement of 100': '7 commands, 111 keys, 111 documents',
    'statement of all but the first and last': '7 commands, 142 keys, 142 documents',
    'statement of all': '7 commands, 107 keys, 107 documents',
  });
});

it('the number of a wallet’s orders is 0 for another workspace, which is asked for at once', async () => {
  const numberFor = async (workspaceId: string) =>
    (await orders.count({ workspaceId, walletId: alice, status: 'COMPLETED' })).total;
  // Those that come while a wallet is read share the next reading.
  expect(await Promise.all([own, own, calm].map(numberFor))).toEqual([1_000, 1_000, 0]);
});

it('lists of a workspace that are counted at once share the key, and the wallets or the totals; those of others do not', async () => {
  const count = (query: Query) => orders.count(query);
  const sent = async (queries: readonly Query[]) =>
    (await sentBy(() => Promise.all(queries.map(count)))).map(({ find, filter }) => [
      find as unknown,
      (filter as Document)['workspaceId'] as unknown,
    ]);
  const ofCalm = [carol, dave, carol].map((walletId) => ({ workspaceId: calm, walletId }));
  expect(await sent(ofCalm)).toEqual([
    ['orders', calm],
    ['wallets', calm],
  ]);
  expect(await sent([{ workspaceId: calm }, { workspaceId: calm }])).toEqual([
    ['orders', calm],
    ['wallets', calm],
  ]);
  expect(await sent([own, calm].map((workspaceId) => ({ workspaceId, status: 'FAILED' })))).toEqual([
    ['wallets', own],
    ['wallets', calm],
  ]);
});

/** By wallet and times, which no wallet knows the number of; what waits is read itself, as it is little. */
const ofTimes = { from: timeOf(1_005), to: timeOf(1_900) };
const counts: [string, () => Promise<unknown>][] = [
  ['orders of a workspace', () => orders.count({ ...ofOwn, ...ofTimes })],
  ['orders of a wallet', () => orders.count({ ...ofAlice, ...ofTimes })],
  ['failed orders of a wallet', () => orders.count({ ...ofAlice, status: 'FAILED' })],
  ['flows of a direction', () => flows.count({ wallet: longWallet, direction: 'DEBIT', to: timeOf(900) })],
];

/** The engine fetches what it counts: that no document is needed is seen by the fields that are asked for. */
it.each(counts)('a count of %s is answered from the keys of one index', async (_, count) => {
  for (const { aggregate, pipeline } of (await sentBy(count)).filter((command) => 'aggregate' in command)) {
    const fields = Object.keys((pipeline as [{ $match: Document }])[0].$match);
    const indexes = schema[String(aggregate)] ?? [];
    expect(
      indexes.some(({ key }) => fields.every((field) => field in key)),
      fields.join(),
    ).toBe(true);
  }
});

/** Reads with so much time left, and so much less for each command sent. */
const timed: [string, (timeLeftMs: () => number) => Promise<unknown>][] = [
  ['orders', (timeLeftMs) => orders.page({ ...ofOwn, timeLeftMs }, first)],
  ['pending orders', (timeLeftMs) => orders.page({ ...ofOwn, status: 'PENDING', timeLeftMs }, first)],
  ['the number of orders', (timeLeftMs) => orders.count({ ...ofOwn, timeLeftMs })],
  ['the number of orders of a wallet', (timeLeftMs) => orders.count({ ...ofAlice, timeLeftMs })],
  [
    'the number of orders of a range and status',
    (timeLeftMs) => orders.count({ ...ofOwn, status: 'COMPLETED', from: timeOf(1), timeLeftMs }),
  ],
  ['flows of a direction', (timeLeftMs) => flows.page({ wallet: longWallet, direction: 'DEBIT', timeLeftMs }, first)],
  ['flows of a range', (timeLeftMs) => flows.page({ wallet: longWallet, from: timeOf(9), timeLeftMs }, first)],
  ['the number of flows of a range', (timeLeftMs) => flows.count({ wallet: longWallet, to: timeOf(9), timeLeftMs })],
  [
    'the number of flows of a direction',
    (timeLeftMs) => flows.count({ wallet: longWallet, direction: 'CREDIT', from: timeOf(7), timeLeftMs }),
  ],
  ['wallets', (timeLeftMs) => wallets.page({ ...ofOwn, timeLeftMs }, first)],
  ['the number of wallets', (timeLeftMs) => wallets.count({ ...ofOwn, status: 'ACTIVE', timeLeftMs })],
];

it.each(timed)(
  '%s: each command takes 8 s at most, or what is left of the answer, of which none is sent once it is over',
  async (_, read) => {
    for (const [leftMs, limitMs] of [
      [14_000, 8_000],
      [3_456.7, 3_456],
    ] as const) {
      const commands = await sentBy(() => read(() => leftMs));
      expect(commands.length).toBeGreaterThan(0);
      expect(commands.map(({ maxTimeMS }) => maxTimeMS as number)).toEqual(commands.map(() => limitMs));
    }
    const refused = () =>
      expect(read(() => 0)).rejects.toMatchObject({ errorName: 'ANSWER_TOO_LATE', retryAfterSeconds: 5 });
    expect(await sentBy(refused)).toEqual([]);
  },
);

it('what the sweeper looks for is found by the index of what is PENDING, whatever else the planner could take', async () => {
  const found = [idOf(2_100), idOf(2_101)].map((id) => ({ id, workspaceId: own }));
  const commands = await sentBy(async () => {
    expect(await backlog.waitingBehind({ $gt: '' }, size, idOf(2_102))).toEqual(found);
    expect(await backlog.oldestBefore(own, idOf(2_102), 1_000)).toEqual(found.slice(0, 1));
  });
  expect(commands.map(({ hint }) => hint as unknown)).toEqual(['unsettled_orders', 'unsettled_orders']);
});

it('the number of orders that a first page is given takes the snapshot alone where the page shows one that waits', async () => {
  const read = async (query: Query) => {
    const page = await orders.page(query, first);
    return sentBy(async () => {
      expect((await orders.count(query, page)).total).toBe(1_015);
    });
  };
  const [settled, unsettled, ...rest] = await read(ofOwn);
  expect(rest).toEqual([]);
  expect(settled).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } });
  expect([unsettled?.['txnNumber'], unsettled?.['autocommit']]).toEqual([settled?.['txnNumber'], false]);
  // Those of a wallet are found by the oldest that waits; those for a later time have an index.
  expect((await read(ofAlice)).map(({ hint }) => hint as unknown)).toEqual([
    ...['_id_', 'unsettled_orders', 'unsettled_orders', 'orders_of_wallet', 'scheduled_of_wallet'],
  ]);
});

it('a list sends no more commands at once than it has connections', async () => {
  const storage = await connectForLists(uri, createLogger('test', 'silent').log, new AbortController().signal);
  let [out, most] = [0, 0];
  storage.client.on('connectionCheckedOut', () => (most = Math.max(most, (out += 1))));
  storage.client.on('connectionCheckedIn', () => (out -= 1));
  const lists = openOrderLists(storage.db);
  const query = { ...ofAlice, status: 'COMPLETED', currency: 'USD', from: timeOf(1) } as const;
  for (let count = 0; count < 20; count++) await lists.count(query);
  await storage.close();
  expect(most).toBe(1);
});

it('reads cost the same while another workspace has thousands that are set aside', async () => {
  const ofNobody = { workspaceId: newId('workspace'), wallets: [newId('wallet'), newId('wallet')] };
  await insert('orders', rowsOf(floodRows, 0, { ...ofNobody, status: 'SET_ASIDE', digit: 2 }));
  expect(await costs(reads)).toEqual(usual);
  expect([(await costOf(sweep)).documents, (await costOf(look)).documents]).toEqual([5, 5]);
});

describe('where thousands of orders of a workspace wait, and some are set aside', () => {
  const ofFew = { workspaceId: flooded, walletId: few, status: 'PENDING' } as const;
  const waiting = { workspaceId: flooded, wallets: [other, third], status: 'PENDING', digit: 3 };
  const aside = { status: 'SET_ASIDE', stuckSince: timeOf(1) };
  const waitingFrom = 2_200;
  const ownOfFew = [0, 1, 2].map((row) => orderRow(waitingFrom + row, { ...waiting, wallets: [few, third], digit: 4 }));
  beforeAll(() => insert('orders', [...rowsOf(floodRows, waitingFrom, waiting), ...ownOfFew]));

  it('reads of others cost the same', async () => {
    expect(await costs(reads)).toEqual(usual);
    // A page of it; and as many of it as it may have waiting, once more if the page ends in it, and its oldest.
    expect((await costOf(sweep)).documents).toBe(pageSize);
    expect((await costOf(look)).documents).toBeLessThanOrEqual(2 * (limits.perWorkspaceMax + 1) + 1);
    const keys = limits.perWorkspaceMax + 1;
    expect(await costOf(countWaiting(flooded))).toEqual({ commands: 1, keys, documents: 0 });
  });

  it.each(['PENDING', undefined] as const)(
    'a wallet’s of status %s are counted, and not the others',
    async (status) => {
      let count = 0;
      const { keys } = await costOf(async () => (count = (await orders.count({ ...ofFew, status })).total));
      expect(count).toBe(3);
      expect(keys).toBeLessThan(50);
    },
  );

  it('a page by number of a workspace’s is skipped to by the server, among both kinds in one order', async () => {
    const three = [10, 20, 2_000].map((row) => orderRow(waitingFrom + row, { ...waiting, ...aside, digit: 5 }));
    await insert('orders', three);
    const query = { workspaceId: flooded, status: 'PENDING' } as const;
    expect((await orders.count(query)).total).toBe(floodRows + 6);
    const all = await orders.page(query, { size: floodRows + 10, skip: 0 });
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
    const from = ids[1_000]!;
    const [cost] = await examinedBy(() => orders.page(query, { size: 20, skip: 0, below: from }));
    expect(cost!.stages).toContain('SORT_MERGE');
    expect(cost!.keys).toBeLessThan(30);
    expect((await orders.page(query, { size: 20, skip: 0, below: from })).items).toEqual(all.items.slice(1_001, 1_021));
    const times = { from: timeOf(waitingFrom + 10), to: timeOf(waitingFrom + 14) };
    expect((await orders.count({ ...query, ...times })).total).toBe(5);
  });

  it('a wallet’s are listed with those that are set aside, at whatever time', async () => {
    const old = orderRow(1, { ...waiting, ...aside, wallets: [few, third], digit: 4 });
    await insert('orders', [old]);
    const all = await orders.page(ofFew, first);
    expect(all.items.map(({ id }) => id)).toEqual([...ownOfFew.map(({ _id }) => _id).toReversed(), old._id]);
    expect(await orders.page(ofFew, { size: 2, skip: 0 })).toEqual({ items: all.items.slice(0, 2), hasMore: true });
    expect(await orders.page(ofFew, { size: 2, skip: 2 })).toEqual({ items: all.items.slice(2), hasMore: false });
    const from = all.items[1]!.id;
    expect((await orders.page(ofFew, { size: 1, skip: 0, below: from })).items).toEqual(all.items.slice(2, 3));
    expect((await orders.count(ofFew)).total).toBe(4);
    expect((await orders.count({ ...ofFew, status: undefined })).total).toBe(4);
  });
});

describe('a list of wallets', () => {
  const sizes = { [newId('workspace')]: 100, [newId('workspace')]: 5_000 };
  const [small, large] = Object.keys(sizes) as [string, string];
  const ids: Record<string, string[]> = {};
  beforeAll(async () => {
    for (const [workspaceId, count] of Object.entries(sizes)) {
      ids[workspaceId] = Array.from({ length: count }, () => newId('wallet'));
      // What is rare lies among the oldest.
      const rows = ids[workspaceId].map((_id, index) => ({
        ...{ _id, workspaceId, kind: 'STANDARD', balance: one, reference: `r-${index}` },
        currency: index < 4 ? 'EUR' : 'USD',
        status: index < 2 ? 'CLOSED' : index % 3 === 0 ? 'FROZEN' : 'ACTIVE',
      }));
      await insert('wallets', [
        ...rows,
        { _id: totalsId(workspaceId, 'wallets'), workspaceId, kind: 'TOTALS', wallets: {} },
      ]);
    }
  });

  it.each<[string, Omit<Parameters<typeof wallets.page>[0], 'workspaceId'>]>([
    ['all', {}],
    ['active', { status: 'ACTIVE' }],
    ['closed', { status: 'CLOSED' }],
    ['of a currency', { currency: 'USD' }],
    ['of a rare currency', { currency: 'EUR' }],
    ['of a currency, frozen', { currency: 'USD', status: 'FROZEN' }],
    ['of a currency, none', { currency: 'EUR', status: 'FROZEN' }],
    ['of a reference', { reference: 'r-3' }],
    ['of a reference, not active', { reference: 'r-3', status: 'ACTIVE' }],
  ])('costs as much among thousands as among a hundred: %s', async (_, filter) => {
    const costIn = (workspaceId: string, place: { below?: string }) =>
      costOf(async () => {
        await wallets.page({ workspaceId, ...filter }, { ...first, ...place });
        await wallets.count({ workspaceId, ...filter });
      }, filter.reference === undefined);
    for (const placeIn of [() => ({}), (workspaceId: string) => ({ below: ids[workspaceId]!.at(-30)! })]) {
      const cost = await costIn(large, placeIn(large));
      expect(cost).toEqual(await costIn(small, placeIn(small)));
      // A page and the row behind it, a row more of each state that is merged, and the totals.
      expect(cost.documents).toBeLessThanOrEqual(22 + 2);
      expect(cost.keys).toBeLessThanOrEqual(22 + 4);
    }
  });
});
