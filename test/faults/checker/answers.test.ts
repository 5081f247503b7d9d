import { describe, expect, it } from 'vitest';
import type { Sent, Told } from '../harness/sent.ts';
import type { RawDocument } from './books.ts';
import { checkAnswers } from './check-answers.ts';
import {
  altered,
  askedOf,
  balance,
  commandOf,
  created,
  ofWallet,
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
import { at, order, soundBooks } from './test-documents.ts';

describe('checkAnswers', () => {
  const { orders } = soundBooks();
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

  const tell = (...told: Told[]): string =>
    checkAnswers(soundBooks(), { sent: all, told, byHand: new Set() }).join('\n');

  it('finds nothing where all is as it was told', () => {
    const completion = { transferId: 't2', bizId: 'biz-t2', completed: true, status: 'COMPLETED', failure: null };
    const told = [
      ...[created('t2', waiting), created('t2', {}, { isReplay: true }), created('t3')],
      ...[read('t2'), askedOf({ path: `${ordersPath}/biz-t2`, data: seen('t2') })],
      askedOf({ path: `${ordersPath}/t2/completed`, data: { ...completion, completedAt: at.toISOString() } }),
      askedOf({ method: 'WEBHOOK', path: 'transfer.completed', data: seen('t2') }),
      ...[balance('10.00', 1), balance('6', 2), past('6', 2, second(0)), statement()],
      // After what is settled, as many as were known.
      ...[past('10', 1, second(-1)), past('0', 0, second(-1))],
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
      [askedOf({ path: `${ordersPath}/wallet/a`, data: { items: [seen('t2', { transferId: 't9' })] } })],
      /order t9 .* does not exist/,
    ],
    [
      'an id under another bizId',
      [created('t2', { transferId: 't3' })],
      /order t3 was told for bizId biz-t2, and its bizId is biz-t3/,
    ],
    ['an order under a bizId that is not its own', [read('t2', { bizId: 'other' })], /order t2 .* with bizId other/],
    [
      'another order than was asked for',
      [askedOf({ path: `${ordersPath}/t3`, data: seen('t2') })],
      /t2 .* told for t3/,
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
    [
      'a balance that no prefix of the flows has',
      [balance('8', 2)],
      /wallet a was told with balance 8, .* after flow 2, after which it had 6/,
    ],
    ['a balance of another prefix', [balance('6', 1)], /balance 6, .* after flow 1, after which it had 10/],
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
  ])('finds %s', (_, told, expected) => {
    expect(tell(...told)).toMatch(expected);
  });

  it('does not pass over an answer that it does not know', () => {
    expect(() => tell(askedOf({ path: '/api/v1/key' }))).toThrow('what /api/v1/key tells is not checked');
  });
});
