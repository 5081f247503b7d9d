import { toPost } from '../../src/orders/order.ts';
import type { ClientSession } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { Money } from '../../src/domain/money.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { createEndIfHung, type createGroupTransaction } from '../../src/posting/group-transaction.ts';
import { stepMaxMs } from '../../src/storage/shared/transaction.ts';
import type { Collections } from '../../src/storage/collections.ts';
import type { Subscribers } from '../../src/storage/webhooks/endpoints.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestPostGroup } from '../support/test-poster.ts';

/** What each may take at the most: the limits of a transaction and of the driver's client. */
const [lastRunBeginsMs, commandMs, commitMs] = [10_000, 10_000, 8_000];
/** Of orders, wallets, flows, and what webhooks are told. */
const writes = 4;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const walletOf = (id: string): Wallet => ({
  ...{ id, workspaceId: 'ws', name: id, currency: 'EUR', kind: 'STANDARD', status: 'ACTIVE', balance: new Money(1) },
  ...{ held: new Money(0), openHolds: 0, creditLimit: new Money(0) },
  ...{ sequence: 0, debitFlows: 0, debits: new Money(0), debitOrders: 0, orders: {} },
  ...{ flowHash: '', version: 0 },
  ...{ lastFlowAt: new Date(0), createdAt: new Date(0), updatedAt: new Date(0) },
});
const walletsRead = { findByIds: () => Promise.resolve(new Map(['from', 'to'].map((id) => [id, walletOf(id)]))) };
const ranAtOnce = { withTransaction: (run: () => Promise<unknown>) => run() } as unknown as ClientSession;
const ends = { workspaceId: 'ws', sourceWalletId: 'from', targetWalletId: 'to' };

interface GroupPostParts extends Pick<Parameters<typeof createGroupTransaction>[0], 'collections' | 'writePosted'> {
  readonly currencies?: { readonly current: Map<string, number>; readonly readAgain: () => Promise<unknown> };
  readonly recordFaults?: () => Promise<Set<string>>;
  readonly onHung?: (what: string) => never;
  readonly subscribersOf?: Parameters<typeof createGroupTransaction>[0]['subscribersOf'];
}

const notCalled = vi.fn<() => never>();

function createGroupPost({ recordFaults = notCalled, onHung = notCalled, ...parts }: GroupPostParts) {
  const collections = { ...parts.collections, stuckOrders: { recordFaults } } as unknown as Collections;
  const currencies = { current: createCurrencies(new Map()), readAgain: notCalled };
  const endIfHung = createEndIfHung(onHung);
  return createTestPostGroup(collections, parts.writePosted, { currencies, ...parts, collections, endIfHung });
}

/** Posts an order in EUR where these currencies are known, and as many more once the record was read again. */
async function postKnowing(known: Map<string, number>, added: ReadonlyMap<string, number>) {
  const order = pendingOrder({ ...ends, amount: '1', currency: 'EUR' });
  const readCurrencies = vi.fn(() => {
    for (const [code, decimals] of added) known.set(code, decimals);
    return Promise.resolve();
  });
  const recordFaults = vi.fn(() => Promise.resolve(new Set<string>()));
  const postGroup = createGroupPost({
    collections: { wallets: walletsRead } as unknown as Collections,
    recordFaults,
    writePosted: () => Promise.resolve(),
    currencies: { current: known, readAgain: readCurrencies },
  });
  const outcomes = await postGroup([toPost(order)], { session: ranAtOnce, slot: 0 });
  return { outcome: outcomes.get(order.id), readCurrencies, recordFaults };
}

test('an order whose currency another process has just added is posted: its decimals are read first', async () => {
  const { outcome, readCurrencies, recordFaults } = await postKnowing(new Map(), new Map([['EUR', 2]]));
  expect(outcome).toBe('completed');
  expect(readCurrencies).toHaveBeenCalledTimes(1);
  expect(recordFaults).not.toHaveBeenCalled();
});

test('one whose currency nobody knows is refused once that was read; one whose currency is known reads nothing', async () => {
  const unknown = await postKnowing(new Map(), new Map());
  expect(String(unknown.outcome)).toContain('the currency EUR is not known');
  expect(unknown.recordFaults).toHaveBeenCalledTimes(1);
  const known = await postKnowing(new Map([['EUR', 2]]), new Map());
  expect(known.outcome).toBe('completed');
  expect(known.readCurrencies).not.toHaveBeenCalled();
});

test('an order is written before it is known who wants to hear of it', async () => {
  const order = pendingOrder({ ...ends, amount: '1', currency: 'EUR' });
  const { promise, resolve } = Promise.withResolvers<Subscribers>();
  const postGroup = createGroupPost({
    collections: { wallets: walletsRead } as unknown as Collections,
    writePosted: async (_, { outbox }) => {
      resolve(new Map());
      await outbox;
    },
    subscribersOf: () => promise,
  });
  expect((await postGroup([toPost(order)], { session: ranAtOnce, slot: 0 })).get(order.id)).toBe('completed');
});

test('what was folded too long ago, because the machine slept, is folded again and dated anew', async () => {
  const order = pendingOrder({ ...ends, amount: '1', currency: 'EUR' });
  const dates: number[] = [];
  const postGroup = createGroupPost({
    collections: {
      wallets: walletsRead,
      orders: { stillPending: () => Promise.resolve(new Set([order.id])) },
    } as unknown as Collections,
    writePosted: ({ postedAt }) => {
      dates.push(postedAt.getTime());
      // The clock was corrected since; no timer counts the sleep.
      if (dates.length === 1) vi.setSystemTime(Date.now() + stepMaxMs + 1);
      return Promise.resolve();
    },
  });
  const posting = postGroup([toPost(order)], { session: ranAtOnce, slot: 0 });
  await vi.runAllTimersAsync();
  expect((await posting).get(order.id)).toBe('completed');
  expect(dates).toHaveLength(2);
  expect(dates[1]! - dates[0]!).toBeGreaterThan(stepMaxMs);
});

/** Posts an order with a MongoDB that takes so long to commit, and for all else as long as it may. */
async function postSlowly(ownCommitMs: number) {
  const onHung = vi.fn<(what: string) => never>();
  const session = {
    withTransaction: async (run: () => Promise<unknown>) => {
      await sleep(lastRunBeginsMs);
      const result = await run();
      await sleep(ownCommitMs);
      return result;
    },
  } as unknown as ClientSession;
  const findByIds = async () => {
    await sleep(commandMs);
    return new Map(['from', 'to'].map((id) => [id, walletOf(id)]));
  };
  const order = pendingOrder({ ...ends, amount: '1', currency: 'EUR' });
  const postGroup = createGroupPost({
    collections: { wallets: { findByIds } } as unknown as Collections,
    writePosted: () => sleep(writes * commandMs),
    onHung,
  });
  const posting = postGroup([toPost(order)], { session, slot: 0 }).then(
    (outcomes) => outcomes.get(order.id),
    () => undefined,
  );
  await vi.runAllTimersAsync();
  return { onHung, outcome: await posting };
}

test('a group whose every step takes as long as it may does not end the process', async () => {
  const { onHung, outcome } = await postSlowly(commitMs);
  expect(outcome).toBe('completed');
  expect(onHung).not.toHaveBeenCalled();
});

test('one that takes longer does', async () => {
  const { onHung } = await postSlowly(commitMs + 2 * commandMs);
  expect(onHung).toHaveBeenCalledTimes(1);
});
