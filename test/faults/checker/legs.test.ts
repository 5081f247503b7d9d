import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { RawBooks } from './books.ts';
import { checkBooks } from './check-books.ts';
import { booksWithLegs, decimal, find, none } from './test-documents.ts';

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
