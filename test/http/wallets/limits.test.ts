import { describe, expect, it, test } from 'vitest';
import { Money } from '../../../src/domain/money.ts';
import type { Wallet } from '../../../src/domain/wallet.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { RouteParts } from '../../../src/http/parts.ts';
import type { ApiRequest, Route } from '../../../src/http/route.ts';
import { alertRoutes } from '../../../src/http/wallets/alerts.ts';
import { limitRoutes } from '../../../src/http/wallets/limits.ts';

const now = new Date('2026-01-01T12:00:00Z');
const wallet = {
  id: 'wa_1',
  workspaceId: 'ws_1',
  currency: 'USD',
  status: 'ACTIVE',
  limits: [
    { name: 'daily', amount: new Money(5), window: { rolling: 'PT24H' } },
    { name: 'each', amount: new Money(5), window: 'order' },
  ],
} as unknown as Wallet;

/** What is wrong with a body: reason, field and value of each fault; what it asks the storage for if nothing is. */
async function tell(routes: (parts: RouteParts) => Route[], body: object, of: Partial<Wallet> = {}) {
  let asked: unknown;
  const change = (_request: unknown, was: Wallet, what: { readonly change: unknown }) => {
    asked = what.change;
    return Promise.resolve(was);
  };
  const parts = {
    currencies: new Map([['USD', 2]]),
    findWallet: () => Promise.resolve({ ...wallet, ...of }),
    clockOf: () => Promise.resolve(() => now),
    changes: { change },
    present: { alert: () => ({}) },
    throughFailover: () => Promise.resolve({}),
  };
  const [route] = routes(parts as unknown as RouteParts);
  if (route === undefined || !('prepare' in route)) throw new Error('it changes nothing');
  const request = { body, params: { id: 'wa_1' }, chargeRate: () => Promise.resolve() };
  try {
    await (
      await route.prepare(request as unknown as ApiRequest)
    )();
    return asked;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { errorName, field, value, faults } = error;
    return faults.length > 1 ? faults.map((fault) => `${fault.field} ${fault.reason}`) : [errorName, field, value];
  }
}
const limits = (...list: object[]) => tell(limitRoutes, { limits: list });
const alerts = (...list: object[]) => tell(alertRoutes, { alerts: list });

const day = { calendar: 'day', timeZone: 'Europe/Berlin' } as const;
const right = { name: 'daily', amount: '10', window: day } as const;
const other = { ...right, name: 'other' };

describe('limits', () => {
  it.each<[string, object, string, string]>([
    ['no name', { amount: '1', window: day }, 'FIELD_MISSING', 'name'],
    ['a name of another form', { ...other, name: 'a b' }, 'FIELD_MALFORMED', 'name'],
    ['a name that is too long', { ...other, name: 'a'.repeat(65) }, 'FIELD_MALFORMED', 'name'],
    ['neither amount nor count', { name: 'a', window: day }, 'FIELD_MISSING', 'amount'],
    ['an amount below zero', { ...other, amount: '-1' }, 'AMOUNT_MALFORMED', 'amount'],
    ['an amount that is a number', { ...other, amount: 1 }, 'FIELD_TYPE_WRONG', 'amount'],
    ['too many digits', { ...other, amount: '1'.repeat(31) }, 'TOO_MANY_DIGITS', 'amount'],
    ['a count below zero', { name: 'a', count: -1, window: day }, 'FIELD_OUT_OF_RANGE', 'count'],
    ['a count above a million', { name: 'a', count: 1_000_001, window: day }, 'FIELD_OUT_OF_RANGE', 'count'],
    ['a count of halves', { name: 'a', count: 0.5, window: day }, 'FIELD_TYPE_WRONG', 'count'],
    ['a count for each order', { ...other, count: 1, window: 'order' }, 'FIELD_UNKNOWN', 'count'],
    ['no window', { name: 'a', amount: '1' }, 'FIELD_MISSING', 'window'],
    ['a window of another form', { ...other, window: 'day' }, 'FIELD_MALFORMED', 'window'],
    ['a rolling window of months', { ...other, window: { rolling: 'P1M' } }, 'FIELD_MALFORMED', 'window.rolling'],
    ['a rolling window of nothing', { ...other, window: { rolling: 'P' } }, 'FIELD_MALFORMED', 'window.rolling'],
    ['a rolling window of 59 s', { ...other, window: { rolling: 'PT59S' } }, 'FIELD_OUT_OF_RANGE', 'window.rolling'],
    ['one above 31 days', { ...other, window: { rolling: 'P31DT1S' } }, 'FIELD_OUT_OF_RANGE', 'window.rolling'],
    ['a calendar of years', { ...other, window: { ...day, calendar: 'year' } }, 'FIELD_MALFORMED', 'window'],
    ['an offset', { ...other, window: { ...day, timeZone: '+01:00' } }, 'FIELD_MALFORMED', 'window.timeZone'],
    ['no zone there is', { ...other, window: { ...day, timeZone: 'Mars/X' } }, 'VALUE_NOT_ALLOWED', 'window.timeZone'],
    ['a field that is not known', { ...other, note: 'x' }, 'FIELD_UNKNOWN', 'note'],
  ])('are refused with %s, by its place', async (_, limit, reason, field) => {
    const told = await limits({ ...right, name: 'b' }, right, limit);
    expect((told as string[]).slice(0, 2)).toEqual([reason, `limits[2].${field}`]);
  });

  it('have names of their own, and are ten at most', async () => {
    const named = Array.from({ length: 11 }, (_, at) => ({ ...other, name: `limit-${at}` }));
    expect(await limits(right, { ...other, name: 'b' }, right)).toEqual([
      ...['FIELD_MALFORMED', 'limits[2].name', 'each once'],
    ]);
    expect(await limits(...named)).toEqual(['FIELD_OUT_OF_RANGE', 'limits', '10']);
    expect(await limits(...named.slice(1))).toMatchObject({ limits: named.slice(1).map(({ name }) => ({ name })) });
    expect(await limits()).toEqual({ limits: [] });
  });

  it('take zero, and every window up to its bounds', async () => {
    const windows = [{ rolling: 'PT1M' }, { rolling: 'P31D' }, { rolling: 'P4W' }, { ...day, timeZone: 'utc' }, day];
    const list = windows.map((window, at) => ({ name: `w${at}`, amount: '0', count: 1_000_000, window }));
    expect(await limits(...list, { name: 'each', amount: '0.50', window: 'order' })).toEqual({
      limits: [
        ...list.map((limit) => ({ ...limit, amount: new Money(0) })),
        { name: 'each', amount: new Money('0.5'), window: 'order' },
      ],
    });
  });

  it('have no more decimals than the currency of the wallet, whose state comes after that', async () => {
    const tooFine = { limits: [right, { ...other, name: 'b', amount: '0.001' }] };
    const closed = { status: 'CLOSED' } as const;
    expect(await tell(limitRoutes, tooFine, closed)).toEqual(['TOO_MANY_DECIMALS', 'limits[1].amount', '2']);
    expect(await limits({ ...other, amount: '0.001' }, { ...other, name: 'b', amount: '0.001' })).toEqual([
      ...['limits[0].amount TOO_MANY_DECIMALS', 'limits[1].amount TOO_MANY_DECIMALS'],
    ]);
    expect(await tell(limitRoutes, { limits: [right] }, { currency: 'XXY' })).toEqual([
      ...['CURRENCY_UNKNOWN', 'limits[0].amount', undefined],
    ]);
    expect(await tell(limitRoutes, { limits: [right] }, closed)).toEqual([
      ...['WALLET_STATE_CONFLICT', 'id', undefined],
    ]);
    expect(await tell(limitRoutes, { limits: [right] }, { status: 'FROZEN' })).toMatchObject({
      limits: [{ name: right.name }],
    });
  });
});

describe('alerts', () => {
  const low = { name: 'low', availableBelow: '10' };
  const used = (share: unknown, limit: unknown = 'daily') => ({ name: 'used', limitUsed: { limit, share } });

  it.each<[string, object, string, string]>([
    ['no condition', { name: 'a' }, 'FIELD_MISSING', 'availableBelow'],
    ['two of them', { ...low, name: 'a', availableAbove: '1' }, 'FIELD_UNKNOWN', 'availableAbove'],
    ['an amount below zero', { name: 'a', availableAbove: '-1' }, 'AMOUNT_MALFORMED', 'availableAbove'],
    ['too many decimals', { name: 'a', availableBelow: '0.001' }, 'TOO_MANY_DECIMALS', 'availableBelow'],
    ['a share of nothing', used('0'), 'FIELD_MALFORMED', 'limitUsed.share'],
    ['a share of 0.0000', used('0.0000'), 'FIELD_MALFORMED', 'limitUsed.share'],
    ['a share above 1', used('1.0001'), 'FIELD_MALFORMED', 'limitUsed.share'],
    ['a share of five decimals', used('0.12345'), 'FIELD_MALFORMED', 'limitUsed.share'],
    ['a share that is a number', used(0.5), 'FIELD_TYPE_WRONG', 'limitUsed.share'],
    ['a share of no limit', { name: 'a', limitUsed: { share: '1' } }, 'FIELD_MISSING', 'limitUsed.limit'],
    ['a share of a limit that is not there', used('1', 'weekly'), 'VALUE_NOT_ALLOWED', 'limitUsed.limit'],
    ['a share of what counts nothing', used('1', 'each'), 'VALUE_NOT_ALLOWED', 'limitUsed.limit'],
    ['a name that is taken', { ...low, availableBelow: '1' }, 'FIELD_MALFORMED', 'name'],
  ])('are refused with %s, by its place', async (_, alert, reason, field) => {
    expect(((await alerts(low, alert)) as string[]).slice(0, 2)).toEqual([reason, `alerts[1].${field}`]);
  });

  test.each(['0.0001', '0.001', '0.0101', '0.9999', '1', '1.0000', '0.5000'])('take the share %s', async (share) => {
    const plain = { '1.0000': '1', '0.5000': '0.5' }[share] ?? share;
    expect(await alerts(used(share), { name: 'zero', availableAbove: '0' })).toEqual({
      alerts: [used(plain), { name: 'zero', availableAbove: new Money(0) }],
    });
  });
});
