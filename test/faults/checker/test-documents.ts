import { Decimal128, type Document } from 'mongodb';
import type { RawBooks, RawDocument } from './books.ts';

/* Documents that the checker's tests make books of. */

export const none = { setAside: new Set<string>() };
export const at = new Date('2026-01-01T00:00:00Z');
export const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** With a flow for each COMPLETED order, the first one a deposit, and `failed` others. */
export const wallet = (_id: string, balance: string, sequence: number, failed: number): RawDocument => ({
  ...{ _id, balance: decimal(balance), sequence, kind: 'STANDARD', currency: 'USD', workspaceId: 'ws' },
  orders: {
    DEPOSIT: { COMPLETED: _id === 'b' ? 0 : 1 },
    TRANSFER: { COMPLETED: _id === 'b' ? 1 : sequence - 1, FAILED: failed },
  },
});
export const external = (balance: string): RawDocument => ({ ...wallet('ex', balance, 1, 0), kind: 'EXTERNAL' });
export const order = (
  _id: string,
  source: string,
  target: string,
  amount: string,
  status = 'COMPLETED',
): RawDocument => ({
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
export const flow = (
  side: Document,
  sequence: number,
  [before, amount, after]: [string, string, string],
): RawDocument => ({
  // The first debit of its wallet, or a credit before any.
  debits: side['direction'] === 'DEBIT' ? amount : '0',
  ...{ _id: `${String(side['walletId'])}.${sequence}`, currency: 'USD', sequence, createdAt: at, ...side },
  ...{ balanceBefore: decimal(before), amount: decimal(amount), balanceAfter: decimal(after) },
});
export const debit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'DEBIT' },
});
export const credit = (transferId: string, walletId: string, counterpartyWalletId: string): Document => ({
  ...{ transferId, walletId, counterpartyWalletId, direction: 'CREDIT' },
});

export const find = (documents: RawDocument[], id: string): RawDocument => documents.find(({ _id }) => _id === id)!;

/** 10 come in to a, of which 4 go on to b; one order failed. The flows are given in no order. */
export function soundBooks(): RawBooks {
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
    keyBudgets: [],
    readAtMs: at.getTime(),
  };
}

/** A journal of three legs, a part of one of which was moved back, and a hold that was captured in part by its legs. */
export function booksWithLegs(): RawBooks {
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
    keyBudgets: [],
    readAtMs: at.getTime(),
  };
}
