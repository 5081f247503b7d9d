import { Decimal128, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { OrderData, Sent } from '../harness/sent.ts';
import { shown, unitsOf } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { checkAnswers } from './check-answers.ts';
import { checkBooks } from './check-books.ts';

const none = { setAside: new Set<string>() };
const at = new Date('2026-01-01T00:00:00Z');
const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** With a flow for each COMPLETED order, the first one a deposit, and `failed` others. */
const wallet = (_id: string, balance: string, sequence: number, failed: number): RawDocument => ({
  ...{ _id, balance: decimal(balance), sequence, kind: 'STANDARD', currency: 'USD', workspaceId: 'ws' },
  orders: {
    DEPOSIT: { COMPLETED: _id === 'b' ? 0 : 1 },
    TRANSFER: { COMPLETED: _id === 'b' ? 1 : sequence - 1, FAILED: failed },
  },
});
const external = (balance: string): RawDocument => ({ ...wallet('ex', balance, 1, 0), kind: 'EXTERNAL' });
const order = (_id: string, source: string, target: string, amount: string, status = 'COMPLETED'): RawDocument => ({
  ...{
    _id,
    bizId: `biz-${_id}`,
    workspaceId: 'ws',
    type: source === 'ex' ? 'DEPOSIT' : 'TRANSFER',
    sourceWalletId: source,
    targetWalletId: target,
    currency: 'USD',
  },
  ...{ amount: decimal(amount), status, failure: null, completedAt: status === 'COMPLETED' ? at : null, request: {} },
  ...{ createdAt: at, updatedAt: at },
});
const flow = (side: Document, sequence: number, [before, amount, after]: [string, string, string]): RawDocument => ({
  // The first debit of its wallet, or a credit before any.
  debits: side['direction'] === 'DEBIT' ? amount : '0',
  ...{ _id: `${String(side['walletId'])}.${sequence}`, currency: 'USD', sequence, createdAt: at, ...side },
  ...{ balanceBefore: decimal(before), amount: decimal(amount), balanceAfter: decimal(after) },
});
const debit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'DEBIT' },
});
const credit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'CREDIT' },
});

/** 10 come in to a, of which 4 go on to b; one order failed. The flows are given in no order. */
function soundBooks(): RawBooks {
  return {
    wallets: [external('-10'), wallet('a', '6.00', 2, 1), wallet('b', '4', 1, 1)],
    totals: [
      { _id: 'p0', workspaceId: 'ws', orders: { USD: { DEPOSIT: { COMPLETED: 1 } } } },
      { _id: 'p1', workspaceId: 'ws', orders: { USD: { TRANSFER: { COMPLETED: 1, FAILED: 1 } } } },
      { _id: 'wallets', workspaceId: 'ws', wallets: { USD: { ACTIVE: 2 } } },
    ],
    orders: [
      order('t2', 'a', 'b', '4'),
      order('t1', 'ex', 'a', '10'),
      { ...order('t3', 'b', 'a', '9', 'FAILED'), failure: 'INSUFFICIENT_BALANCE' },
    ],
    flows: [
      flow(credit('t2', 'b', 'a'), 1, ['0', '4', '4']),
      flow(debit('t2', 'a', 'b'), 2, ['10', '4.0', '6']),
      flow(credit('t1', 'a', 'ex'), 1, ['0', '10', '1E+1']),
      flow(debit('t1', 'ex', 'a'), 1, ['0', '10', '-10']),
    ],
    readAtMs: at.getTime(),
  };
}

function broken(change: (books: RawBooks) => void): string {
  const books = soundBooks();
  change(books);
  return checkBooks(books, none).join('\n');
}

const find = (documents: RawDocument[], id: string): RawDocument => documents.find(({ _id }) => _id === id)!;

describe('checkBooks', () => {
  it('finds nothing in sound books', () => {
    expect(checkBooks(soundBooks(), none)).toEqual([]);
  });

  it.each<[string, (books: RawBooks) => void, RegExp]>([
    [
      'a changed balance',
      ({ wallets }) => (find(wallets, 'b')['balance'] = decimal('5')),
      /wallet b says 5 .*sum to 1/s,
    ],
    ['a removed flow', ({ flows }) => flows.splice(0, 1), /order t2 .* its 1 flows.*wallet b says 4/s],
    ['a doubled flow', ({ flows }) => flows.push({ ...flows[0]!, _id: 'x', sequence: 2 }), /order t2 .* its 3 flows/s],
    [
      'a flow of another amount',
      ({ flows }) => (flows[1]!['amount'] = decimal('3')),
      /order t2 .* its 2 flows are not/,
    ],
    ['a wrong balance in a flow', ({ flows }) => (flows[1]!['balanceAfter'] = decimal('7')), /flow a.2 does not say/],
    ['a gap in a sequence', ({ flows }) => (flows[1]!['sequence'] = 3), /sequence 2, from 10 to 6/],
    ['a flow without an order', ({ flows }) => (flows[0]!['transferId'] = 't9'), /flow b.1 belongs to no order/],
    [
      'an order that is not terminal',
      ({ orders }) => orders.push(order('t4', 'a', 'b', '1', 'PENDING')),
      /t4 is PENDING/,
    ],
    [
      'a completed order undone',
      ({ orders }) => (orders[0]!['status'] = 'FAILED'),
      /order t2 is FAILED and has 2 flows/,
    ],
    ['a failure of no known kind', ({ orders }) => (orders[2]!['failure'] = 'BAD_LUCK'), /t3 FAILED for BAD_LUCK/],
    ['debits of another sum', ({ flows }) => (flows[1]!['debits'] = '3'), /flow a.2 does not say .* debits 4/],
    [
      'a total that is not counted',
      ({ totals }) => totals.splice(0, 1),
      /workspace ws USD DEPOSIT COMPLETED: 0 orders are said, there are 1/,
    ],
    [
      'a wallet that counts another number',
      ({ wallets }) => (find(wallets, 'b')['orders'] = { TRANSFER: { COMPLETED: 1 } }),
      /wallet b TRANSFER FAILED: 0 orders are said, there are 1/,
    ],
    ['two orders of one bizId', ({ orders }) => (orders[2]!['bizId'] = 'biz-t1'), /bizId ws biz-t1 has 2 orders/],
  ])('finds %s', (_, change, expected) => {
    expect(broken(change)).toMatch(expected);
  });

  it.each<[string, (books: RawBooks) => RawDocument, string]>([
    ['order t2', ({ orders }) => orders[0]!, 'createdAt'],
    ['order t2', ({ orders }) => orders[0]!, 'updatedAt'],
    ['order t2', ({ orders }) => orders[0]!, 'completedAt'],
    ['flow b.1', ({ flows }) => flows[0]!, 'createdAt'],
  ])('finds a time of %s that lies ahead of the clock (%#)', (name, of, key) => {
    const withTime = (time: unknown): string => broken((books) => (of(books)[key] = time));
    expect(withTime(new Date(at.getTime() + 1_001))).toBe(
      `${name}: ${key} 2026-01-01T00:00:01.001Z lay 1001 ms ahead when the books were read`,
    );
    expect(withTime(new Date(at.getTime() + 1_000))).toBe('');
    expect(withTime('2026-01-01')).toContain(name);
  });

  it('finds a wallet that was below zero in between, though it is not now', () => {
    const books = soundBooks();
    books.wallets = [external('-4'), wallet('a', '0', 2, 1), wallet('b', '4', 1, 1)];
    find(books.orders, 't1')['amount'] = decimal('4');
    books.flows = [
      flow(debit('t2', 'a', 'b'), 1, ['0', '4', '-4']),
      flow(credit('t2', 'b', 'a'), 1, ['0', '4', '4']),
      { ...flow(credit('t1', 'a', 'ex'), 2, ['-4', '4', '0']), debits: '4' },
      flow(debit('t1', 'ex', 'a'), 1, ['0', '4', '-4']),
    ];
    expect(checkBooks(books, none)).toEqual(['wallet a was at -4 after its flow 1']);
  });

  it('finds orders that each came before the other', () => {
    const books = soundBooks();
    books.flows = [
      flow(debit('t1', 'a', 'b'), 1, ['0', '1', '-1']),
      flow(credit('t2', 'a', 'b'), 2, ['-1', '1', '0']),
      flow(debit('t2', 'b', 'a'), 1, ['0', '1', '-1']),
      flow(credit('t1', 'b', 'a'), 2, ['-1', '1', '0']),
    ];
    books.orders = [order('t1', 'a', 'b', '1'), order('t2', 'b', 'a', '1')];
    books.wallets = [wallet('a', '0', 2, 0), wallet('b', '0', 2, 0)];
    expect(checkBooks(books, none).join('\n')).toMatch(/wallet a: from flow 1 of 2 on there is no order to replay/);
  });

  it('lets an order wait that was set aside', () => {
    const books = soundBooks();
    books.orders.push(order('t4', 'a', 'b', '1', 'SET_ASIDE'));
    expect(checkBooks(books, { setAside: new Set(['t4']) })).toEqual([]);
  });
});

describe('checkAnswers', () => {
  const { orders } = soundBooks();
  const seen = (id: string, more: Partial<OrderData> = {}): OrderData => {
    const { sourceWalletId, targetWalletId, amount, currency, status, bizId } = find(
      orders,
      id,
    ) as unknown as OrderData;
    const completedAt = status === 'COMPLETED' ? at.toISOString() : null;
    const failure = status === 'FAILED' ? { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' } : null;
    const data = { transferId: id, bizId, sourceWalletId, targetWalletId, amount, currency, status };
    return { ...data, failure, completedAt, ...more };
  };
  const sent = (id: string, more: Partial<Sent> = {}): Sent => {
    const { bizId, sourceWalletId, targetWalletId, amount, currency } = seen(id);
    const body = { bizId, sourceWalletId, targetWalletId, amount, currency };
    return { body, attempts: 1, acknowledged: seen(id), acknowledgedAtMs: 0, observed: undefined, ...more };
  };
  const all = [sent('t1'), sent('t2', { observed: seen('t2') }), sent('t3', { observed: seen('t3') })];
  const check = (changed: Sent[], more: RawDocument[] = []) =>
    checkAnswers([...orders, ...more], { sent: changed, byHand: new Set() }).join('\n');

  it('finds nothing where all is as it was answered', () => {
    expect(check(all)).toBe('');
    expect(check([...all.slice(1), sent('t1', { acknowledged: undefined })])).toBe('');
  });

  it.each<[string, () => string, RegExp]>([
    [
      'an acknowledged order that is gone',
      () => check([...all, sent('t1', { acknowledged: seen('t1', { transferId: 't8' }) })]),
      /order t8 was acknowledged and does not exist/,
    ],
    [
      'other values than were acknowledged',
      () => check([...all.slice(1), sent('t1', { acknowledged: seen('t1', { amount: '11' }) })]),
      /t1 is not what was acknowledged/,
    ],
    [
      'a terminal state that changed',
      () => check([...all.slice(1), sent('t1', { observed: seen('t1', { status: 'FAILED', completedAt: null }) })]),
      /order t1 was seen as FAILED .* is now COMPLETED/,
    ],
    ['an order nobody asked for', () => check(all.slice(1)), /order t1 is there and nobody asked for it/],
    [
      'a create without a bizId that was carried out twice',
      () => {
        const lost = order('t5', 'a', 'b', '2.5', 'FAILED');
        const copies = [lost, { ...lost, _id: 't6' }].map((each) => ({ ...each, bizId: each._id }));
        const body = { sourceWalletId: 'a', targetWalletId: 'b', amount: '2.50', currency: 'USD' };
        return check([...all, { ...sent('t1'), body, acknowledged: undefined }], copies);
      },
      /^order t6 is there and nobody asked for it$/,
    ],
  ])('finds %s', (_, found, expected) => {
    expect(found()).toMatch(expected);
  });
});

describe('unitsOf', () => {
  it('is exact over the whole range of Decimal128', () => {
    expect(unitsOf(decimal('1.10'))).toBe(unitsOf('1.1'));
    expect(unitsOf(decimal('1E+3'))).toBe(unitsOf('1000'));
    expect(shown(unitsOf(decimal('-0.000000000000000001')))).toBe('-0.000000000000000001');
    expect(shown(unitsOf(decimal('9999999999999999999999999999999999')))).toBe('9999999999999999999999999999999999');
    expect(() => unitsOf(decimal('NaN'))).toThrow('not an amount');
    expect(() => unitsOf(1)).toThrow('not an amount');
  });
});
