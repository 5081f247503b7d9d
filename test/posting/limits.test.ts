import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Limit } from '../../src/domain/limits.ts';
import type { WalletChange } from '../../src/domain/wallet-change.ts';
import { newId } from '../../src/domain/ids.ts';
import { togetherOf } from '../../src/accepting/batch.ts';
import { findWaiting } from '../support/test-poster.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder, type Order, type OrderValues } from '../../src/orders/order.ts';
import { openLedger, type Ledger, type Transfer } from './posting-ways.ts';

/* What limits and budgets cost a posting in commands, and that no second owner, nor an old memory, lets one be passed. */

const apiKey = 'ak_1';
const dayMs = 86_400_000;
/** What a group sends whose wallets are all remembered. */
const inFourTrips = ['update', 'update', 'insert', 'commitTransaction'];

let now: Date;
let ledger: Ledger;
let second: ReturnType<Ledger['secondOwner']>;
beforeEach(async () => {
  now = new Date('2089-03-01T12:00:00Z');
  ledger = await openLedger({ clock: () => new Date(now) });
  second = ledger.secondOwner(1);
  await post(['world', 'alice', '1000'], ['world', 'bob', '1000']);
});
afterEach(async () => {
  expect(await ledger.breaches()).toEqual([]);
  await second.close();
  await ledger.close();
});

/** Orders of the clock's time. @param more beside what they move. */
async function record(transfers: readonly Transfer[], more: Partial<OrderValues> = {}): Promise<Order[]> {
  const { workspaceId, ids, collections } = ledger;
  const orders = transfers.map(([source, target, amount]) => {
    const sides = { sourceWalletId: ids[source], targetWalletId: ids[target] };
    const type = source === 'world' ? 'DEPOSIT' : 'TRANSFER';
    return newOrder({ type, workspaceId, ...sides, amount, currency: 'EUR', ...more }, now);
  });
  await collections.orders.insertBatch(orders);
  return orders;
}
async function post(...transfers: readonly Transfer[]) {
  const orders = await record(transfers);
  const before = ledger.sent.length;
  const outcomes = await ledger.post(orders);
  return { outcomes, sent: ledger.sent.slice(before) };
}
const times = (count: number, transfer: Transfer): Transfer[] => Array.from({ length: count }, () => transfer);
const later = (ms: number): void => void (now = new Date(now.getTime() + ms));

async function limit(...limits: Limit[]): Promise<void> {
  const { workspaceId, ids, collections } = ledger;
  const changed = await collections.wallets.change({ workspaceId, id: ids.alice, change: { limits } });
  expect(changed?.outcome).toBe('changed');
}
const daily = (amount: string): Limit => ({ name: 'daily', amount: new Money(amount), window: { rolling: 'PT24H' } });
const perMonth: Limit = { name: 'monthly', count: 1_000, window: { calendar: 'month', timeZone: 'Europe/Berlin' } };
const perOrder: Limit = { name: 'order', amount: new Money(500), window: 'order' };
const budget = (amount: string) =>
  ledger.collections.keyBudgets.set(
    { apiKey, workspaceId: ledger.workspaceId },
    { name: 'a', currency: 'EUR', amount: new Money(amount), window: 'total' },
    now,
  );
const stored = async ({ id }: Order) => (await ledger.collections.orders.find(ledger.workspaceId, id))!;

describe('limits', () => {
  it('cost no command once all is remembered', async () => {
    await limit(daily('100'), perMonth, perOrder);
    await post(['alice', 'bob', '1']);
    expect(await post(['alice', 'bob', '1'])).toEqual({ outcomes: ['completed'], sent: inFourTrips });
  });

  it('cost one read for all of them where flows lie before their windows, and none once it is remembered', async () => {
    await post(['alice', 'bob', '1'], ['alice', 'bob', '2']);
    later(2 * dayMs);
    await post(['alice', 'bob', '3'], ['bob', 'alice', '1']);
    await limit(daily('7'), { ...daily('99'), name: 'weekly', window: { rolling: 'P7D' } }, perMonth);
    await post(['bob', 'alice', '1']);
    later(1_000);
    expect(await post(['alice', 'bob', '4.01'])).toEqual({
      outcomes: ['failed'],
      sent: ['find', 'update', 'update', 'commitTransaction'],
    });
    later(1_000);
    expect(await post(['alice', 'bob', '3'])).toEqual({ outcomes: ['completed'], sent: inFourTrips });
    later(dayMs - 2_001);
    expect((await post(['alice', 'bob', '1.01'])).outcomes).toEqual(['failed']);
    // The three of the second day have just left the window of a day.
    later(1);
    expect((await post(['alice', 'bob', '1.01'])).outcomes).toEqual(['completed']);
    later(2_000);
    expect((await post(['alice', 'bob', '4.01'])).outcomes).toEqual(['completed']);
  });

  it('let as much pass as they say, and not a cent more, of whatever comes at once', async () => {
    await limit(daily('100'));
    const { outcomes } = await post(...times(250, ['alice', 'bob', '1']));
    expect(outcomes.filter((outcome) => outcome === 'completed')).toHaveLength(100);
    expect((await post(['alice', 'bob', '0.01'])).outcomes).toEqual(['failed']);
    later(dayMs);
    expect((await post(['alice', 'bob', '100'])).outcomes).toEqual(['completed']);
  });

  it('hold for a second owner, who remembers the wallet as it was before', async () => {
    await limit({ name: 'few', count: 3, window: { rolling: 'PT1M' } });
    const [first, ...rest] = await record(times(4, ['alice', 'bob', '1']));
    expect(await second.post([first!])).toEqual(['completed']);
    expect(await ledger.post(rest.slice(0, 2))).toEqual(['completed', 'completed']);
    expect(await second.post(rest.slice(2))).toEqual(['failed']);
    expect((await stored(rest[2]!)).failureLimit).toMatchObject({ name: 'few', usedCount: 3 });
  });

  it('that are set while an order is posted hold for it', async () => {
    const [order] = await record([['alice', 'bob', '5']]);
    ledger.meddle(() => limit(daily('4.99')));
    expect(await ledger.post([order!])).toEqual(['failed']);
    expect(await stored(order!)).toMatchObject({
      failure: 'LIMIT_EXCEEDED',
      failureLimit: { name: 'daily', usedCount: 0 },
    });
  });
});

describe('budgets', () => {
  it('cost nobody anything whose workspace has none', async () => {
    await ledger.post(await record([['alice', 'bob', '1']], { apiKey }));
    const orders = await record([['alice', 'bob', '1']], { apiKey });
    const before = ledger.sent.length;
    await ledger.post(orders);
    expect(ledger.sent.slice(before)).toEqual(inFourTrips);
  });

  it('that are set while an order is posted hold for it; a key without one then costs nothing more', async () => {
    const [order] = await record([['alice', 'bob', '5']], { apiKey });
    ledger.meddle(() => budget('4.99'));
    expect(await ledger.post([order!])).toEqual(['failed']);
    expect(await stored(order!)).toMatchObject({ failure: 'KEY_BUDGET_EXCEEDED', apiKey, failureLimit: { name: 'a' } });
    const sentBy = async (key: string) => {
      const orders = await record([['alice', 'bob', '1']], { apiKey: key });
      const before = ledger.sent.length;
      expect(await ledger.post(orders)).toEqual(['completed']);
      return ledger.sent.slice(before);
    };
    expect(await sentBy(apiKey)).toEqual(['find', 'update', 'update', 'update', 'insert', 'commitTransaction']);
    await sentBy('ak_other');
    expect(await sentBy('ak_other')).toEqual(inFourTrips);
  });

  it('are counted once by two owners, whatever either takes for granted', async () => {
    await budget('3');
    const orders = await record(times(6, ['alice', 'bob', '1']), { apiKey });
    const outcomes = [];
    for (const [place, order] of orders.entries())
      outcomes.push(...(await (place % 2 === 0 ? ledger : second).post([order])));
    expect(outcomes).toEqual(['completed', 'completed', 'completed', 'failed', 'failed', 'failed']);
    await budget('4');
    expect(await second.post(await record([['alice', 'bob', '1']], { apiKey }))).toEqual(['completed']);
    expect(await ledger.post(await record([['alice', 'bob', '1']], { apiKey }))).toEqual(['failed']);
    const { workspaceId, collections } = ledger;
    expect(await collections.keyBudgets.remove({ apiKey, workspaceId }, 'a')).toMatchObject({ usedCount: 4 });
    expect(await ledger.post(await record([['alice', 'bob', '9']], { apiKey }))).toEqual(['completed']);
  });

  it('are asked of all workspaces of a group at once', async () => {
    const { collections } = ledger;
    const orders = [];
    for (let count = 0; count < 10; count += 1) {
      const { id: workspaceId } = await collections.workspaces.create('other');
      const { id: targetWalletId } = await collections.wallets.create({ workspaceId, name: 'a', currency: 'EUR' });
      const { id: sourceWalletId } = await collections.wallets.ensureExternal(workspaceId, 'EUR');
      const zero = { name: 'a', currency: 'EUR', amount: new Money(0), window: 'total' } as const;
      await collections.keyBudgets.set({ apiKey: `ak_of_${workspaceId}`, workspaceId }, zero, now);
      const sides = { sourceWalletId, targetWalletId };
      orders.push(newOrder({ type: 'DEPOSIT', workspaceId, ...sides, amount: '1', currency: 'EUR' }, now));
    }
    await collections.orders.insertBatch(orders);
    const before = ledger.transactions();
    expect(await ledger.post(orders)).toEqual(orders.map(() => 'completed'));
    expect(ledger.transactions() - before).toBe(2);
  });
});

describe('an order of many legs', () => {
  it('fails as a whole at the leg that would pass a limit', async () => {
    await limit(daily('10'), { name: 'few', count: 1, window: { rolling: 'PT24H' } });
    const { alice, bob, carol } = ledger.ids;
    const leg = (target: string, amount: string) => ({
      sourceWalletId: alice,
      targetWalletId: target,
      amount,
      currency: 'EUR',
    });
    const journal = async (...amounts: string[]) => {
      const legs = amounts.map((amount, place) => leg(place % 2 === 0 ? bob : carol, amount));
      const { workspaceId, collections } = ledger;
      const order = newOrder({ type: 'JOURNAL', workspaceId, legs }, now);
      await collections.orders.insertBatch([order]);
      await ledger.post([order]);
      return stored(order);
    };
    expect(await journal('4', '4', '2.01')).toMatchObject({
      ...{ status: 'FAILED', failure: 'LIMIT_EXCEEDED', failureLeg: 2 },
      failureLimit: { name: 'daily', usedCount: 1 },
    });
    // It counts as one order, and for the limit of an order with all that it takes.
    expect(await journal('4', '4', '2')).toMatchObject({ status: 'COMPLETED' });
    expect(await journal('0.01')).toMatchObject({
      failure: 'LIMIT_EXCEEDED',
      failureLeg: 0,
      failureLimit: { name: 'daily' },
    });
  });

  it('fails for what it lacks, rather than for a limit, wherever that is', async () => {
    await limit(daily('10'));
    const { alice, bob, carol } = ledger.ids;
    const legs = [
      { sourceWalletId: alice, targetWalletId: bob, amount: '11', currency: 'EUR' },
      { sourceWalletId: carol, targetWalletId: bob, amount: '1', currency: 'EUR' },
    ];
    const { workspaceId, collections } = ledger;
    const order = newOrder({ type: 'JOURNAL', workspaceId, legs }, now);
    await collections.orders.insertBatch([order]);
    await ledger.post([order]);
    expect(await stored(order)).toMatchObject({ failure: 'INSUFFICIENT_BALANCE', failureLeg: 1 });
  });
});

describe('an atomic batch', () => {
  it('fails by a limit only if nothing else keeps it from being posted', async () => {
    await limit(daily('10'), perOrder);
    const { workspaceId, ids, collections } = ledger;
    const line = (source: 'alice' | 'carol', amount: string) => ({
      ...{ type: 'TRANSFER', workspaceId, sourceWalletId: ids[source], targetWalletId: ids.bob },
      ...{ amount, currency: 'EUR' },
    });
    const postBatch = async (...lines: OrderValues[]) => {
      const orders = togetherOf(lines, newId('batch', now), now);
      await collections.orders.insertTogether(orders);
      await ledger.post(await findWaiting(collections, workspaceId, [orders[0]!.id]));
      return Promise.all(orders.map(async (order) => (await stored(order)).failure));
    };
    expect(await postBatch(line('alice', '11'), line('carol', '1'))).toEqual(['BATCH_FAILED', 'INSUFFICIENT_BALANCE']);
    expect(await postBatch(line('alice', '6'), line('alice', '4.01'))).toEqual(['BATCH_FAILED', 'LIMIT_EXCEEDED']);
    expect(await postBatch(line('alice', '6'), line('alice', '4'))).toEqual([null, null]);
  });
});

describe('alerts', () => {
  const change = async (what: WalletChange) => {
    const { workspaceId, ids, collections } = ledger;
    return (await collections.wallets.change({ workspaceId, id: ids.alice, change: what }))!;
  };
  const half = { name: 'half', limitUsed: { limit: 'daily', share: '0.5' } };
  const low = { name: 'low', availableBelow: new Money(2_000) };
  const statesOf = async () =>
    (await change({ name: String(now.getTime()) })).wallet.alerts?.map(({ name, state }) => [name, state]);

  it('are judged when limits change, and keep their state when they are set again as they were', async () => {
    await limit(daily('10'));
    await post(['alice', 'bob', '4']);
    expect((await change({ alerts: [half, low] })).wallet).toMatchObject({ alertEvents: 1 });
    later(1_000);
    expect(await change({ alerts: [half, low] })).toMatchObject({ outcome: 'unchanged', wallet: { alertEvents: 1 } });
    await limit(daily('8'));
    expect(await statesOf()).toEqual([
      ['half', 'raised'],
      ['low', 'raised'],
    ]);
    const { alerts = [], alertEvents } = (await change({ alerts: [low, { ...half, name: 'other' }, half] })).wallet;
    expect(alertEvents).toBe(3);
    expect(alerts.map(({ name }) => name)).toEqual(['low', 'other', 'half']);
    await limit();
    expect(await statesOf()).toEqual([
      ['low', 'raised'],
      ['other', 'cleared'],
      ['half', 'cleared'],
    ]);
  });

  it('are judged when as much is held by more holds', async () => {
    await limit({ name: 'few', count: 4, window: { rolling: 'PT24H' } });
    await change({ alerts: [{ name: 'half', limitUsed: { limit: 'few', share: '0.5' } }] });
    const hold = { type: 'HOLD', expiresAt: new Date(now.getTime() + dayMs) };
    const [first] = await record([['alice', 'bob', '20']], hold);
    await ledger.post([first!]);
    expect(await statesOf()).toEqual([['half', 'cleared']]);
    const [release] = await record([['alice', 'bob', '10']], { type: 'RELEASE', parentId: first!.id });
    const [second] = await record([['alice', 'bob', '10']], hold);
    expect(await ledger.post([release!, second!])).toEqual(['completed', 'completed']);
    expect(await statesOf()).toEqual([['half', 'raised']]);
  });
});

it('a hold that is captured in the next window counts there, and is not judged again', async () => {
  await limit({
    name: 'daily',
    amount: new Money(10),
    count: 1,
    window: { calendar: 'day', timeZone: 'Europe/Berlin' },
  });
  const [hold] = await record([['alice', 'bob', '10']], {
    type: 'HOLD',
    expiresAt: new Date(now.getTime() + 9 * dayMs),
  });
  await ledger.post([hold!]);
  expect((await post(['alice', 'bob', '0.01'])).outcomes).toEqual(['failed']);
  later(dayMs);
  // It is held still.
  expect((await post(['alice', 'bob', '0.01'])).outcomes).toEqual(['failed']);
  await limit({ name: 'daily', amount: new Money(0), window: { calendar: 'day', timeZone: 'Europe/Berlin' } });
  const [capture] = await record([['alice', 'bob', '10']], { type: 'CAPTURE', parentId: hold!.id });
  await ledger.post([capture!]);
  expect(await stored(capture!)).toMatchObject({ status: 'COMPLETED' });
  await limit({ name: 'daily', amount: new Money(11), window: { calendar: 'day', timeZone: 'Europe/Berlin' } });
  expect((await post(['alice', 'bob', '1.01'], ['alice', 'bob', '1'])).outcomes).toEqual(['failed', 'completed']);
  later(dayMs);
  expect((await post(['alice', 'bob', '11'])).outcomes).toEqual(['completed']);
});
