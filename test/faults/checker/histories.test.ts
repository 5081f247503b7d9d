import { describe, expect, it } from 'vitest';
import type { Told } from '../harness/sent.ts';
import type { RawBooks } from './books.ts';
import { checkAnswers } from './check-answers.ts';
import {
  askedOf,
  balance,
  created,
  flowsListed,
  later,
  listed,
  ordersPath,
  past,
  read,
  second,
  seen,
  sent,
  shownFlow,
  statement,
  waiting,
} from './test-answers.ts';
import { booksWithLegs, find, soundBooks } from './test-documents.ts';

/* Histories, each with one answer that is wrong by what was told before it, or beside it. */

const all = ['t1', 't2', 't3'].map((id) => sent(id));
const judge = (told: readonly Told[], books: RawBooks = soundBooks()): string =>
  checkAnswers(books, { sent: all, told, byHand: new Set() }).join('\n');

const standing = (text: string) => ({ balance: text, held: '0', available: text });
const details = (text: string): Told =>
  askedOf({ path: '/api/v1/wallets/a', data: { id: 'a', currency: 'USD', ...standing(text) } });
const listOf = (query: Record<string, string>, ...ids: string[]): Told => listed(ids, null, { query });
/** Each page by the cursor of the one before. */
const walk = (first: Told, ...more: Told[]): Told[] =>
  more.reduce((pages, page) => [...pages, { ...page, query: { cursor: 'c' }, follows: pages.at(-1) }], [first]);
const walkedStatement = (...items: number[][]): Told[] => {
  const pages = items.map((sequences, index) => {
    const nextCursor = index < items.length - 1 ? 'c' : null;
    const page = statement({ items: sequences.map((sequence) => shownFlow(sequence)), nextCursor });
    return { ...page, query: { ...page.query, size: '1' } };
  });
  return walk(pages[0]!, ...pages.slice(1));
};
const batch = (...items: object[]): Told => ({
  ...askedOf({ method: 'POST', path: '/api/v1/transfer/command/batch', data: { batchId: 'ba', items } }),
  lines: ['t2', 't3'].map((id) => sent(id).command),
});
const wallets = (...ids: string[]): Told => {
  const rows = ids.map((id) => ({ id, currency: 'USD', ...standing(id === 'a' ? '6' : '4') }));
  return askedOf({ path: '/api/v1/wallets', data: { items: rows, nextCursor: null } });
};
/** Before any flow, and of the first alone, both right by themselves. */
const early = (settledUntil: string): Told => {
  const figures = { openingBalance: '0', closingBalance: '0', debits: '0', credits: '0', count: 0 };
  const page = statement({ ...figures, settledUntil, items: [] });
  return { ...page, query: { ...page.query, from: second(-5), to: second(0) } };
};
const firstAlone = statement({
  ...{ closingBalance: '10', debits: '0', count: 1, settledUntil: second(-1), items: [shownFlow(1)] },
});
const flowOfB = askedOf({ path: '/api/v1/wallets/b/flows', data: { items: [shownFlow(1, {}, 'b')] } });

describe('checkAnswers, of what was told before', () => {
  it.each<[string, Told[]]>([
    ['reads that follow each other', [balance('10', 1), later(balance('6', 2)), later(details('6'))]],
    ['figures that may still grow', [early(second(-1)), later(firstAlone), later(past('0', 0, second(-1)))]],
    ['reads at once', [balance('6', 2), balance('10', 1), read('t2'), read('t2', waiting), details('0')]],
    ['walks', [...walk(listed(['t3', 't2'], 'c'), listed(['t1'])), ...walk(flowsListed([2], 'c'), flowsListed([1]))]],
    ['a walk that was broken off', [read('t1'), later(listed(['t3', 't2'], 'c')), later(flowsListed([2], 'c'))]],
    ['an order that came during a walk', [listed(['t2', 't1']), later(read('t3'))]],
    ['filters', [read('t3'), later(listOf({ status: 'FAILED' }, 't3')), later(listOf({ type: 'DEPOSIT' }, 't1'))]],
    ['what ended during a walk', [read('t2', waiting), later(listOf({ status: 'COMPLETED' }, 't1'))]],
    ['a statement by pages', walkedStatement([1], [2])],
    ['a batch', [batch({ order: seen('t2') }, { code: 'TR4225' })]],
    ['wallets', [wallets('b', 'a')]],
  ])('finds nothing in %s', (_, told) => {
    expect(judge(told)).toBe('');
  });

  it.each<[string, Told[], RegExp]>([
    ['a stale read', [balance('6', 2), later(balance('10', 1))], /its flow 1 as the last, after its flow 2/],
    ['one without its sequence', [balance('6', 2), later(details('10'))], /a was told with balance 10.* later one/],
    ['one after a list', [flowsListed([2, 1]), later(balance('10', 1))], /after its flow 2 had been told/],
    ['a COMPLETED whose flows are missing', [read('t2'), later(flowsListed([1]))], /flows {} lacks a.2$/],
    ['flows of an order that is PENDING', [flowsListed([2, 1]), later(read('t2', waiting))], /t2 .* after its end/],
    [
      'a COMPLETED that has not moved its other wallet',
      [flowOfB, later(balance('10', 1))],
      /wallet a .* after its flow 2 had been told/,
    ],
    ['a balance that lacks what was seen', [read('t2'), later(past('10', 1, second(-1)))], /it had had 2 to 2 flows/],
    ['a statement that does', [read('t2'), later(firstAlone)], /a statement that it never had/],
    [
      'a settledUntil under which a flow appears',
      [early(second(0)), later(past('0', 0, second(-1)))],
      /balance 0 after flow 0 .* it had had 2 to 2 flows/,
    ],
    ['an order that a list lacks', [read('t1'), later(listed(['t3', 't2']))], /orders {} lacks t1$/],
    ['an order lost between pages', [read('t2'), ...walk(later(listed(['t3'], 'c')), listed(['t1']))], /lacks t2$/],
    ['one that a filter lacks', [read('t2'), later(listOf({ status: 'COMPLETED' }, 't1'))], /"COMPLETED"} lacks t2$/],
    [
      'one that waited all the while',
      [
        read('t2', waiting),
        later(listOf({ status: 'PENDING' })),
        { ...read('t2', waiting), askedAtMs: 4, toldAtMs: 5 },
      ],
      /"PENDING"} lacks t2$/,
    ],
    ['an order repeated', walk(listed(['t3', 't2'], 'c'), listed(['t2', 't1'])), /has again, or too late, t2$/],
    ['orders out of order', [listed(['t2', 't3'])], /has again, or too late, t3$/],
    ['an order of another type', [listOf({ type: 'DEPOSIT' }, 't2')], /has, though they do not fit, t2$/],
    ['one of another state', [listOf({ status: 'FAILED' }, 't2')], /has, though they do not fit, t2/],
    ['one of another wallet', [listed(['t2'], null, { path: `${ordersPath}/wallet/ex` })], /do not fit, t2$/],
    ['a flow lost between pages', walk(flowsListed([2], 'c'), flowsListed([])), /flows {} lacks a.1$/],
    ['a flow repeated', walk(flowsListed([2], 'c'), flowsListed([2, 1])), /has again, or too late, a.2$/],
    ['a flow of the other direction', [{ ...flowsListed([2, 1]), query: { direction: 'DEBIT' } }], /not fit, a.1$/],
    ['a flow that a page of a statement repeats', walkedStatement([1], [1]), /a statement that it never had/],
    ['a statement that ends too soon', walkedStatement([1]), /a statement that it never had/],
    [
      'a flow with the bizId of another',
      [statement({ items: [shownFlow(1), shownFlow(2, { bizId: 'biz-t1', type: 'TRANSFER' })] })],
      /a.2 .* bizId biz-t1/,
    ],
    ['a wallet that a list lacks', [wallets('a')], /the list \/api\/v1\/wallets {} lacks b$/],
    [
      'two ids of a bizId',
      [created('t2'), created('t2', { transferId: 't3' }, { isReplay: true })],
      /^order t3 was told for bizId biz-t2, and its bizId is biz-t3/,
    ],
    [
      'an id of a batch that does not exist',
      [batch({ order: seen('t2', { transferId: 't9' }) }, {})],
      /t9 .* not exist/,
    ],
    ['the order of another line', [batch({ order: seen('t3') }, {})], /t3 was told for bizId biz-t2/],
    ['a batch that the order did not come in', [read('t2', { batchId: 'ba' } as object)], /t2 .* with batchId ba/],
  ])('finds %s', (_, told, expected) => {
    expect(judge(told)).toMatch(expected);
  });
});

describe('checkAnswers, of what is held', () => {
  const held = (text: string, sequence: number, holds: string): Told =>
    balance(text, sequence, { held: holds, available: String(Number(text) - Number(holds)) });
  const hold = (status: string): Told => {
    const { createdAt, completedAt } = find(booksWithLegs().orders, 'h') as Record<string, unknown>;
    const [made, ended] = [createdAt as Date, completedAt as Date].map((time) => time.toISOString());
    const end = status === 'COMPLETED' ? ended : null;
    const data = { transferId: 'h', bizId: 'biz-h', status, failure: null, createdAt: made, completedAt: end };
    return askedOf({ path: `${ordersPath}/h`, data });
  };
  const judgeHeld = (...told: Told[]): string =>
    judge(told, booksWithLegs())
      .split('\n')
      .filter((breach) => !breach.includes('nobody asked for it'))
      .join('\n');

  it('finds nothing where a hold may have been made meanwhile', () => {
    expect(judgeHeld(held('5', 4, '3'), held('5', 4, '0'), held('4', 5, '2'), later(hold('COMPLETED')))).toBe('');
  });

  it.each<[string, Told[], RegExp]>([
    ['a balance of two moments', [held('4', 5, '3')], /balance 4, held 3, .* its holds were others/],
    ['one without a hold that was COMPLETED', [hold('COMPLETED'), later(held('5', 4, '0'))], /held 0, .* were others/],
    ['one with a hold that is PENDING', [held('5', 4, '3'), later(hold('PENDING'))], /held 3, .* were others/],
    ['a balance between the legs of an order', [held('10', 1, '0')], /in the middle of an order/],
  ])('finds %s', (_, told, expected) => {
    expect(judgeHeld(...told)).toMatch(expected);
  });
});
