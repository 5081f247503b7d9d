import { describe, expect, it } from 'vitest';
import { shown, unitsOf } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { checkBooks } from './check-books.ts';
import { at, credit, debit, decimal, external, find, flow, none, order, soundBooks, wallet } from './test-documents.ts';

function broken(change: (books: RawBooks) => void): string {
  const books = soundBooks();
  change(books);
  return checkBooks(books, none).join('\n');
}

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
    [
      'a flow that is dated before the one before it',
      ({ flows }) => (flows[1]!['createdAt'] = new Date(at.getTime() - 1)),
      /flow a.2 is dated before the flow before it/,
    ],
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
