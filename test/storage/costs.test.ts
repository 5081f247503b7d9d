import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexEntriesWritten } from '../../bench/measure/index-entries.ts';
import { flowId, leastIdAt, newId, totalsId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { openFlowLists } from '../../src/reading/flows.ts';
import { openStatements } from '../../src/reading/statements.ts';
import { openBacklog } from '../../src/storage/orders/backlog.ts';
import { openOrderLists, type OrderLists } from '../../src/reading/orders.ts';
import { openOrders } from '../../src/storage/orders/orders.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { openWalletLists } from '../../src/reading/wallets.ts';
import { openWallets } from '../../src/storage/wallets/wallets.ts';
import { openLedger, type Ledger } from '../posting/posting-ways.ts';
import { testDatabase } from '../support/database.ts';
import { explained } from '../support/watched-reads.ts';
import { insertFlows, timeOfFlow } from './many-flows.ts';

/*
 * What each operation costs MongoDB, counted: whoever adds a command, a document or a key sees it here. The table of
 * docs/storage.md has these numbers.
 */

describe('a create, and the posting of its order,', () => {
  let ledger: Ledger;
  let writes: Document[];
  beforeAll(async () => {
    ledger = await openLedger();
    ledger.service.on('commandStarted', ({ command }: CommandStartedEvent) => writes.push(command));
    writes = [];
    await ledger.post(await ledger.record([['world', 'alice', '1000']]));
  });
  afterAll(() => ledger.close());

  /** Round trips, one after the other, and the documents that they write. */
  function counted() {
    const documents = writes.map(({ documents: inserted = [], updates = [] }) => {
      const named = (updates as { q: { _id: unknown } }[]).map(({ q: { _id } }) =>
        typeof _id === 'object' ? (_id as { $in: unknown[] }).$in.length : 1,
      );
      return (inserted as unknown[]).length + named.reduce((sum, count) => sum + count, 0);
    });
    return {
      commands: writes.map((command) => `${Object.keys(command)[0]} ${String(Object.values(command)[0])}`),
      documents: documents.reduce((sum, count) => sum + count, 0),
    };
  }

  const stored = (name: string, filter: Document) => ledger.db.collection(name).find(filter).sort({ _id: 1 }).toArray();

  it('write one document of seven keys, and then six, of five keys', async () => {
    writes = [];
    const [order] = await ledger.record([['alice', 'bob', '1']]);
    expect(counted()).toEqual({ commands: ['insert orders'], documents: 1 });
    const [pending] = await stored('orders', { _id: order!.id });
    const before = await stored('wallets', {});
    const signed = { ...pending!, request: { keyId: 'k', timestamp: 1, nonce: 'n' } };
    expect(indexEntriesWritten('orders', undefined, signed)).toBe(7);

    writes = [];
    expect(await ledger.post([order!])).toEqual(['completed']);
    const commands = ['find wallets', 'update orders', 'update wallets', 'insert flows', 'commitTransaction 1'];
    expect(counted()).toEqual({ commands, documents: 6 });
    const [completed] = await stored('orders', { _id: order!.id });
    const after = await stored('wallets', {});
    const flows = await stored('flows', { transferId: order!.id });
    const keys = [
      indexEntriesWritten('orders', pending, completed!),
      ...after.map((wallet, index) => indexEntriesWritten('wallets', before[index], wallet)),
      ...flows.map((flow) => indexEntriesWritten('flows', undefined, flow)),
    ];
    expect(keys.reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it('cost a group no command more, and each order one document and its two flows', async () => {
    const orders = await ledger.record(Array.from({ length: 20 }, () => ['alice', 'bob', '1'] as const));
    writes = [];
    await ledger.post(orders);
    // Its worker remembers the wallets.
    const commands = ['update orders', 'update wallets', 'insert flows', 'commitTransaction 1'];
    expect(counted()).toEqual({ commands, documents: 20 + 2 + 1 + 40 });
  });
});

/** The index keys and documents that commands examine. */
async function examinedBy(db: Db, sent: readonly Document[]): Promise<{ keys: number; documents: number }> {
  const costs = await Promise.all(
    sent.filter((command) => !('commitTransaction' in command)).map((command) => explained(db, command)),
  );
  const sumOf = (what: 'keys' | 'documents') => costs.reduce((sum, cost) => sum + cost[what], 0);
  return { keys: sumOf('keys'), documents: sumOf('documents') };
}

describe('a read', () => {
  const { uri, db: plain } = testDatabase();
  const client = new MongoClient(uri, { monitorCommands: true });
  const db = client.db();
  const lists = openOrderLists(db);
  /** Of the moment when the last order was recorded. */
  const backlog = openBacklog(db, () => timeOf(2_105));
  /** Five orders of the one wait; none of the other, of which all else is the same. */
  const [own, calm] = [newId('workspace'), newId('workspace')];
  const [alice, bob, carol, dave] = ['', '', '', ''].map(() => newId('wallet')) as [string, string, string, string];
  const amount = toDecimal128(new Money(1));
  const start = Date.parse('2026-01-01T00:00:00Z');
  const timeOf = (row: number) => new Date(start + row * 1_000);
  const first = { size: 20, skip: 0 };
  const limits = { countMax: 50_000, perWorkspaceMax: 1_000 };
  const floodRows = 3_000;
  const pageSize = 256;
  const flows = openFlowLists(db);
  let commands: Document[] = [];

  /** No more than what is read is stored. */
  async function insert(name: string, documents: readonly (Document & { _id: string })[]): Promise<void> {
    const collection = plain.collection<Document & { _id: string }>(name);
    await collection.insertMany([...documents], { bypassDocumentValidation: true });
  }

  function orders(workspaceId: string, wallets: readonly string[], count: number, from: number, status: string) {
    const [sourceWalletId, targetWalletId] = wallets;
    const sides = { workspaceId, sourceWalletId, targetWalletId, wallets };
    const rows = Array.from({ length: count }, (_, index) => leastIdAt('order', timeOf(from + index)).slice(0, -6));
    return rows.map((id, index) => ({
      _id: id + newId('order').slice(-6),
      ...{ bizId: `${status}-${from + index}`, ...sides, amount, currency: 'USD', status, failure: null },
      createdAt: timeOf(from + index),
    }));
  }

  beforeAll(async () => {
    await ensureSchema(plain);
    await insert('orders', [
      ...orders(own, [alice, bob], 1_000, 1_000, 'COMPLETED'),
      ...orders(own, [alice, bob], 10, 2_000, 'FAILED'),
      ...orders(own, [alice, bob], 5, 2_100, 'PENDING'),
      ...orders(calm, [carol, dave], 1_000, 1_000, 'COMPLETED'),
      ...orders(calm, [carol, dave], 10, 2_000, 'FAILED'),
    ]);
    const counts = { TRANSFER: { COMPLETED: 1_000, FAILED: 10 } };
    const wallet = { currency: 'USD', status: 'ACTIVE', balance: amount, orders: counts };
    await insert('wallets', [
      ...[alice, bob].map((_id) => ({ _id, workspaceId: own, ...wallet })),
      ...[carol, dave].map((_id) => ({ _id, workspaceId: calm, ...wallet })),
      ...[own, calm].map((workspaceId) => ({
        _id: totalsId(workspaceId, 'posting-0'),
        workspaceId,
        orders: { USD: counts },
        wallets: { USD: { ACTIVE: 2 } },
      })),
    ]);
    const flow = { workspaceId: own, walletId: alice, direction: 'DEBIT', amount, balanceBefore: amount };
    await insert(
      'flows',
      Array.from({ length: 1_000 }, (_, index) => ({
        ...{ _id: flowId(alice, index + 1), ...flow, sequence: index + 1, balanceAfter: amount },
        createdAt: timeOf(index),
      })),
    );
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (['find', 'aggregate', 'commitTransaction'].includes(commandName)) commands.push(command);
    });
  });
  afterAll(() => client.close());

  /** Commands, and the index keys and documents that they examine. */
  async function costOf(read: () => Promise<unknown>) {
    commands = [];
    await read();
    const sent = commands;
    return { commands: sent.length, ...(await examinedBy(plain, sent)) };
  }

  type Query = Parameters<OrderLists['page']>[0];
  /** A list's first page and its total, as a client gets them. */
  const list = async (query: Query) => lists.count(query, await lists.page(query, first));
  const wallets = openWalletLists(db);
  const longWallet = { workspaceId: own, id: alice, sequence: 1_000 };

  const ofOwn = { workspaceId: own };
  const reads = {
    'orders of a workspace, some PENDING': () => list(ofOwn),
    'orders of a workspace, none PENDING': () => list({ workspaceId: calm }),
    'orders of a wallet, some PENDING': () => list({ ...ofOwn, walletId: alice }),
    'orders of a wallet, none PENDING': () => list({ workspaceId: calm, walletId: carol }),
    'PENDING orders of a workspace': () => list({ ...ofOwn, status: 'PENDING' }),
    'PENDING orders of a wallet': () => list({ ...ofOwn, walletId: alice, status: 'PENDING' }),
    'FAILED orders of a workspace': () => list({ ...ofOwn, status: 'FAILED' }),
    'COMPLETED orders of a workspace': () => list({ ...ofOwn, status: 'COMPLETED' }),
    'wallets of a workspace': async () => {
      await wallets.page(ofOwn, first);
      await wallets.count(ofOwn);
    },
    'flows of a wallet': async () => {
      await flows.page({ wallet: longWallet }, first);
      await flows.count({ wallet: longWallet });
    },
    'what a poster reads of a workspace': () =>
      openOrders(db).findWaiting({ workspaceIds: [own], behind: '', except: [] }, pageSize),
  } as const;
  /** Balances at a time and statements, of wallets of so many flows. */
  const past = async (): Promise<Record<string, () => Promise<unknown>>> => {
    const statements = openStatements(db);
    const found = await Promise.all(
      [1_000, 30_000].map(async (count) => {
        const { walletId: id, from, to } = await insertFlows(uri, own, count);
        const read = async (times: readonly Date[], size: number) => {
          const [wallet] = await openWallets(db).findVisible([{ workspaceId: own, id }]);
          const ends = await statements.standingsBefore(wallet!, times);
          await statements.settledUntil(wallet!, new Date());
          if (size === 0) return;
          const [first, last] = [ends[0]!.sequence + 1, ends[1]!.sequence];
          const entries = await statements.entries(wallet!, { first, last: Math.min(last, first + size - 1) });
          expect(entries).toHaveLength(size);
        };
        const middle = timeOfFlow(count / 2);
        const hundred = [timeOfFlow(count / 2 - 98), timeOfFlow(count / 2 + 1)];
        return {
          [`balance at a time, of ${count} flows`]: () => read([middle], 0),
          [`statement of 100 of ${count} flows`]: () => read(hundred, 20),
          [`statement of all but the first and last of ${count} flows`]: () =>
            read([timeOfFlow(4), timeOfFlow(count)], 20),
          [`statement of all of ${count} flows`]: () => read([from, to], 20),
        };
      }),
    );
    return Object.assign({}, ...found) as Record<string, () => Promise<unknown>>;
  };
  const sweep = () => backlog.waitingBehind('', '~', pageSize);
  const look = () => backlog.snapshot(limits);

  const costs = async (of: Record<string, () => Promise<unknown>> = reads) => {
    const found: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(of)) {
      const { commands: sent, keys, documents } = await costOf(read);
      found[name] = `${sent} commands, ${keys} keys, ${documents} documents`;
    }
    return found;
  };

  it('costs so much', async () => {
    // Of the PENDING ones of a wallet and the COMPLETED ones the keys are those of the look that ends a page: no document is needed.
    expect(await costs()).toEqual({
      'orders of a workspace, some PENDING': '4 commands, 27 keys, 22 documents',
      'orders of a workspace, none PENDING': '3 commands, 22 keys, 22 documents',
      'orders of a wallet, some PENDING': '7 commands, 29 keys, 29 documents',
      'orders of a wallet, none PENDING': '3 commands, 22 keys, 22 documents',
      'PENDING orders of a workspace': '2 commands, 10 keys, 5 documents',
      'PENDING orders of a wallet': '8 commands, 24 keys, 24 documents',
      'FAILED orders of a workspace': '2 commands, 11 keys, 11 documents',
      'COMPLETED orders of a workspace': '3 commands, 248 keys, 248 documents',
      'wallets of a workspace': '2 commands, 3 keys, 3 documents',
      'flows of a wallet': '1 commands, 21 keys, 21 documents',
      'what a poster reads of a workspace': '1 commands, 5 keys, 5 documents',
    });
    expect(await costOf(sweep)).toEqual({ commands: 1, keys: 6, documents: 5 });
    expect(await costOf(look)).toEqual({ commands: 1, keys: 6, documents: 5 });
    // One document more once the oldest is old: whether that was SCHEDULED.
    const lookLater = () => openBacklog(db).snapshot(limits);
    expect(await costOf(lookLater)).toEqual({ commands: 2, keys: 7, documents: 6 });
  });

  it('of the past costs the same whatever the range, and a round trip more for a wallet of 32 times the flows', async () => {
    // The wallet; the search, of at most 62 flows a round trip; a look for a flow that no majority has yet; 20 flows; their orders.
    expect(await costs(await past())).toEqual({
      'balance at a time, of 1000 flows': '4 commands, 63 keys, 63 documents',
      'balance at a time, of 30000 flows': '5 commands, 92 keys, 92 documents',
      'statement of 100 of 1000 flows': '6 commands, 133 keys, 133 documents',
      'statement of 100 of 30000 flows': '7 commands, 161 keys, 161 documents',
      'statement of all but the first and last of 1000 flows': '6 commands, 134 keys, 134 documents',
      'statement of all but the first and last of 30000 flows': '7 commands, 192 keys, 192 documents',
      'statement of all of 1000 flows': '6 commands, 103 keys, 103 documents',
      'statement of all of 30000 flows': '7 commands, 132 keys, 132 documents',
    });
  });

  it('costs the same while others have thousands that are set aside, and thousands that wait', async () => {
    const [before, ofSweep] = [await costs(), await costOf(sweep)];
    await insert('orders', orders(newId('workspace'), [newId('wallet'), newId('wallet')], floodRows, 0, 'SET_ASIDE'));
    expect(await costs()).toEqual(before);
    expect((await costOf(sweep)).documents).toBe(ofSweep.documents);
    expect((await costOf(look)).documents).toBe(ofSweep.documents);
    await insert('orders', orders(newId('workspace'), [newId('wallet'), newId('wallet')], floodRows, 0, 'PENDING'));
    expect(await costs()).toEqual(before);
    // A page of it; and as many of it as it may have waiting, once more if the page ends in it, and its oldest.
    expect((await costOf(sweep)).documents).toBe(pageSize);
    expect((await costOf(look)).documents).toBeLessThanOrEqual(2 * (limits.perWorkspaceMax + 1) + 1);
  });
});

describe('a list of wallets', () => {
  const { uri, db: plain } = testDatabase();
  const client = new MongoClient(uri, { monitorCommands: true });
  const lists = openWalletLists(client.db());
  const few = newId('workspace');
  const many = newId('workspace');
  const counts = { [few]: 100, [many]: 5_000 };
  const ids: Record<string, string[]> = {};
  let commands: Document[] = [];

  beforeAll(async () => {
    await ensureSchema(plain);
    for (const [workspaceId, count] of Object.entries(counts)) {
      ids[workspaceId] = Array.from({ length: count }, () => newId('wallet'));
      // What is rare lies among the oldest.
      const wallets = ids[workspaceId].map((_id, index) => ({
        ...{ _id, workspaceId, kind: 'STANDARD', balance: toDecimal128(new Money(0)), reference: `r-${index}` },
        currency: index < 4 ? 'EUR' : 'USD',
        status: index < 2 ? 'CLOSED' : index % 3 === 0 ? 'FROZEN' : 'ACTIVE',
      }));
      const totals = { _id: totalsId(workspaceId, 'wallets'), workspaceId, kind: 'TOTALS', wallets: {} };
      const documents: { _id: string }[] = [...wallets, totals];
      await plain.collection<{ _id: string }>('wallets').insertMany(documents, { bypassDocumentValidation: true });
    }
    client.on('commandStarted', ({ command }: CommandStartedEvent) => commands.push(command));
  });
  afterAll(() => client.close());

  const filters: Record<string, Omit<Parameters<typeof lists.page>[0], 'workspaceId'>> = {
    all: {},
    active: { status: 'ACTIVE' },
    closed: { status: 'CLOSED' },
    'of a currency': { currency: 'USD' },
    'of a rare currency': { currency: 'EUR' },
    'of a currency, frozen': { currency: 'USD', status: 'FROZEN' },
    'of a currency, none': { currency: 'EUR', status: 'FROZEN' },
    'of a reference': { reference: 'r-3' },
    'of a reference, not active': { reference: 'r-3', status: 'ACTIVE' },
  };

  it.each(Object.entries(filters))('costs as much among thousands as among a hundred: %s', async (_, filter) => {
    const costOf = async (workspaceId: string, from: 'the top' | 'a cursor') => {
      commands = [];
      const below = from === 'the top' ? {} : { below: ids[workspaceId]!.at(-30)! };
      await lists.page({ workspaceId, ...filter }, { size: 20, skip: 0, ...below });
      await lists.count({ workspaceId, ...filter });
      return examinedBy(plain, commands);
    };
    for (const from of ['the top', 'a cursor'] as const) {
      const cost = await costOf(many, from);
      expect(cost).toEqual(await costOf(few, from));
      // A page and the row behind it, a row more of each state that is merged, and the totals.
      expect(cost.documents).toBeLessThanOrEqual(22 + 2);
      expect(cost.keys).toBeLessThanOrEqual(22 + 4);
    }
  });
});
