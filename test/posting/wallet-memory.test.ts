import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bucketOf } from '../../src/domain/bucket.ts';
import { Money } from '../../src/domain/money.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { createRememberedWallets } from '../../src/posting/remembered-wallets.ts';

const walletsMax = 20_000;
const keptMaxMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  // An entry of the cache that begins at 0 has no age.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

const walletOf = (id: string): Wallet => ({
  ...{ id, workspaceId: 'ws', name: id, currency: 'EUR', kind: 'STANDARD', status: 'ACTIVE', balance: new Money(1) },
  ...{ held: new Money(0), openHolds: 0, creditLimit: new Money(0) },
  ...{ sequence: 7, debitFlows: 0, debits: new Money(0), debitOrders: 0, orders: {}, flowHash: 'hash', version: 41 },
  ...{ lastFlowAt: new Date(0), createdAt: new Date(0), updatedAt: new Date(0) },
});
const idsOf = (taken: ReadonlyMap<string, Wallet>) => [...taken.keys()];

test('a wallet is taken once, as its update left it, and by a group of its workspace alone', () => {
  const remembered = createRememberedWallets();
  remembered.keep([walletOf('a'), walletOf('b')]);
  expect(idsOf(remembered.take(['a'], ['other']))).toEqual([]);
  const taken = remembered.take(['c', 'a'], ['other', 'ws']);
  expect([...taken.values()]).toEqual([{ ...walletOf('a'), version: 42 }]);
  expect(idsOf(remembered.take(['a', 'b'], ['ws']))).toEqual(['b']);
});

test('those of a bucket that others have posted are forgotten, and what is kept from then on is not', () => {
  const remembered = createRememberedWallets();
  const elsewhere = { ...walletOf('c'), workspaceId: 'elsewhere' };
  expect(bucketOf('elsewhere')).not.toBe(bucketOf('ws'));
  remembered.keep([walletOf('a'), walletOf('b'), elsewhere]);
  remembered.forget(bucketOf('ws'));
  remembered.keep([walletOf('b')]);
  expect(idsOf(remembered.take(['a', 'b', 'c'], ['ws', 'elsewhere']))).toEqual(['b', 'c']);
});

test('so many are remembered, those that were posted to last, and for so long', () => {
  const remembered = createRememberedWallets();
  const ids = Array.from({ length: walletsMax + 2 }, (_, index) => `wallet-${index}`);
  remembered.keep(ids.slice(0, walletsMax).map(walletOf));
  remembered.keep([...remembered.take(ids.slice(0, 1), ['ws']).values()]);
  remembered.keep(ids.slice(walletsMax).map(walletOf));
  vi.advanceTimersByTime(keptMaxMs - 1_000);
  expect(idsOf(remembered.take(ids.slice(0, 4), ['ws']))).toEqual(['wallet-0', 'wallet-3']);
  vi.advanceTimersByTime(2_000);
  expect(idsOf(remembered.take(ids, ['ws']))).toEqual([]);
});
