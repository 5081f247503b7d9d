import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { RawBooks, RawDocument } from './books.ts';
import { checkBooks } from './check-books.ts';
import { at, credit, debit, decimal, external, find, flow, none, order, wallet } from './test-documents.ts';

/** A journal of three legs, a part of one of which was moved back, and a hold that was captured in part by its legs. */
function booksWithLegs(): RawBooks {
  const each = (...types: string[]) => Object.fromEntries(types.map((type) => [type, { COMPLETED: 1 }]));
  const ofOwn = each('JOURNAL', 'REVERSAL', 'HOLD', 'CAPTURE');
  const leg = (source: string, target: string, amount: string, parentLeg?: number) => ({
    ...{ sourceWalletId: source, targetWalletId: target, amount: decimal(amount), currency: 'USD' },
    ...(parentLeg === undefined ? {} : { parentLeg }),
  });
  const ordered = (id: string, type: string, more: Document): RawDocument => ({
    ...{ ...order(id, 'a', 'b', '3'), type },
    ...more,
  });
  /** Of each flow that has any the sum of its wallet's debits up to it. */
  const sums: Record<string, string> = {
    'ex.1': '10',
    'a.2': '4',
    'a.3': '6',
    'a.4': '6',
    'a.5': '7',
    'b.3': '1',
    'b.4': '1',
  };
  const side = (of: Document, sequence: number, money: [string, string, string], place: number): RawDocument => {
    const debits = sums[`${String(of['walletId'])}.${sequence}`] ?? '0';
    return { ...flow(of, sequence, money), debits, ...(place === 0 ? {} : { leg: place }) };
  };
  /** @param from its wallet, the number of its flow there, and the balance before. */
  const moved = (id: string, place: number, amount: string, from: [string, number, number], to: typeof from) => [
    side(debit(id, from[0], to[0]), from[1], [String(from[2]), amount, String(from[2] - Number(amount))], place),
    side(credit(id, to[0], from[0]), to[1], [String(to[2]), amount, String(to[2] + Number(amount))], place),
  ];
  return {
    wallets: [
      { ...external('-10'), orders: each('JOURNAL') },
      { ...wallet('a', '4', 5, 0), held: decimal('2'), orders: ofOwn },
      { ...wallet('b', '6', 4, 0), orders: ofOwn },
    ],
    totals: [{ _id: 'p0', workspaceId: 'ws', orders: { USD: ofOwn } }],
    orders: [
      ordered('j', 'JOURNAL', {
        ...{ sourceWalletId: undefined, targetWalletId: undefined, amount: undefined, currency: ['USD'] },
        legs: [leg('ex', 'a', '10'), leg('a', 'b', '4'), leg('a', 'b', '2')],
        progress: { reversedLegs: ['0', '1', '0'].map(decimal) },
      }),
      ordered('r', 'REVERSAL', { parentId: 'j', legs: [leg('b', 'a', '1', 1)] }),
      ordered('h', 'HOLD', { progress: { captured: decimal('1'), released: decimal('0') } }),
      ordered('k', 'CAPTURE', { parentId: 'h', legs: [leg('a', 'b', '1')], terms: { final: 'false' } }),
    ],
    flows: [
      ...moved('j', 0, '10', ['ex', 1, 0], ['a', 1, 0]),
      ...moved('j', 1, '4', ['a', 2, 10], ['b', 1, 0]),
      ...moved('j', 2, '2', ['a', 3, 6], ['b', 2, 4]),
      ...moved('r', 0, '1', ['b', 3, 6], ['a', 4, 4]),
      ...moved('k', 0, '1', ['a', 5, 5], ['b', 4, 5]),
    ],
    readAtMs: at.getTime(),
  };
}

describe('checkBooks, of orders with legs', () => {
  const legOf = (books: RawBooks, id: string, leg: number | undefined) => (find(books.flows, id)['leg'] = leg);

  it('finds nothing in sound books', () => {
    expect(checkBooks(booksWithLegs(), none)).toEqual([]);
  });

  it.each<[string, (books: RawBooks) => unknown, RegExp]>([
    ['a flow of another leg', (books) => legOf(books, 'a.2', 2), /order j .* its 6 flows are not/],
    [
      'like legs in another order on a wallet',
      (books) => {
        legOf(books, 'b.1', 2);
        legOf(books, 'b.2', 1);
      },
      /wallet b: from flow 1 of 4 on there is no order to replay/,
    ],
    [
      'a leg that is gone',
      ({ orders }) => (find(orders, 'j')['legs'] as Document[]).pop(),
      /order j .* its 6 flows are not/,
    ],
    [
      'a cent of what was reversed on another leg',
      ({ orders }) => (find(orders, 'j')['progress'] = { reversedLegs: ['0.01', '0.99', '0'].map(decimal) }),
      /0.01 of its leg 0 was reversed, it was 0\n.* 0.99 of its leg 1 was reversed, it was 1/,
    ],
    [
      'a reversal of another leg',
      ({ orders }) => ((find(orders, 'r')['legs'] as Document[])[0]!['parentLeg'] = 2),
      /leg 1 was reversed, it was 0\n.*leg 2 was reversed, it was 1/,
    ],
    [
      'a hold that more was captured of',
      ({ orders }) => (find(orders, 'h')['progress'] = { captured: decimal('2'), released: decimal('0') }),
      /hold h says .* 2 should be left/,
    ],
    [
      'a wallet that holds less than its holds',
      ({ wallets }) => (find(wallets, 'a')['held'] = decimal('1')),
      /wallet a holds 1, its holds are 2/,
    ],
    [
      'a journal of two currencies that counts twice in the sum',
      ({ orders }) => ((find(orders, 'j')['legs'] as Document[])[2]!['currency'] = 'EUR'),
      /workspace ws - JOURNAL COMPLETED: 0 orders are said, there are -1/,
    ],
  ])('finds %s', (_, change, expected) => {
    const books = booksWithLegs();
    change(books);
    expect(checkBooks(books, none).join('\n')).toMatch(expected);
  });
});
