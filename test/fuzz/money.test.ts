import { describe, expect, it } from 'vitest';
import { growth, type Look } from '../support/memory-watch.ts';
import { readLog } from './log-watch.ts';
import { judgeOrders, type OrderDocument } from './money.ts';

const fields = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.50', currency: 'USD' };
const world = { orders: ['tr_0'], keys: [{ apiKey: 'ak_1', apiSecret: '', rights: 'everything' as const }] };
const order: OrderDocument = { ...fields, _id: 'tr_1', bizId: 'tr_1', request: { keyId: 'ak_1', nonce: 'a' } };
const funding: OrderDocument = { ...fields, _id: 'tr_0', bizId: 'tr_0' };

function judge(orders: OrderDocument[], { body = JSON.stringify(fields), acknowledged = ['tr_1'] } = {}) {
  const signedCreates = new Map([['a', Buffer.from(body)]]);
  return judgeOrders([funding, ...orders], { signedCreates, acknowledged: new Set(acknowledged) }, world);
}

describe('judgeOrders', () => {
  it('has nothing against an order that was asked for, nor against one that was not made', () => {
    expect(judge([order])).toEqual([]);
    expect(judge([{ ...order, amount: '1.5' }])).toEqual([]);
    expect(judge([{ ...order, bizId: 'b' }], { body: JSON.stringify({ ...fields, bizId: 'b' }) })).toEqual([]);
    expect(judge([], { acknowledged: [] })).toEqual([]);
  });

  it.each<[string, OrderDocument]>([
    ['by nobody', { ...funding, _id: 'tr_1' }],
    ['by another key', { ...order, request: { keyId: 'ak_2', nonce: 'a' } }],
    ['by a request that was not signed', { ...order, request: { keyId: 'ak_1', nonce: 'b' } }],
    ['with another amount', { ...order, amount: '15.0' }],
    ['from another wallet', { ...order, sourceWalletId: 'wa_3' }],
    ['to another wallet', { ...order, targetWalletId: 'wa_3' }],
    ['in another currency', { ...order, currency: 'EUR' }],
    ['by another bizId', { ...order, bizId: 'b' }],
  ])('finds an order made %s', (_, given) => {
    expect(judge([given])).toHaveLength(1);
  });

  it('compares a journal leg by leg', () => {
    const { sourceWalletId: _, ...incoming } = fields;
    const body = JSON.stringify({ legs: [fields, incoming] });
    const { request, _id, bizId } = order;
    const journal = (...legs: NonNullable<OrderDocument['legs']>) => [
      { _id, bizId, request: request!, currency: ['USD'], legs },
    ];
    const [first, second] = [fields, { ...incoming, sourceWalletId: 'ex_1' }];
    expect(judge(journal(first, second), { body })).toEqual([]);
    for (const legs of [[second, first], [first], [first, { ...second, amount: '1.51' }], [first, first]])
      expect(judge(journal(...legs), { body })).toHaveLength(1);
    expect(judge([order], { body: JSON.stringify({ legs: [fields] }) })).toHaveLength(1);
  });

  it('finds one request that made two orders, and an answered order that is not there', () => {
    expect(judge([order, { ...order, _id: 'tr_2', bizId: 'tr_2' }])).toEqual([
      'order tr_2 is the second of one signed request',
    ]);
    expect(judge([])).toEqual(['order tr_1 was answered and is not there']);
  });
});

describe('growth', () => {
  const before: Look = { liveBytes: 80e6, residentBytes: 280e6, connections: 0 };

  it('lets a process take some more than it had, and no connection that its client left', () => {
    expect(growth(before, { ...before, liveBytes: 100e6, residentBytes: 450e6 })).toBeUndefined();
    expect(growth(before, { ...before, liveBytes: 160e6 })).toMatch('live');
    expect(growth(before, { ...before, residentBytes: 600e6 })).toMatch('resident');
    expect(growth(before, { ...before, connections: 1 })).toMatch('1 connection');
  });
});

it('readLog keeps errors and what is no log entry, and knows why a request was refused', () => {
  const log = readLog([
    '{"level":30,"msg":"ready"}',
    '{"level":50,"code":"SY5031","requestId":"a","err":{"message":"late"}}',
    '{"level":60,"msg":"unhandled rejection"}',
    '(node:1) Warning: something',
  ]);
  expect(['a', 'b'].map(log.reasonOf)).toEqual(['late', undefined]);
  expect(log.complaints).toEqual([
    'an error is logged: {"level":60,"msg":"unhandled rejection"}',
    'a line that is no log entry: (node:1) Warning: something',
  ]);
});
