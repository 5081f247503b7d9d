import { describe, expect, it } from 'vitest';
import { judgeAlerts, type Alert } from '../../src/domain/alerts.ts';
import { budgetAt, budgetUse, drawOn, type Budget, type KeyBudgets } from '../../src/domain/budgets.ts';
import { lengthMs } from '../../src/domain/duration.ts';
import { externalWalletId } from '../../src/domain/ids.ts';
import {
  firstMomentOf,
  passes,
  periodAt,
  usesOf,
  type CalendarWindow,
  type LimitedWallet,
} from '../../src/domain/limits.ts';
import { Money } from '../../src/domain/money.ts';

const money = (text: string) => new Money(text);
const time = (text: string) => new Date(text);

describe('a day, a week or a month', () => {
  it.each<[string, CalendarWindow['calendar'], string, string, string, string]>([
    [
      'begins an hour earlier in summer',
      'day',
      'Europe/Berlin',
      '2026-07-01T12:00Z',
      '2026-06-30T22:00Z',
      '2026-07-01T22:00Z',
    ],
    [
      'has 23 hours when summer time begins',
      'day',
      'Europe/Berlin',
      '2026-03-29T21:59:59.999Z',
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
    ],
    [
      'has 25 hours when it ends',
      'day',
      'Europe/Berlin',
      '2026-10-25T22:59:59.999Z',
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
    ],
    [
      'begins at one where midnight is left out',
      'day',
      'Africa/Cairo',
      '2024-04-26T10:00Z',
      '2024-04-25T22:00Z',
      '2024-04-26T21:00Z',
    ],
    [
      'begins with the first of two midnights',
      'day',
      'America/Havana',
      '2025-11-02T12:00Z',
      '2025-11-02T04:00Z',
      '2025-11-03T05:00Z',
    ],
    ['is a leap day', 'day', 'UTC', '2028-02-29T23:59:59.999Z', '2028-02-29T00:00Z', '2028-03-01T00:00Z'],
    ['of 29 days', 'month', 'UTC', '2028-02-29T12:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
    ['of 28 days', 'month', 'UTC', '2026-02-10T12:00Z', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
    [
      'of the old year',
      'month',
      'America/New_York',
      '2027-01-01T04:59:59.999Z',
      '2026-12-01T05:00Z',
      '2027-01-01T05:00Z',
    ],
    ['begins on Monday', 'week', 'Asia/Kolkata', '2026-03-01T18:29:59.999Z', '2026-02-22T18:30Z', '2026-03-01T18:30Z'],
    [
      'in which summer time ends',
      'week',
      'Europe/Berlin',
      '2026-10-25T12:00Z',
      '2026-10-18T22:00Z',
      '2026-10-25T23:00Z',
    ],
  ])('%s', (_, calendar, timeZone, at, from, to) => {
    const period = { from: time(from), to: time(to) };
    const window = { calendar, timeZone };
    expect(periodAt(window, time(at))).toEqual(period);
    expect(periodAt(window, period.from)).toEqual(period);
    expect(periodAt(window, new Date(period.to.getTime() - 1))).toEqual(period);
    expect(periodAt(window, period.to).from).toEqual(period.to);
    expect(periodAt(window, new Date(period.from.getTime() - 1)).to).toEqual(period.from);
  });
});

it.each<readonly [string, number]>([
  ['PT1M', 60_000],
  ['P31D', 31 * 86_400_000],
  ['P4W', 28 * 86_400_000],
  ['P1DT2H3M4S', 93_784_000],
  ['PT90M', 5_400_000],
  ...['', 'P', 'PT', 'P1DT', 'P1M', 'P1Y', 'P1W1D', 'PT1.5H', 'pt1m', '-PT1M', ' PT1M'].map(
    (text) => [text, 0] as const,
  ),
])('%j is %i ms long', (text, ms) => {
  expect(lengthMs(text)).toBe(ms);
});

it('a rolling window counts what is dated less than its length before', () => {
  const at = time('2026-01-02T00:00Z');
  expect(firstMomentOf({ rolling: 'PT24H' }, at)).toEqual(time('2026-01-01T00:00:00.001Z'));
  expect(firstMomentOf('order', at)).toBeUndefined();
});

const wallet = (more: Partial<LimitedWallet> = {}): LimitedWallet => ({
  ...{ currency: 'USD', debits: money('100'), debitOrders: 7, held: money('5'), openHolds: 2 },
  ...more,
});

describe('the use of a limit', () => {
  const limits = [
    { name: 'day', amount: money('50'), window: { calendar: 'day', timeZone: 'UTC' } },
    { name: 'order', amount: money('9'), window: 'order' },
    { name: 'minute', count: 3, window: { rolling: 'PT1M' } },
  ] as const;
  const before = [{ debits: money('60'), debitOrders: 4 }, undefined, { debits: money('100'), debitOrders: 7 }];

  it('is what went out in its window, and what is held', () => {
    const uses = usesOf(wallet({ limits }), before, time('2026-01-01T10:00Z'));
    expect(uses.map(({ used, usedCount, resetsAt }) => [used.toFixed(), usedCount, resetsAt?.toISOString()])).toEqual([
      ['45', 5, '2026-01-02T00:00:00.000Z'],
      ['0', 0, undefined],
      ['5', 2, undefined],
    ]);
  });

  it('must have been read', () => {
    expect(() => usesOf(wallet({ limits }), [], time('2026-01-01T10:00Z'))).toThrow('was not read');
  });

  it('may reach it, and not pass it by a cent or an order', () => {
    const use = { ...limits[0], ...wallet(), used: money('45'), usedCount: 5, resetsAt: null };
    expect([passes(use, money('5'), 1), passes(use, money('5.01'), 1)]).toEqual([false, true]);
    expect([passes({ ...use, count: 6 }, money('5'), 1), passes({ ...use, count: 5 }, money('5'), 1)]).toEqual([
      false,
      true,
    ]);
    expect(passes({ ...use, count: 5 }, money('5'), 0)).toBe(false);
  });
});

describe('the budgets of a key', () => {
  const budget = (more: Partial<Budget>): Budget => ({
    ...{ name: 'a', currency: 'USD', amount: money('10'), window: { calendar: 'day', timeZone: 'UTC' } as const },
    ...{ since: 1, from: time('2026-01-01T15:00Z'), used: money('4'), usedCount: 2 },
    ...more,
  });
  const of = (...budgets: Budget[]): KeyBudgets => ({
    apiKey: 'ak_1',
    workspaceId: 'ws_1',
    budgets,
    version: 1,
    changes: 1,
  });
  const leg = (amount: string, currency = 'USD', source = 'wa_a') => ({
    ...{ sourceWalletId: source, targetWalletId: 'wa_b', amount: money(amount), currency },
  });

  it('begin anew with a day, and never go back to one that has ended', () => {
    expect(budgetAt(budget({}), time('2026-01-01T23:59:59.999Z')).used.toFixed()).toBe('4');
    const next = budgetAt(budget({}), time('2026-01-02T00:00Z'));
    expect([next.used.toFixed(), next.usedCount, next.from.toISOString()]).toEqual([
      '0',
      0,
      '2026-01-02T00:00:00.000Z',
    ]);
    expect(budgetAt(next, time('2026-01-01T23:00Z'))).toBe(next);
    expect(budgetUse(next, time('2026-01-01T23:00Z')).resetsAt).toEqual(time('2026-01-03T00:00Z'));
    expect(budgetUse(budget({ window: 'total' }), time('2030-01-01T00:00Z'))).toMatchObject({
      usedCount: 2,
      resetsAt: null,
    });
  });

  it('are drawn on by the legs of their currency, and once by an order', () => {
    const at = time('2026-01-01T16:00Z');
    const drawn = drawOn(
      of(budget({}), budget({ name: 'b', currency: 'EUR' })),
      [leg('1'), leg('2'), leg('9', 'EUR', externalWalletId('ws_1', 'EUR'))],
      at,
    );
    expect((drawn as KeyBudgets).budgets).toMatchObject([{ usedCount: 3 }, { usedCount: 2 }]);
    expect((drawn as KeyBudgets).budgets.map(({ used }) => used.toFixed())).toEqual(['7', '4']);
  });

  it('are passed by the first leg that would, the first by name', () => {
    const at = time('2026-01-01T16:00Z');
    const both = of(budget({ name: 'a', amount: money('7') }), budget({ name: 'b', amount: money('5') }));
    expect(drawOn(both, [leg('1'), leg('2.01')], at)).toMatchObject({
      ...{ name: 'KEY_BUDGET_EXCEEDED', leg: 1, limit: { name: 'a', usedCount: 3 } },
    });
    expect(drawOn(of(budget({ count: 2 })), [leg('0.01')], at)).toMatchObject({ leg: 0, limit: { usedCount: 2 } });
    expect(drawOn(of(budget({ amount: money('0'), used: money('0') })), [leg('0.01')], at)).toMatchObject({ leg: 0 });
  });
});

describe('alerts', () => {
  const at = time('2026-01-01T10:00Z');
  const watched = (alerts: Alert[], alertEvents = 3) => ({
    ...{ id: 'wa_a', workspaceId: 'ws_1', currency: 'USD', balance: money('10'), held: money('0'), sequence: 4 },
    ...{ alerts, alertEvents },
  });
  const alert = (more: Partial<Alert>): Alert => ({
    name: 'x',
    state: 'cleared',
    since: time('2025-01-01T00:00Z'),
    ...more,
  });
  const use = {
    name: 'day',
    currency: 'USD',
    window: 'order' as const,
    used: money('8'),
    usedCount: 1,
    resetsAt: null,
  };

  it.each<[string, Partial<Alert>, boolean]>([
    ['less available', { availableBelow: money('10.01') }, true],
    ['not less', { availableBelow: money('10') }, false],
    ['more available', { availableAbove: money('9.99') }, true],
    ['not more', { availableAbove: money('10') }, false],
    ['a share of a limit', { limitUsed: { limit: 'day', share: '0.8' } }, true],
    ['not that share', { limitUsed: { limit: 'day', share: '0.8001' } }, false],
    ['a limit that is gone', { limitUsed: { limit: 'gone', share: '0.0001' } }, false],
  ])('%s', (_, condition, isTrue) => {
    const limit = { ...use, amount: money('10') };
    const { alerts, events } = judgeAlerts(watched([alert(condition)]), money('10'), [limit], at);
    expect(events.map(({ state, number }) => [state, number])).toEqual(isTrue ? [['raised', 4]] : []);
    expect(alerts[0]).toMatchObject(isTrue ? { state: 'raised', since: at } : { state: 'cleared' });
    // Judged again, it tells nothing more.
    expect(judgeAlerts(watched([...alerts]), money('10'), [limit], at).events).toEqual([]);
  });

  it('that are true no more are cleared, in the order of the list', () => {
    const both = [
      alert({ name: 'a', state: 'raised', availableBelow: money('1') }),
      alert({ name: 'b', availableAbove: money('1') }),
    ];
    const { events } = judgeAlerts(watched(both), money('10'), [], at);
    expect(events.map(({ name, state, number }) => [name, state, number])).toEqual([
      ['a', 'cleared', 4],
      ['b', 'raised', 5],
    ]);
  });

  it('of a number of orders are true from their share on', () => {
    const [of, ofCount] = [alert({ limitUsed: { limit: 'day', share: '0.5' } }), { ...use, count: 3 }];
    expect(judgeAlerts(watched([of]), money('10'), [{ ...ofCount, usedCount: 1 }], at).events).toEqual([]);
    expect(judgeAlerts(watched([of]), money('10'), [{ ...ofCount, usedCount: 2 }], at).events).toHaveLength(1);
  });
});
