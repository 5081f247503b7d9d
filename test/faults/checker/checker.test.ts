import { describe, expect, it } from 'vitest';
import type { Command, MeantLeg, OrderData, Sent, Told } from '../harness/sent.ts';
import { shown, unitsOf } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { checkAnswers } from './check-answers.ts';
import { checkBooks } from './check-books.ts';
import { at, credit, debit, decimal, external, find, flow, none, order, wallet } from './test-documents.ts';

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

describe('checkAnswers', () => {
  const { orders } = soundBooks();
  const seen = (id: string, more: Partial<OrderData> = {}): OrderData => {
    const { sourceWalletId, targetWalletId, amount, currency, status, bizId } = find(
      orders,
      id,
    ) as unknown as OrderData;
    const completedAt = status === 'COMPLETED' ? at.toISOString() : null;
    const failure = status === 'FAILED' ? { code: 'TR4223', message: 'INSUFFICIENT_BALANCE', leg: null } : null;
    const data = { transferId: id, bizId, sourceWalletId, targetWalletId, amount, currency, legs: null, status };
    return { ...data, failure, completedAt, ...more };
  };
  const sent = (id: string, more: Partial<Sent> = {}): Sent => {
    const { type, bizId } = find(orders, id);
    return {
      workspaceId: 'ws',
      command: commandOf(type, seen(id), { bizId: String(bizId) }),
      acknowledged: seen(id),
      ...more,
    };
  };
  /** That asks for an order of one leg. */
  const commandOf = (type: unknown, leg: object, body: Command['body']): Command => {
    const { sourceWalletId, targetWalletId, amount, currency } = leg as MeantLeg;
    const means = { type: String(type), legs: [{ sourceWalletId, targetWalletId, amount, currency }] };
    return { name: 'create', body, means };
  };
  const altered = (id: string, amount: string): Command => {
    const { command } = sent(id);
    return commandOf(command.means.type, { ...command.means.legs[0], amount }, command.body);
  };
  const all = [sent('t1'), sent('t2'), sent('t3')];
  const check = (changed: Sent[], more: RawDocument[] = []) =>
    checkAnswers(
      { ...soundBooks(), orders: [...orders, ...more] },
      { sent: changed, told: [], byHand: new Set() },
    ).join('\n');

  it('finds nothing where all is as it was answered', () => {
    expect(check(all)).toBe('');
    expect(check([...all.slice(1), sent('t1', { acknowledged: undefined })])).toBe('');
  });

  it.each<[string, () => string, RegExp]>([
    [
      'other values than were sent by a create whose answer was lost',
      () => check([...all.slice(1), sent('t1', { acknowledged: undefined, command: altered('t1', '11') })]),
      /t1 is not what was sent/,
    ],
    ['an order nobody asked for', () => check(all.slice(1)), /order t1 is there and nobody asked for it/],
    [
      'a create without a bizId that was carried out twice',
      () => {
        const lost = order('t5', 'a', 'b', '2.5', 'FAILED');
        const copies = [lost, { ...lost, _id: 't6' }].map((each) => ({ ...each, bizId: each._id }));
        const leg = { sourceWalletId: 'a', targetWalletId: 'b', amount: '2.50', currency: 'USD' };
        return check(
          [...all, sent('t1', { command: commandOf('TRANSFER', leg, {}), acknowledged: undefined })],
          copies,
        );
      },
      /^order t6 is there and nobody asked for it$/,
    ],
  ])('finds %s', (_, found, expected) => {
    expect(found()).toMatch(expected);
  });

  const path = '/api/v1/transfer/query/orders';
  const askedOf = (more: Partial<Told>): Told => ({
    ...{ workspaceId: 'ws', method: 'GET', path, query: {}, isReplay: false, askedAtMs: 0, toldAtMs: 1, data: null },
    ...more,
  });
  const created = (id: string, data: Partial<OrderData> = {}, more: Partial<Told> = {}): Told => {
    const { command } = sent(id);
    return askedOf({ method: 'POST', path: '/api/v1/transfer/command/create', command, data: seen(id, data), ...more });
  };
  const read = (id: string, data: Partial<OrderData> = {}, more: Partial<Told> = {}): Told =>
    askedOf({ path: `${path}/${id}`, data: seen(id, data), ...more });
  const waiting = { status: 'PENDING', failure: null, completedAt: null };
  const ofWallet = (what: string, data: object, query = {}): Told =>
    askedOf({ path: `/api/v1/wallets/a/${what}`, query, data: { walletId: 'a', currency: 'USD', ...data } });
  const balance = (text: string, sequence: number, more: object = {}): Told =>
    ofWallet('balance', { balance: text, held: '0', available: text, sequence, ...more });
  const second = (ms: number): string => new Date(at.getTime() + ms).toISOString();
  const past = (text: string, sequence: number, settledUntil: string): Told =>
    ofWallet('balance', { balance: text, sequence, settledUntil, asOf: second(0) }, { at: second(0) });
  const shownFlow = (sequence: number, more: object = {}): Record<string, unknown> => {
    const stored = soundBooks().flows.find(({ _id }) => _id === `a.${sequence}`)!;
    const money = ['amount', 'balanceBefore', 'balanceAfter'].map((name) => [name, String(stored[name])] as const);
    const { _id: id, debits: _, createdAt, ...rest } = stored as Record<string, unknown>;
    return { id, leg: 0, ...rest, createdAt: (createdAt as Date).toISOString(), ...Object.fromEntries(money), ...more };
  };
  const statement = (more: object = {}): Told => {
    const figures = { openingBalance: '0', closingBalance: '6.00', debits: '4', credits: '10', count: 2 };
    const items = [shownFlow(1), shownFlow(2)];
    const data = { ...figures, settledUntil: second(5), items, nextCursor: null, ...more };
    return ofWallet('statement', data, { from: second(0), to: second(1), size: '100' });
  };
  const tell = (...told: Told[]): string =>
    checkAnswers(soundBooks(), { sent: all, told, byHand: new Set() }).join('\n');

  it('finds nothing where all is as it was told', () => {
    const completion = { transferId: 't2', bizId: 'biz-t2', completed: true, status: 'COMPLETED', failure: null };
    const told = [
      ...[created('t2', waiting), created('t2', {}, { isReplay: true }), created('t3')],
      ...[read('t2'), askedOf({ path: `${path}/biz-t2`, data: seen('t2') })],
      askedOf({ path: `${path}/t2/completed`, data: { ...completion, completedAt: at.toISOString() } }),
      askedOf({ path: `${path}/wallet/a`, data: { items: [seen('t2'), seen('t3')] } }),
      askedOf({ method: 'WEBHOOK', path: 'transfer.completed', data: seen('t2') }),
      ...[balance('10.00', 1), balance('6', 2), past('6', 2, second(0)), statement()],
      // After what is settled, as many as were known.
      ...[past('10', 1, second(-1)), past('0', 0, second(-1))],
      ofWallet('flows', { items: [shownFlow(2), shownFlow(1)] }),
    ];
    expect(tell(...told)).toBe('');
  });

  it.each<[string, Told[], RegExp]>([
    [
      'an id that is in no document',
      [created('t2'), created('t2', { transferId: 't9' }, { isReplay: true })],
      /^order t9 \(bizId biz-t2\) was told and does not exist$/,
    ],
    [
      'an id that was told in a list and is in no document',
      [askedOf({ path: `${path}/wallet/a`, data: { items: [seen('t2', { transferId: 't9' })] } })],
      /order t9 .* does not exist/,
    ],
    [
      'an id under another bizId',
      [created('t2', { transferId: 't3' })],
      /order t3 was told for bizId biz-t2, and its bizId is biz-t3/,
    ],
    ['an order under a bizId that is not its own', [read('t2', { bizId: 'other' })], /order t2 .* with bizId other/],
    ['another order than was asked for', [askedOf({ path: `${path}/t3`, data: seen('t2') })], /t2 .* told for t3/],
    [
      'an order of another wallet in a list',
      [askedOf({ path: `${path}/wallet/ex`, data: { items: [seen('t2')] } })],
      /t2 .* was told of wallet ex/,
    ],
    ['an order of another workspace', [read('t2', {}, { workspaceId: 'other' })], /t2 .* to another workspace/],
    ['other values than the order has', [read('t2', { amount: '4.01' })], /t2 .* was told with amount 4.01/],
    [
      'an order of other values than were asked for',
      [created('t2', {}, { command: altered('t2', '4.01') })],
      /t2 .* was told for .*4.01/,
    ],
    [
      'COMPLETED where the order is FAILED',
      [read('t3', { status: 'COMPLETED', failure: null, completedAt: at.toISOString() })],
      /t3 .* was told as COMPLETED .* and is now FAILED INSUFFICIENT_BALANCE/,
    ],
    [
      'another failure than the order has',
      [read('t3', { failure: { code: 'WA4221', message: 'WALLET_NOT_ACTIVE', leg: null } })],
      /t3 .* was told as FAILED WALLET_NOT_ACTIVE .* is now FAILED INSUFFICIENT_BALANCE/,
    ],
    [
      'a webhook that tells another end',
      [askedOf({ method: 'WEBHOOK', path: 'transfer.failed', data: seen('t2', { status: 'FAILED' }) })],
      /t2 .* was told as FAILED/,
    ],
    [
      'an end that was told, and then not',
      [read('t2'), read('t2', waiting, { askedAtMs: 2, toldAtMs: 3 })],
      /t2 .* was told as PENDING .* after its end/,
    ],
    [
      'an order that was made twice, as told',
      [created('t2'), created('t2')],
      /bizId ws biz-t2 was told to be new twice/,
    ],
    ['a balance that no prefix of the flows has', [balance('8', 2)], /wallet a was told with balance 8 after flow 2/],
    ['a balance of another prefix', [balance('6', 1)], /balance 6 after flow 1, after which it had 10/],
    ['a balance after a flow that is not there', [balance('6', 3)], /after flow 3, which it does not have/],
    ['an amount held that nothing holds', [balance('6', 2, { held: '1', available: '5' })], /held 1, available 5/],
    ['less available than there is', [balance('6', 2, { available: '5' })], /held 0, available 5/],
    [
      'a balance without a flow whose order was told to be COMPLETED',
      [read('t2'), { ...balance('10', 1), askedAtMs: 2, toldAtMs: 3 }],
      /its flow 1 as the last, after its flow 2 had been told/,
    ],
    [
      'a balance of the past that lacks what was settled',
      [past('10', 1, second(0))],
      /balance 10 after flow 1 .*it had had 2 to 2 flows/,
    ],
    ['a balance that the past did not have', [past('7', 2, second(-1))], /balance 7 after flow 2/],
    [
      'figures of a statement that its flows do not give',
      [statement({ credits: '11' })],
      /a statement that it never had/,
    ],
    [
      'a statement without a flow that was settled',
      [statement({ items: [shownFlow(1)] })],
      /a statement that it never/,
    ],
    [
      'a flow that is not as it was told',
      [ofWallet('flows', { items: [shownFlow(2, { balanceAfter: '7' })] })],
      /flow a.2 was told with balanceAfter 7/,
    ],
    [
      'a flow that is not there',
      [ofWallet('flows', { items: [shownFlow(2, { id: 'a.3', sequence: 3 })] })],
      /flow a.3 of wallet a was told and does not exist/,
    ],
    [
      'flows with a gap',
      [ofWallet('flows', { items: [shownFlow(2), shownFlow(2, { id: 'x', sequence: 0 })] })],
      /wallet a was told flows with a gap/,
    ],
  ])('finds %s', (_, told, expected) => {
    expect(tell(...told)).toMatch(expected);
  });

  it('does not pass over an answer that it does not know', () => {
    expect(() => tell(askedOf({ path: '/api/v1/key' }))).toThrow('what /api/v1/key tells is not checked');
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
