import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { hashFlow } from '../../src/domain/flowHash.ts';
import { Money } from '../../src/domain/money.ts';
import type { Order } from '../../src/domain/order.ts';
import { foldOrders, UnpostableOrderError } from '../../src/domain/posting.ts';
import type { Posting } from '../../src/domain/posting.ts';
import type { Wallet } from '../../src/domain/wallet.ts';

const currencies = createCurrencies(new Map());
const epoch = new Date(0);
const now = new Date('2026-01-01T00:00:00Z');

function wallet(id: string, balance: string, more: Partial<Wallet> = {}): Wallet {
  return {
    id,
    workspaceId: 'ws_1',
    name: id,
    currency: 'USD',
    kind: 'STANDARD',
    status: 'ACTIVE',
    balance: new Money(balance),
    sequence: 0,
    flowHash: '',
    lastFlowAt: epoch,
    version: 0,
    createdAt: epoch,
    updatedAt: epoch,
    ...more,
  };
}

function order(id: string, sourceWalletId: string, targetWalletId: string, amount: string, currency = 'USD'): Order {
  return {
    id,
    bizId: id,
    workspaceId: 'ws_1',
    sourceWalletId,
    targetWalletId,
    amount: new Money(amount),
    currency,
    status: 'PENDING',
    failure: null,
    createdAt: epoch,
    updatedAt: epoch,
    completedAt: null,
  };
}

const byId = (...wallets: Wallet[]): Map<string, Wallet> => new Map(wallets.map((each) => [each.id, each]));
const fold = (orders: Order[], wallets: Map<string, Wallet>): Posting => foldOrders(orders, wallets, currencies, now);
const balanceIn = (posting: Posting, id: string): string | undefined =>
  posting.wallets.find((each) => each.id === id)?.balance.toFixed(2);

describe('foldOrders', () => {
  it('writes a debit and a credit an order, and each touched wallet once', () => {
    const posting = fold(
      [order('tr_1', 'a', 'b', '3'), order('tr_2', 'a', 'b', '4')],
      byId(wallet('a', '10'), wallet('b', '0')),
    );
    expect(posting.completed).toEqual(['tr_1', 'tr_2']);
    expect(posting.flows.map(({ walletId, sequence, direction }) => [walletId, sequence, direction])).toEqual([
      ['a', 1, 'DEBIT'],
      ['b', 1, 'CREDIT'],
      ['a', 2, 'DEBIT'],
      ['b', 2, 'CREDIT'],
    ]);
    expect(posting.wallets.map(({ id }) => id)).toEqual(['a', 'b']);
    expect([balanceIn(posting, 'a'), balanceIn(posting, 'b')]).toEqual(['3.00', '7.00']);
  });

  it('lets an earlier credit fund a later debit, in order of acceptance whatever the order given', () => {
    const wallets = byId(wallet('a', '5'), wallet('b', '0'), wallet('c', '0'));
    const posting = fold([order('tr_2', 'b', 'c', '5'), order('tr_1', 'a', 'b', '5')], wallets);
    expect(posting.completed).toEqual(['tr_1', 'tr_2']);
    expect(balanceIn(posting, 'c')).toBe('5.00');
  });

  it('fails the order alone whose source holds too little', () => {
    const wallets = byId(wallet('a', '1'), wallet('b', '1'));
    const posting = fold([order('tr_1', 'a', 'b', '1.01'), order('tr_2', 'b', 'a', '1')], wallets);
    expect(posting.failed).toEqual(new Map([['INSUFFICIENT_BALANCE', ['tr_1']]]));
    expect(posting.completed).toEqual(['tr_2']);
  });

  it('lets EXTERNAL go below zero', () => {
    const posting = fold(
      [order('tr_1', 'x', 'a', '5')],
      byId(wallet('x', '0', { kind: 'EXTERNAL' }), wallet('a', '0')),
    );
    expect([balanceIn(posting, 'x'), balanceIn(posting, 'a')]).toEqual(['-5.00', '5.00']);
  });

  it.each(['FROZEN', 'CLOSED'] as const)('fails an order on a wallet that is %s', (status) => {
    const wallets = byId(wallet('a', '5'), wallet('b', '0', { status }));
    expect(fold([order('tr_1', 'a', 'b', '1')], wallets).failed).toEqual(new Map([['WALLET_NOT_ACTIVE', ['tr_1']]]));
  });

  it('fails an order whose target would pass 34 digits', () => {
    const wallets = byId(wallet('a', '5'), wallet('b', '9'.repeat(32) + '.99'));
    expect(fold([order('tr_1', 'a', 'b', '0.01')], wallets).failed).toEqual(new Map([['BALANCE_LIMIT', ['tr_1']]]));
  });

  it.each([
    ['an absent wallet', order('tr_1', 'a', 'z', '1')],
    ['one wallet twice', order('tr_1', 'a', 'a', '1')],
    ['another currency', order('tr_1', 'a', 'b', '1', 'EUR')],
  ])('refuses to fold an order with %s', (_, unpostable) => {
    expect(() => fold([unpostable], byId(wallet('a', '5'), wallet('b', '0')))).toThrow(UnpostableOrderError);
  });

  it('never dates a flow before the wallet’s last one', () => {
    const later = new Date(now.getTime() + 60_000);
    const posting = fold(
      [order('tr_1', 'a', 'b', '1')],
      byId(wallet('a', '5', { lastFlowAt: later }), wallet('b', '0')),
    );
    expect(posting.flows.map(({ createdAt }) => createdAt)).toEqual([later, now]);
  });

  it('chains each wallet’s flows by their hashes', () => {
    const posting = fold(
      [order('tr_1', 'a', 'b', '1'), order('tr_2', 'a', 'b', '1')],
      byId(wallet('a', '5'), wallet('b', '0')),
    );
    const [first, second] = posting.flows.filter(({ walletId }) => walletId === 'a');
    expect(first?.hash).toBe(hashFlow('', first!));
    expect(second?.hash).toBe(hashFlow(first!.hash, second!));
    expect(posting.wallets[0]?.flowHash).toBe(second?.hash);
  });
});

describe('foldOrders, for any orders on any wallets', () => {
  const walletIds = ['a', 'b', 'c', 'd', 'x'];
  const start = byId(
    wallet('a', '10'),
    wallet('b', '0'),
    wallet('c', '2.50'),
    wallet('d', '100', { status: 'FROZEN' }),
    wallet('x', '0', { kind: 'EXTERNAL' }),
  );
  const anyOrders = fc
    .array(fc.tuple(fc.constantFrom(...walletIds), fc.constantFrom(...walletIds), fc.integer({ min: 1, max: 1_500 })), {
      maxLength: 60,
    })
    .map((triples) =>
      triples
        .filter(([source, target]) => source !== target)
        .map(([source, target, cents], index) =>
          order(`tr_${String(index).padStart(4, '0')}`, source, target, new Money(cents).div(100).toFixed(2)),
        ),
    );
  const after = (wallets: Map<string, Wallet>, posting: Posting): Map<string, Wallet> =>
    new Map([...wallets, ...posting.wallets.map((each) => [each.id, each] as const)]);
  const sum = (wallets: Map<string, Wallet>): string =>
    [...wallets.values()].reduce((total, { balance }) => total.plus(balance), new Money(0)).toFixed(2);

  it('conserves the sum, keeps all but EXTERNAL at zero or above, and settles every order once', () => {
    fc.assert(
      fc.property(anyOrders, (orders) => {
        const posting = fold(orders, start);
        const wallets = after(start, posting);
        expect(sum(wallets)).toBe(sum(start));
        for (const { kind, balance } of wallets.values())
          expect(kind === 'EXTERNAL' || !balance.isNegative()).toBe(true);
        const settled = [...posting.completed, ...[...posting.failed.values()].flat()].sort();
        expect(settled).toEqual(orders.map(({ id }) => id));
        expect(posting.flows).toHaveLength(2 * posting.completed.length);
      }),
    );
  });

  it('gives the same result however the orders are split into groups', () => {
    fc.assert(
      fc.property(anyOrders, fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 60 }), (orders, sizes) => {
        const whole = fold(orders, start);
        let wallets = start;
        const completed: string[] = [];
        const flowHashes: string[] = [];
        let rest = orders;
        for (let group = 0; rest.length > 0; group += 1) {
          const size = sizes[group] ?? 1;
          const part = fold(rest.slice(0, size), wallets);
          rest = rest.slice(size);
          wallets = after(wallets, part);
          completed.push(...part.completed);
          flowHashes.push(...part.flows.map(({ hash }) => hash));
        }
        expect(completed).toEqual(whole.completed);
        expect(flowHashes).toEqual(whole.flows.map(({ hash }) => hash));
        expect(wallets).toEqual(after(start, whole));
      }),
    );
  });
});
