import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { externalWalletId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { foldOrders, type Posting } from '../../src/orders/fold.ts';
import { newOrder, toPost, type CreateOrderInput, type Leg, type Order } from '../../src/orders/order.ts';
import { usedLegs } from '../../src/orders/parent.ts';
import { typeOf } from '../../src/orders/types.ts';

const now = new Date('2026-01-01T00:00:00Z');
const workspaceId = 'ws_1';
const currencies = createCurrencies(new Map([['BTC', 8]]));

function wallet(id: string, balance = '0', currency = 'USD', more: Partial<Wallet> = {}): Wallet {
  return {
    ...{ id, workspaceId, name: id, currency, kind: 'STANDARD', status: 'ACTIVE' },
    ...{ balance: new Money(balance), held: new Money(0), openHolds: 0, creditLimit: new Money(0) },
    ...{ sequence: 0, debitFlows: 0, debits: new Money(0), debitOrders: 0, orders: {}, flowHash: '', version: 0 },
    ...{ lastFlowAt: now, createdAt: now, updatedAt: now },
    ...more,
  };
}
const outside = (currency = 'USD') =>
  wallet(externalWalletId(workspaceId, currency), '0', currency, { kind: 'EXTERNAL' });

/** `a b 3`: 3 USD from a to b; `- b 3 JPY`: from the world outside. */
const leg = (text: string): Partial<Leg> => {
  const [source = '', target = '', amount = '', currency = 'USD'] = text.split(' ');
  return {
    ...(source === '-' ? {} : { sourceWalletId: source }),
    ...(target === '-' ? {} : { targetWalletId: target }),
    ...{ amount, currency },
  };
};
const journal = (...legs: string[]): CreateOrderInput => ({ type: 'JOURNAL', legs: legs.map(leg) });

function recorded(asked: CreateOrderInput, parent?: Order): Order {
  return newOrder(typeOf(asked).values(asked, { workspaceId, now, parent }), now);
}

/** Folds units, each an order or an atomic batch. */
function fold(units: readonly (Order | readonly Order[])[], wallets: readonly Wallet[], parent?: Order): Posting {
  const orders = units.map((unit) => {
    const [first, ...others] = [unit].flat().map(toPost);
    return others.length === 0 ? first! : { ...first!, others };
  });
  const parents = parent === undefined ? [] : [{ id: parent.id, workspaceId, legs: usedLegs(parent), changes: 0 }];
  const byId = <Of extends { readonly id: string }>(all: readonly Of[]) => new Map(all.map((each) => [each.id, each]));
  return foldOrders(orders, { wallets: byId([...wallets]), parents: byId(parents) }, currencies, now);
}

/** How each order ended, in the order of the units. */
const endsOf = (posting: Posting, orders: readonly Order[]): string[] =>
  orders.map(({ id }) => {
    const { status, failure, failureLeg } = posting.ended.find(({ order }) => order.id === id)!;
    return failureLeg === undefined ? (failure ?? status) : `${failure ?? ''} of leg ${failureLeg}`;
  });
/** Balances as they are afterwards, of the wallets that changed or not. */
const balancesOf = (posting: Posting, wallets: readonly Wallet[]): string =>
  wallets
    .map(({ id }) => posting.wallets.find((each) => each.id === id) ?? posting.walletsBefore.get(id)!)
    .map(({ balance, held }) => (held.isZero() ? balance.toFixed() : `${balance.toFixed()}/${held.toFixed()}`))
    .join(' ');

describe('a journal', () => {
  const wallets = [wallet('a', '10'), wallet('b'), wallet('c')];
  const yen = [wallet('y', '500', 'JPY'), wallet('z', '0', 'JPY')];
  const all = [...wallets, ...yen, outside(), outside('JPY')];

  it.each<[string, string[], string, string]>([
    ['may spend what an earlier leg brought', ['a b 10', 'b c 4'], 'COMPLETED', '0 6 4'],
    ['may not spend what a later leg brings', ['b c 4', 'a b 10'], 'INSUFFICIENT_BALANCE of leg 0', '10 0 0'],
    ['moves nothing if its last leg cannot be applied', ['a b 9', 'a c 2'], 'INSUFFICIENT_BALANCE of leg 1', '10 0 0'],
    ['may have like legs', ['a b 3', 'a b 3', 'a b 3'], 'COMPLETED', '1 9 0'],
    ['may send money around', ['a b 10', 'b c 10', 'c a 10', 'a b 10'], 'COMPLETED', '0 10 0'],
    ['lacks what its like legs come to', ['a b 6', 'a b 6'], 'INSUFFICIENT_BALANCE of leg 1', '10 0 0'],
    ['exchanges currencies', ['a b 3', 'y z 400 JPY'], 'COMPLETED', '7 3 0 100 400'],
    [
      'takes from and gives to the world outside',
      ['- b 5', 'b c 2', 'c - 1', '- z 9 JPY'],
      'COMPLETED',
      '10 3 1 500 9 -4 -9',
    ],
    ['of one leg names that', ['b a 1'], 'INSUFFICIENT_BALANCE of leg 0', '10 0 0'],
  ])('%s: %j', (_, legs, ended, balances) => {
    const order = recorded(journal(...legs));
    const posting = fold([order], all);
    expect(endsOf(posting, [order])).toEqual([ended]);
    expect(balancesOf(posting, all).startsWith(balances)).toBe(true);
    const moved = ended === 'COMPLETED' ? legs.length : 0;
    expect(posting.flows.map(({ leg: place, direction }) => [place, direction])).toEqual(
      Array.from({ length: moved }, (__, place) => [
        [place, 'DEBIT'],
        [place, 'CREDIT'],
      ]).flat(),
    );
  });

  it('counts once on each wallet, however many legs name it', () => {
    const { wallets: after } = fold([recorded(journal('a b 1', 'b a 1', 'a b 1'))], wallets);
    expect(after.map(({ id, orders, sequence }) => [id, orders, sequence])).toEqual([
      ['a', { JOURNAL: { COMPLETED: 1 } }, 3],
      ['b', { JOURNAL: { COMPLETED: 1 } }, 3],
    ]);
  });

  it.each<[string, Partial<Wallet>, string]>([
    ['a wallet that is frozen', { status: 'FROZEN' }, 'WALLET_NOT_ACTIVE of leg 1'],
    ['a wallet that has as much as it can', { balance: new Money('9'.repeat(32)) }, 'BALANCE_LIMIT of leg 1'],
  ])('that meets %s moves nothing', (_, state, ended) => {
    const order = recorded(journal('a b 1', 'a c 1'));
    const posting = fold([order], [wallets[0]!, wallets[1]!, { ...wallets[2]!, ...state }]);
    expect([endsOf(posting, [order]), posting.flows]).toEqual([[ended], []]);
  });

  it('is tried once more as a whole, behind its group', () => {
    const [first, second] = [recorded(journal('b c 4', 'c a 1')), recorded(journal('a b 5'))];
    const posting = fold([first, second], wallets);
    expect(endsOf(posting, [first, second])).toEqual(['COMPLETED', 'COMPLETED']);
    expect([posting.flows.map(({ transferId }) => transferId), balancesOf(posting, wallets)]).toEqual([
      [second, second, first, first, first, first].map(({ id }) => id),
      '6 1 3',
    ]);
  });

  it('is posted to the last digit of 34', () => {
    const most = '99999999999999999999999999.99999998';
    const [x, y] = [wallet('x', most, 'BTC'), wallet('y', '0.00000001', 'BTC')];
    const posting = fold([recorded(journal(`x y ${most} BTC`, 'y x 0.00000003 BTC'))], [x, y]);
    expect(balancesOf(posting, [x, y])).toBe('0.00000003 99999999999999999999999999.99999996');
  });
});

describe('a capture by legs', () => {
  const hold = (): Order => ({
    ...recorded({ type: 'HOLD', sourceWalletId: 'a', targetWalletId: 'b', amount: '8', currency: 'USD' }),
    status: 'COMPLETED',
  });
  const wallets = [
    wallet('a', '10', 'USD', { held: new Money(8) }),
    wallet('b'),
    wallet('c'),
    wallet('d', '0', 'USD', { status: 'CLOSED' }),
  ];
  const keeps = { terms: { final: 'false' } };

  it.each<[string, object[], object, string, string, [string, string]]>([
    [
      'goes to other wallets, and to its target',
      [{ targetWalletId: 'c', amount: '5' }, { amount: '2' }],
      {},
      'COMPLETED',
      '3 2 5 0',
      ['7', '1'],
    ],
    [
      'keeps the rest',
      [{ targetWalletId: 'c', amount: '5' }, { amount: '2' }],
      keeps,
      'COMPLETED',
      '3/1 2 5 0',
      ['7', '0'],
    ],
    [
      'takes no more than there is',
      [{ amount: '5' }, { amount: '4' }],
      {},
      'EXCEEDS_REMAINING',
      '10/8 0 0 0',
      ['0', '0'],
    ],
    [
      'leaves the hold as it was',
      [{ amount: '1' }, { targetWalletId: 'd', amount: '1' }],
      {},
      'WALLET_NOT_ACTIVE of leg 1',
      '10/8 0 0 0',
      ['0', '0'],
    ],
  ])('%s: %j', (_, legs, more, ended, balances, [captured, released]) => {
    const parent = hold();
    const order = recorded({ type: 'CAPTURE', legs, ...more }, parent);
    const posting = fold([order], wallets, parent);
    expect([endsOf(posting, [order]), balancesOf(posting, wallets)]).toEqual([[ended], balances]);
    const { progress } = (posting.parents[0]?.legs ?? usedLegs(parent))[0]!;
    expect([progress.captured.toFixed(), progress.released.toFixed()]).toEqual([captured, released]);
  });

  it('to others does not look at the target of the hold', () => {
    const parent = { ...hold(), targetWalletId: 'd' };
    const order = recorded({ type: 'CAPTURE', legs: [{ targetWalletId: 'c', amount: '8' }] }, parent);
    expect(endsOf(fold([order], wallets, parent), [order])).toEqual(['COMPLETED']);
  });
});

describe('a reversal by legs', () => {
  const original = (): Order => ({ ...recorded(journal('- a 9', 'a b 6', 'b c 6', 'a c 3')), status: 'COMPLETED' });
  const wallets = [wallet('a'), wallet('b'), wallet('c', '9'), outside()];
  const reversal = (parent: Order, legs?: readonly Partial<Leg>[]) =>
    recorded({ type: 'REVERSAL', ...(legs === undefined ? {} : { legs }) }, parent);
  const reversedOf = ({ parents }: Posting) => parents[0]?.legs.map(({ progress }) => progress.reversed.toFixed());

  it('goes back in the opposite order, whatever order was asked for', () => {
    const parent = original();
    const whole = reversal(parent);
    const posting = fold([whole], wallets, parent);
    expect([endsOf(posting, [whole]), balancesOf(posting, wallets), reversedOf(posting)]).toEqual([
      ['COMPLETED'],
      '0 0 0 9',
      ['9', '6', '6', '3'],
    ]);
    expect(whole.legs?.map(({ parentLeg }) => parentLeg)).toEqual([3, 2, 1, 0]);
    const some = reversal(parent, [
      { parentLeg: 1, amount: '2' },
      { parentLeg: 2, amount: '2' },
    ]);
    expect(balancesOf(fold([some], wallets, parent), wallets)).toBe('2 0 7 0');
  });

  it('names the leg, among its own, that cannot be moved back', () => {
    const parent = original();
    const order = reversal(parent, [{ parentLeg: 0 }, { parentLeg: 3, amount: '1' }]);
    const posting = fold([order], wallets, parent);
    expect([endsOf(posting, [order]), posting.parents]).toEqual([['INSUFFICIENT_BALANCE of leg 1'], []]);
  });

  it('never moves back more of a leg than there is, in whatever parts', () => {
    const parent = original();
    const of = (...parts: [number, string][]) =>
      reversal(
        parent,
        parts.map(([parentLeg, amount]) => ({ parentLeg, amount })),
      );
    const orders = [of([2, '4'], [3, '1']), of([2, '3'], [3, '1']), of([2, '2']), of([3, '3']), of([3, '1'])];
    const posting = fold(orders, wallets, parent);
    expect([endsOf(posting, orders), reversedOf(posting)]).toEqual([
      ['COMPLETED', 'EXCEEDS_REMAINING of leg 1', 'COMPLETED', 'EXCEEDS_REMAINING of leg 0', 'COMPLETED'],
      ['0', '0', '6', '2'],
    ]);
  });

  it('passes over what nothing is left of', () => {
    const progress = usedLegs(original()).map(({ progress: none }, place) => ({
      ...none,
      reversed: new Money([9, 1, 6, 0][place]!),
    }));
    const { legs } = reversal({ ...original(), progress });
    expect(legs?.map(({ parentLeg, amount }) => [parentLeg, amount])).toEqual([
      [3, '3'],
      [1, '5'],
    ]);
  });
});

describe('an atomic batch of all types', () => {
  const parent = (): Order => ({
    ...recorded({ type: 'HOLD', sourceWalletId: 'a', targetWalletId: 'b', amount: '8', currency: 'USD' }),
    status: 'COMPLETED',
  });
  const wallets = [wallet('a', '10', 'USD', { held: new Money(8) }), wallet('b'), wallet('c'), outside()];
  const one = (type: string, text: string): CreateOrderInput => ({ type, ...leg(text) });

  it.each<[string, CreateOrderInput[], string[], string]>([
    [
      'a line spends what an earlier one moved, captured or set free',
      [
        { type: 'CAPTURE', amount: '3', terms: { final: 'false' } },
        one('TRANSFER', 'b c 3'),
        { type: 'RELEASE', amount: '5' },
        journal('a b 7', 'b - 7'),
      ],
      ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'],
      '0 0 3 7',
    ],
    [
      'a line finds what an earlier one reserved',
      [one('DEPOSIT', '- a 1'), one('HOLD', 'a c 3'), journal('a b 1')],
      ['BATCH_FAILED', 'BATCH_FAILED', 'INSUFFICIENT_BALANCE of leg 0'],
      '10/8 0 0 0',
    ],
    [
      'nothing is left of what came before a line that fails',
      [{ type: 'RELEASE' }, journal('a b 9', 'b c 9'), one('WITHDRAWAL', 'c - 10')],
      ['BATCH_FAILED', 'BATCH_FAILED', 'INSUFFICIENT_BALANCE'],
      '10/8 0 0 0',
    ],
    [
      'two captures share what there is',
      [
        { type: 'CAPTURE', amount: '5', terms: { final: 'false' } },
        { type: 'CAPTURE', legs: [{ amount: '4' }] },
      ],
      ['BATCH_FAILED', 'EXCEEDS_REMAINING'],
      '10/8 0 0 0',
    ],
  ])('%s', (_, lines, ended, balances) => {
    const hold = parent();
    const batch = lines.map((line) => recorded(line, hold));
    const posting = fold([batch], wallets, hold);
    expect([endsOf(posting, batch), balancesOf(posting, wallets)]).toEqual([ended, balances]);
    if (ended[0] === 'BATCH_FAILED') expect([posting.flows, posting.parents]).toEqual([[], []]);
  });
});
