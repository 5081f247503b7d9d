import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { encodeCursor } from '../../src/http/lists/cursor.ts';
import { Balance } from '../../src/http/wallets/balance.ts';
import { Statement } from '../../src/http/wallets/statement.ts';
import { externalWalletId } from '../../src/domain/ids.ts';
import { transactionMaxMs } from '../../src/storage/shared/transaction.ts';
import { refusalOf } from '../support/api-client.ts';
import { sendCommand } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { insertFlows, timeOfFlow } from '../storage/many-flows.ts';

type Query = Record<string, string | number> | string;
type StatementAnswer = z.output<typeof Statement>;
type BalanceAnswer = z.output<typeof Balance>;
const service = await serviceForTests();
const [home, stranger] = await Promise.all([createWorkspace(service), createWorkspace(service)]);
const [alice, bob] = [await home.wallet('100'), await home.wallet()];
for (const [index, amount] of ['1.10', '2.20', '3.30'].entries()) {
  const notes = index === 0 ? { bizId: 'invoice-42', reference: 'order-9', description: 'Two books' } : {};
  const body = { sourceWalletId: alice, targetWalletId: bob, amount, currency: 'USD', ...notes };
  await sendCommand(home, 'create', body);
}
const flows = await home.client.request<{ items: { createdAt: string }[] }>('GET', `/api/v1/wallets/${alice}/flows`);
/** When each of Alice's flows was posted: a deposit of 100, then transfers of 1.10, 2.20 and 3.30 to Bob. */
const times: Date[] = flows.envelope!.data.items.map(({ createdAt }) => new Date(createdAt)).toReversed();
/** A wallet of 500 flows, long ago. */
const long = await insertFlows(service.mongodbUri, home.workspaceId, 500);

const after = (time: Date, ms = 1) => new Date(time.getTime() + ms).toISOString();

async function get<Data>(path: string, query: Query, by = home): Promise<Data> {
  const answer = await by.client.request<Data>('GET', path, { query });
  expect([answer.status, answer.envelope?.message]).toEqual([200, 'SUCCESS']);
  return answer.envelope!.data;
}
const balanceAt = (id: string, at: string) => get<BalanceAnswer>(`/api/v1/wallets/${id}/balance`, { at });
const statement = (id: string, query: Query) => get<StatementAnswer>(`/api/v1/wallets/${id}/statement`, query);

/** Status, code, reason, field and value of a refusal. */
const refusal = async (path: string, query: Query, by = home) =>
  refusalOf(await by.client.request('GET', path, { query }));

const notFound = [404, 'WA4041', 'WALLET_NOT_FOUND', 'id', undefined];

/** All pages of a statement, with a size for each. */
async function pages(id: string, query: Record<string, string | number>): Promise<StatementAnswer[]> {
  const read = [await statement(id, query)];
  for (let next = read[0]!.nextCursor; next !== null; next = read.at(-1)!.nextCursor) {
    read.push(await statement(id, { cursor: next }));
  }
  return read;
}

describe('the balance at a moment', () => {
  it('counts what was posted in that very millisecond, and nothing after it', async () => {
    const at = times.map((time) => time.toISOString());
    const found = await Promise.all(at.map((time) => balanceAt(alice, time)));
    expect(found.map(({ balance, sequence }) => [balance, sequence])).toEqual([
      ['100.00', 1],
      ['98.90', 2],
      ['96.70', 3],
      ['93.40', 4],
    ]);
    expect((await balanceAt(alice, after(times[1]!, -1))).balance).toBe('100.00');
    expect(found[1]).toMatchObject({ walletId: alice, currency: 'USD', held: null, available: null, asOf: at[1] });
    Balance.parse(found[1]);
  });

  it('is zero before the first flow, and before the wallet was made', async () => {
    for (const at of [after(times[0]!, -1), '0001-01-01T00:00:00Z'])
      expect(await balanceAt(alice, at)).toMatchObject({ balance: '0.00', sequence: 0 });
  });

  it('takes a time in any zone, finer than a millisecond rounded down', async () => {
    const text = times[1]!.toISOString();
    const exact = await balanceAt(alice, text.replace('Z', '999Z'));
    expect(exact).toMatchObject({ balance: '98.90', asOf: text });
    const shifted = new Date(times[1]!.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    expect(await balanceAt(alice, shifted)).toMatchObject({ balance: '98.90', asOf: text });
  });

  it('must have passed, and must be a time', async () => {
    const path = `/api/v1/wallets/${alice}/balance`;
    const [status, code, reason, field, value] = await refusal(path, { at: after(new Date(), 60_000) });
    expect([status, code, reason, field]).toEqual([400, 'RQ4001', 'TIME_NOT_PASSED', 'at']);
    expect(Math.abs(Date.parse(String(value)) - Date.now())).toBeLessThan(10_000);
    for (const at of ['2026-01-01T00:00:00', '2026-01-01', '2026-01-01T00:00:00+1', '0', '']) {
      expect(await refusal(path, { at })).toEqual([400, 'RQ4001', 'TIME_MALFORMED', 'at', at]);
    }
  });
});

describe('a statement', () => {
  it('has the figures of its range, and its flows with their orders, oldest first', async () => {
    const range = { from: times[1]!.toISOString(), to: after(times[2]!) };
    const found = await statement(alice, range);
    Statement.parse(found);
    expect(found).toMatchObject({
      ...{ walletId: alice, currency: 'USD', ...range, openingBalance: '100.00', closingBalance: '96.70' },
      ...{ debits: '3.30', credits: '0.00', count: 2, nextCursor: null },
    });
    const flows = await get<{ items: object[] }>(`/api/v1/wallets/${alice}/flows`, {});
    const [first, second] = flows.items.toReversed().slice(1);
    const notes = { type: 'TRANSFER', bizId: 'invoice-42', reference: 'order-9', description: 'Two books' };
    const { transferId } = second as { transferId: string };
    const noNotes = { type: 'TRANSFER', bizId: transferId, reference: null, description: null };
    expect(found.items).toEqual([
      { ...first, ...notes },
      { ...second, ...noNotes },
    ]);
  });

  it('hides the world outside, and adds up what came from it', async () => {
    const found = await statement(alice, { from: '2001-01-01T00:00:00Z', to: after(times[0]!) });
    expect(found).toMatchObject({
      openingBalance: '0.00',
      closingBalance: '100.00',
      credits: '100.00',
      debits: '0.00',
    });
    expect(found.items).toMatchObject([{ counterpartyWalletId: 'EXTERNAL', type: 'DEPOSIT', balanceAfter: '100.00' }]);
  });

  it('has a beginning that is in it, and an end that is not, whatever the zone; finer than a millisecond is rounded up', async () => {
    const count = async (from: string, to: string) => (await statement(alice, { from, to })).count;
    const [first, , third] = times.map((time) => time.toISOString());
    expect(await count(first!, third!)).toBe(2);
    expect(await count(after(times[0]!), third!)).toBe(1);
    const finer = (text: string) => text.replace('Z', '0001Z');
    expect([await count(finer(first!), third!), await count(first!, finer(third!))]).toEqual([1, 3]);
    expect(await count(first!, new Date(times[2]!.getTime() - 7_200_000).toISOString().replace('Z', '-02:00'))).toBe(2);
  });

  it('has pages that share the figures of the whole range, of 20 flows unless it is said', async () => {
    const range = { from: timeOfFlow(301).toISOString(), to: timeOfFlow(400).toISOString() };
    const whole = await statement(long.walletId, { ...range, size: 100 });
    expect(whole).toMatchObject({ count: 99, debits: '33.00', credits: '132.00', nextCursor: null });
    const { items: _, nextCursor: __, settledUntil: ___, ...figures } = whole;
    expect(whole.items.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 99 }, (_, index) => 301 + index));
    for (const size of [20, 33, 98]) {
      const read = await pages(long.walletId, { ...range, size });
      expect(read.flatMap(({ items }) => items)).toEqual(whole.items);
      expect(read).toHaveLength(Math.ceil(99 / size));
      for (const page of read) expect(page).toMatchObject(figures);
    }
    expect((await statement(long.walletId, range)).items).toHaveLength(20);
  });

  it('goes on by cursor, whose range may be repeated and not changed, and whose size may', async () => {
    const range = { from: timeOfFlow(1).toISOString(), to: timeOfFlow(100).toISOString() };
    const { nextCursor } = await statement(long.walletId, { ...range, size: 2 });
    const cursor = nextCursor!;
    const sequences = async (query: Record<string, string | number>) =>
      (await statement(long.walletId, { cursor, ...query })).items.map(({ sequence }) => sequence);
    expect(await sequences({})).toEqual([3, 4]);
    expect(await sequences({ ...range, size: 3 })).toEqual([3, 4, 5]);
    const path = `/api/v1/wallets/${long.walletId}/statement`;
    for (const name of ['from', 'to']) {
      const other = { cursor, [name]: timeOfFlow(50).toISOString() };
      expect(await refusal(path, other)).toEqual([400, 'RQ4001', 'CURSOR_CONFLICT', name, undefined]);
    }
  });

  it('refuses the cursors of others, and those that were made up', async () => {
    const range = { from: timeOfFlow(1).toISOString(), to: timeOfFlow(100).toISOString() };
    const { nextCursor } = await statement(long.walletId, range);
    const flows = await get<{ nextCursor: string }>(`/api/v1/wallets/${long.walletId}/flows`, { size: 1 });
    const made = { list: `statement ${alice}`, total: 1, size: 20, filters: range };
    const below = `fl_${alice}.000000000001`;
    const cursors = [
      nextCursor!,
      flows.nextCursor,
      ...[{ below: `fl_${long.walletId}.000000000001` }, { below: 'zz_z' }].map((each) =>
        encodeCursor({ ...made, ...each }),
      ),
      ...[{ from: range.from }, { ...range, from: 'x' }].map((filters) => encodeCursor({ ...made, filters, below })),
    ];
    for (const cursor of cursors) {
      const refused = await refusal(`/api/v1/wallets/${alice}/statement`, { cursor });
      expect(refused).toEqual([400, 'RQ4001', 'CURSOR_MALFORMED', 'cursor', undefined]);
    }
    const path = `/api/v1/wallets/${long.walletId}/statement`;
    expect(await refusal(path, { cursor: nextCursor! }, stranger)).toEqual(notFound);
  });

  it('refuses a range that is not one', async () => {
    const path = `/api/v1/wallets/${alice}/statement`;
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    expect(await refusal(path, { from, to: after(new Date(), 60_000) })).toEqual([
      ...[400, 'RQ4001', 'TIME_NOT_PASSED', 'to'],
      expect.stringMatching(/^2\d{3}-.*Z$/),
    ]);
    const refused = async (query: Query) => (await refusal(path, query)).slice(1, 4);
    expect(await refused({ from: to, to: from })).toEqual(['RQ4001', 'TIME_RANGE_REVERSED', 'from']);
    expect(await refused({ to })).toEqual(['RQ4001', 'FIELD_MISSING', 'from']);
    expect(await refused({ from })).toEqual(['RQ4001', 'FIELD_MISSING', 'to']);
    expect(await refused({})).toEqual(['RQ4001', 'FIELD_MISSING', 'from']);
    expect(await refused({ from, to, page: 7 })).toEqual(['RQ4001', 'FIELD_UNKNOWN', 'page']);
    expect((await statement(alice, { from, to })).count).toBe(0);
  });
});

describe('both', () => {
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

  it('say up to when they are final: no further back than a commit may take, and not later than now', async () => {
    const began = Date.now();
    const asked = { from: times[0]!.toISOString(), to: after(times[3]!) };
    const answers = [
      await statement(alice, asked),
      await balanceAt(alice, asked.from),
      await statement(long.walletId, { from, to }),
    ];
    for (const { settledUntil } of answers) {
      expect(Date.parse(settledUntil!)).toBeGreaterThanOrEqual(began - transactionMaxMs);
      expect(Date.parse(settledUntil!)).toBeLessThanOrEqual(Date.now());
    }
    // No later flow is dated before the last one.
    expect(Date.parse(answers[0]!.settledUntil!)).toBeGreaterThanOrEqual(times[3]!.getTime() - 1);
  });

  it('know no wallet but the workspace’s own', async () => {
    const mongodb = await MongoClient.connect(service.mongodbUri);
    const external = externalWalletId(home.workspaceId, 'USD');
    expect(await mongodb.db().collection<{ _id: string }>('wallets').countDocuments({ _id: external })).toBe(1);
    await mongodb.close();
    for (const id of [external, 'wa_unknown']) {
      expect(await refusal(`/api/v1/wallets/${id}/balance`, { at: from })).toEqual(notFound);
      expect(await refusal(`/api/v1/wallets/${id}/statement`, { from, to })).toEqual(notFound);
    }
    expect(await refusal(`/api/v1/wallets/${alice}/balance`, { at: from }, stranger)).toEqual(notFound);
    expect(await refusal(`/api/v1/wallets/${alice}/statement`, { from, to }, stranger)).toEqual(notFound);
  });

  it('need their scopes', async () => {
    for (const [scopes, missing] of [
      [['wallet:read'], 'transfer:read'],
      [['transfer:read', 'wallet:manage', 'transfer:create'], 'wallet:read'],
    ] as const) {
      const key = await service.admin<{ apiKey: string; apiSecret: string }>(
        ...['key', 'create', '--workspace', home.workspaceId, '--owner', 'owner'],
        ...scopes.flatMap((scope) => ['--scope', scope]),
      );
      const by = { ...home, client: service.client(key) };
      const [balance] = await refusal(`/api/v1/wallets/${alice}/balance`, { at: from }, by);
      const answer = await refusal(`/api/v1/wallets/${alice}/statement`, { from, to }, by);
      const isReader = missing === 'transfer:read';
      expect([balance, answer[0], answer[4]]).toEqual([isReader ? 200 : 403, 403, missing]);
    }
  });
});
