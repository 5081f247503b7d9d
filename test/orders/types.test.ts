import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { externalWalletId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { foldOrders, type ParentOrder, type Posting } from '../../src/orders/fold.ts';
import { completedIn, failedIn } from '../support/endings.ts';
import { newOrder, type CreateOrderInput, type Order, type OrderToPost, toPost } from '../../src/orders/order.ts';
import { usedLegs } from '../../src/orders/parent.ts';
import { releaseOfExpired } from '../../src/orders/release.ts';
import { orderTypes, typeOf } from '../../src/orders/types.ts';

const now = new Date('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;
const workspaceId = 'ws_1';
const sides = { sourceWalletId: 'wa_a', targetWalletId: 'wa_b', currency: 'USD' };
const amount = (text: string) => ({ amount: text });

function wallet(id: string, balance: string, more: Partial<Wallet> = {}): Wallet {
  return {
    ...{ id, workspaceId, name: id, currency: 'USD', kind: 'STANDARD', status: 'ACTIVE' },
    ...{ balance: new Money(balance), held: new Money(0), openHolds: 0, creditLimit: new Money(0) },
    ...{ sequence: 0, debitFlows: 0, debits: new Money(0), debitOrders: 0, orders: {}, flowHash: '', version: 0 },
    ...{ lastFlowAt: now, createdAt: now, updatedAt: now },
    ...more,
  };
}

/** An order that was posted. */
function posted(asked: CreateOrderInput, more: Partial<Order> = {}): Order {
  const order = newOrder(typeOf(asked).values(asked, { workspaceId, now, parent: undefined }), now);
  return { ...order, status: 'COMPLETED', completedAt: now, ...more };
}
const hold = (more: Partial<Order> = {}) => posted({ type: 'HOLD', ...sides, ...amount('80') }, more);

function fold(
  asked: readonly CreateOrderInput[],
  wallets: Wallet[],
  parent?: Order,
  grouped = (each: OrderToPost[]) => each,
): Posting {
  const orders = asked.map((each) => newOrder(typeOf(each).values(each, { workspaceId, now, parent }), now));
  const parents = parent === undefined ? [] : [parent];
  const read = parents.map((order): [string, ParentOrder] => [
    order.id,
    { id: order.id, workspaceId, legs: usedLegs(order), changes: 0 },
  ]);
  const found = { wallets: new Map(wallets.map((each) => [each.id, each])), parents: new Map(read) };
  return foldOrders(grouped(orders.map(toPost)), found, createCurrencies(new Map()), now);
}
const heldOf = (posting: Posting, id: string) => posting.wallets.find((each) => each.id === id)?.held.toFixed(2);
const balanceOf = (posting: Posting, id: string) => posting.wallets.find((each) => each.id === id)?.balance.toFixed(2);
const failures = (posting: Posting) => [...failedIn(posting)].map(([name, ids]) => [name, ids.length]);

describe('every type', () => {
  it('has a name of its own, a path of its own, and says what verify expects of it', () => {
    expect(new Set(orderTypes.map(({ name }) => name)).size).toBe(orderTypes.length);
    expect(new Set(orderTypes.map(({ command }) => command?.name)).size).toBe(orderTypes.length);
    for (const { leavesFlows, reserves, parent } of orderTypes)
      expect(leavesFlows || reserves !== undefined || parent !== undefined).toBe(true);
  });

  it('but a hold fails where there is no order that it refers to: that is a fault of the data', () => {
    const wallets = [wallet('wa_a', '100', { held: new Money(80) }), wallet('wa_b', '0')];
    const posting = fold([{ type: 'CAPTURE', ...amount('1') }], wallets, hold());
    expect(completedIn(posting)).toHaveLength(1);
    const { unpostable } = foldOrders(
      posting.ended.map(({ order }) => order),
      {
        wallets: new Map([wallet('wa_a', '100'), wallet('wa_b', '0')].map((each) => [each.id, each])),
        parents: new Map(),
      },
      createCurrencies(new Map()),
      now,
    );
    expect(unpostable.map(({ message }) => message)).toEqual([expect.stringContaining('refers to is absent')]);
  });
});

describe('a hold', () => {
  it('reserves without a flow, and no more than there is', () => {
    const asked = { type: 'HOLD', ...sides, ...amount('60') };
    const posting = fold([asked, asked], [wallet('wa_a', '100'), wallet('wa_b', '0')]);
    expect([completedIn(posting).length, failures(posting)]).toEqual([1, [['INSUFFICIENT_BALANCE', 1]]]);
    expect([posting.flows, heldOf(posting, 'wa_a'), balanceOf(posting, 'wa_a')]).toEqual([[], '60.00', '100.00']);
  });

  it('reserves on credit', () => {
    const wallets = [wallet('wa_a', '0', { creditLimit: new Money(50) }), wallet('wa_b', '0')];
    expect(heldOf(fold([{ type: 'HOLD', ...sides, ...amount('50') }], wallets), 'wa_a')).toBe('50.00');
  });

  it('fails where one of its wallets is not active', () => {
    const asked = [{ type: 'HOLD', ...sides, ...amount('1') }];
    const frozen = fold(asked, [wallet('wa_a', '100'), wallet('wa_b', '0', { status: 'FROZEN' })]);
    expect(failures(frozen)).toEqual([['WALLET_NOT_ACTIVE', 1]]);
  });

  it.each([
    [1, []],
    [0, [['HOLD_CLOSED', 1]]],
    [-1, [['HOLD_CLOSED', 1]]],
  ])('that is posted %i ms before its expiry fails unless that is to come', (ms, expected) => {
    const expiresAt = new Date(now.getTime() + ms).toISOString();
    const asked = { type: 'HOLD', ...sides, ...amount('1'), terms: { expiresAt } };
    expect(failures(fold([asked], [wallet('wa_a', '100'), wallet('wa_b', '0')]))).toEqual(expected);
  });

  it('lasts seven days if nothing else is asked, and is for the world outside without a target', () => {
    const { expiresAt, targetWalletId } = hold({});
    expect([expiresAt, targetWalletId]).toEqual([new Date(now.getTime() + 7 * dayMs), 'wa_b']);
    const payout = posted({ type: 'HOLD', sourceWalletId: 'wa_a', currency: 'USD', ...amount('1') });
    expect(payout.targetWalletId).toBe(externalWalletId(workspaceId, 'USD'));
  });
});

describe('a capture', () => {
  const wallets = (held = '80') => [wallet('wa_a', '100', { held: new Money(held) }), wallet('wa_b', '0')];

  it('moves, and releases the rest unless it is to stay', () => {
    const final = fold([{ type: 'CAPTURE', ...amount('30') }], wallets(), hold());
    expect([balanceOf(final, 'wa_a'), heldOf(final, 'wa_a'), balanceOf(final, 'wa_b')]).toEqual([
      '70.00',
      '0.00',
      '30.00',
    ]);
    expect(final.parents[0]!.legs[0]!.progress).toMatchObject({ captured: new Money(30), released: new Money(50) });
    const part = fold([{ type: 'CAPTURE', ...amount('30'), terms: { final: 'false' } }], wallets(), hold());
    expect([heldOf(part, 'wa_a'), part.parents[0]!.legs[0]!.progress.released.toFixed()]).toEqual(['50.00', '0']);
  });

  it('is taken until the expiry of the hold, and not from then on', () => {
    const asked = { type: 'CAPTURE', ...amount('1') };
    const told = [-1, 0].map(
      (ms) => typeOf(asked).parent?.refusesUse(hold(), asked, new Date(now.getTime() + 7 * dayMs + ms))?.value,
    );
    expect(told).toEqual([undefined, 'EXPIRED']);
  });

  it('of one group take together what there is, and no more', () => {
    const part = { type: 'CAPTURE', ...amount('30'), terms: { final: 'false' } };
    const posting = fold([part, part, part], wallets(), hold());
    expect([completedIn(posting).length, failures(posting)]).toEqual([2, [['EXCEEDS_REMAINING', 1]]]);
    expect([posting.flows.length, heldOf(posting, 'wa_a')]).toEqual([4, '20.00']);
  });

  it('whose batch is tried once more comes before the release by the expiry', () => {
    const back = { type: 'TRANSFER', ...sides, sourceWalletId: 'wa_b', targetWalletId: 'wa_a', ...amount('10') };
    const expiry = { type: 'RELEASE', terms: { by: 'expiry' } };
    const posting = fold(
      [back, { type: 'CAPTURE', ...amount('1') }, expiry, { type: 'TRANSFER', ...sides, ...amount('10') }],
      wallets(),
      hold(),
      ([first, second, ...others]) => [{ ...first!, others: [second!] }, ...others],
    );
    expect([completedIn(posting).length, failures(posting)]).toEqual([3, [['HOLD_CLOSED', 1]]]);
    expect([heldOf(posting, 'wa_a'), balanceOf(posting, 'wa_b')]).toEqual(['0.00', '1.00']);
  });

  it('behind one that closed the hold fails', () => {
    const posting = fold(
      [
        { type: 'CAPTURE', ...amount('1') },
        { type: 'RELEASE', ...amount('1') },
      ],
      wallets(),
      hold(),
    );
    expect(failures(posting)).toEqual([['HOLD_CLOSED', 1]]);
  });

  it('that fails leaves the hold as it was', () => {
    const [source] = wallets();
    const posting = fold(
      [{ type: 'CAPTURE', ...amount('1') }],
      [source!, wallet('wa_b', '0', { status: 'CLOSED' })],
      hold(),
    );
    expect([failures(posting), posting.parents, heldOf(posting, 'wa_a')]).toEqual([
      [['WALLET_NOT_ACTIVE', 1]],
      [],
      '80.00',
    ]);
  });
});

describe('a release', () => {
  it('gives back whatever the state of the wallets', () => {
    const wallets = [
      wallet('wa_a', '100', { held: new Money(80), status: 'FROZEN' }),
      wallet('wa_b', '0', { status: 'CLOSED' }),
    ];
    const posting = fold([{ type: 'RELEASE' }], wallets, hold());
    expect([heldOf(posting, 'wa_a'), posting.parents[0]!.legs[0]!.progress.hasExpired]).toEqual(['0.00', false]);
  });

  it('by the expiry has an id that is made from that of the hold, and is its bizId', () => {
    const expired = hold();
    const [first, second] = [releaseOfExpired(expired, now), releaseOfExpired(expired, new Date(now.getTime() + 1))];
    expect(first.bizId).toBe(first.id);
    expect(first).toMatchObject({
      type: 'RELEASE',
      parentId: expired.id,
      description: 'expired',
      amount: '80',
    });
    expect([first.createdAt, first.id.slice(-16)]).toEqual([now, second.id.slice(-16)]);
    expect(releaseOfExpired(hold(), now).id.slice(-16)).not.toBe(first.id.slice(-16));
  });
});

describe('reversals', () => {
  const transfer = () => posted({ type: 'TRANSFER', ...sides, ...amount('10') });

  it('move back no more than was moved, together', () => {
    const part = { type: 'REVERSAL', ...amount('6') };
    const posting = fold(
      [part, part, { type: 'REVERSAL', ...amount('4') }],
      [wallet('wa_a', '0'), wallet('wa_b', '10')],
      transfer(),
    );
    expect([completedIn(posting).length, failures(posting)]).toEqual([2, [['EXCEEDS_REMAINING', 1]]]);
    expect([balanceOf(posting, 'wa_a'), posting.parents[0]!.legs[0]!.progress.reversed.toFixed()]).toEqual([
      '10.00',
      '10',
    ]);
  });

  it('fail where too little is available', () => {
    const wallets = [wallet('wa_a', '0'), wallet('wa_b', '10', { held: new Money(5) })];
    expect(failures(fold([{ type: 'REVERSAL', ...amount('6') }], wallets, transfer()))).toEqual([
      ['INSUFFICIENT_BALANCE', 1],
    ]);
  });
});
