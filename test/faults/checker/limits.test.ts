import { describe, expect, it } from 'vitest';
import type { AskedLimit, Guards } from './guards.ts';
import { checkAlertEvents, checkAlertStates, type AlertTold } from './check-alerts.ts';
import { checkLimits } from './check-limits.ts';
import { at, decimal, find, soundBooks } from './test-documents.ts';
import { isInWindow } from './windows.ts';

const times = { startedAtMs: 0, endedAtMs: 0 };
const guardsOf = (limit: Partial<AskedLimit>, since = 1): Guards => ({
  limits: [{ ...times, walletId: 'a', since, limits: [{ name: 'one', window: 'order', ...limit }] }],
  alerts: [{ ...times, walletId: 'a', alerts: [{ name: 'low', availableBelow: '7' }] }],
  budgets: [{ ...times, apiKey: 'k', name: 'usd', currency: 'USD', amount: '5' }],
});
const day = { calendar: 'day', timeZone: 'Europe/Berlin' } as const;

describe('checkLimits', () => {
  it.each<[string, Partial<AskedLimit>]>([
    ['each order', { amount: '4' }],
    ['a minute', { amount: '4', count: 1, window: { rolling: 'PT1M' } }],
    ['a day', { amount: '4', count: 1, window: day }],
  ])('finds a limit of %s that was passed by a cent, or by an order', (_, limit) => {
    expect(checkLimits(soundBooks(), guardsOf(limit))).toEqual([]);
    expect(checkLimits(soundBooks(), guardsOf({ ...limit, amount: '3.99' })).join()).toMatch(
      /flow a.2 has passed .* 4 /,
    );
    if (limit.count !== undefined)
      expect(checkLimits(soundBooks(), guardsOf({ ...limit, count: 0 })).join()).toMatch(/flow a.2 has passed/);
    expect(checkLimits(soundBooks(), guardsOf({ ...limit, amount: '3.99' }, 2))).toEqual([]);
  });

  it('counts what was held before, and judges what holds', () => {
    const books = soundBooks();
    const held = { ...find(books.orders, 't2'), _id: 'h', type: 'HOLD', completedAt: new Date(at.getTime() - 10_000) };
    books.orders.push(held);
    const limits = guardsOf({ amount: '7.99', window: { rolling: 'PT1M' } });
    expect(checkLimits(books, limits).join()).toMatch(/flow a.2 has passed .* with it 8 were used by 2/);
    books.flows = [];
    expect(checkLimits(books, limits)).toEqual([]);
    expect(checkLimits(books, guardsOf({ amount: '3', window: day })).join()).toMatch(/hold h has passed/);
  });

  it('finds a budget of another use, one that was passed, and an order that does not count', () => {
    const books = soundBooks();
    const budget = { name: 'usd', since: 1, used: '4', usedCount: 1 };
    books.keyBudgets = [{ _id: 'k', budgets: [budget] }];
    const t2 = find(books.orders, 't2');
    Object.assign(t2, { apiKey: 'k', budgets: 1, request: undefined });
    const guards = guardsOf({});
    expect(checkLimits(books, guards)).toEqual([]);
    budget.used = '3';
    expect(checkLimits(books, guards).join()).toMatch(/usd of k says 3 by 1, it is 4/);
    Object.assign(budget, { used: '4' });
    expect(checkLimits(books, { ...guards, budgets: [{ ...guards.budgets[0]!, amount: '3' }] }).join()).toMatch(
      /passed/,
    );
    t2['budgets'] = undefined;
    expect(checkLimits(books, guards).join()).toMatch(/order t2 does not count/);
  });
});

describe('alerts', () => {
  const told = (number: number, state: string, more: object = {}): AlertTold => ({
    workspaceId: 'ws',
    data: { walletId: 'a', name: 'low', number, state, balance: '6', held: '0', available: '6', sequence: 2, ...more },
  });
  const raised = () => {
    const books = soundBooks();
    Object.assign(find(books.wallets, 'a'), {
      alertEvents: 1,
      alerts: [{ name: 'low', state: 'raised', availableBelow: '7' }],
    });
    return books;
  };
  const guards = guardsOf({});

  it('are told once, in turns, with what their wallet had', () => {
    expect(checkAlertStates(raised())).toEqual([]);
    expect(checkAlertEvents(raised(), [told(1, 'raised')], guards)).toEqual([]);
  });

  it.each<[string, AlertTold[], RegExp]>([
    ['one that was not told', [], /told were the numbers .*was not told/s],
    ['a gap', [told(2, 'raised')], /numbers 2/],
    ['one out of turn', [told(1, 'raised'), told(2, 'raised')], /2 of a, low raised, is not its alert's turn/],
    ['another balance', [told(1, 'raised', { balance: '5', available: '5' })], /figures that the wallet had not/],
    ['one that was not so', [told(1, 'raised', { sequence: 1, balance: '10', available: '10' })], /is not so/],
    ['another workspace', [{ ...told(1, 'raised'), workspaceId: 'other' }], /was told to other/],
    ['no wallet', [told(1, 'raised'), told(1, 'raised', { walletId: 'z' })], /no wallet z/],
  ])('finds %s', (_, events, expected) => {
    expect(checkAlertEvents(raised(), events, guards).join('\n')).toMatch(expected);
  });

  it('finds a state that its wallet does not have', () => {
    const books = raised();
    find(books.wallets, 'a')['held'] = decimal('0');
    find(books.wallets, 'a')['balance'] = decimal('7');
    expect(checkAlertStates(books)).toEqual(['alert low of a is raised, with 7 available']);
  });
});

it('windows begin with their period, and rolling ones leave out what is as old as they are long', () => {
  const time = (text: string) => new Date(`2026-${text}Z`);
  expect(isInWindow({ rolling: 'PT1M' }, time('03-01T10:00:00.001'), time('03-01T10:01:00'))).toBe(true);
  expect(isInWindow({ rolling: 'PT1M' }, time('03-01T10:00:00'), time('03-01T10:01:00'))).toBe(false);
  expect(isInWindow(day, time('02-28T22:59:59'), time('03-01T10:00:00'))).toBe(false);
  expect(isInWindow(day, time('02-28T23:00:00'), time('03-01T10:00:00'))).toBe(true);
  const week = { calendar: 'week', timeZone: 'UTC' } as const;
  expect(isInWindow(week, time('03-01T23:59:59'), time('03-02T00:00:00'))).toBe(false);
  expect(isInWindow(week, time('03-02T00:00:00'), time('03-08T23:59:59'))).toBe(true);
  const month = { calendar: 'month', timeZone: 'America/New_York' } as const;
  expect(isInWindow(month, time('03-01T04:59:59'), time('03-01T05:00:00'))).toBe(false);
});
