import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { hashFlow } from '../../src/domain/flow-hash.ts';
import { Money } from '../../src/domain/money.ts';
import { numberIn } from '../../src/domain/order-counts.ts';
import type { OrderToPost } from '../../src/orders/order.ts';
import { aheadMaxMs, foldCancels, foldOrders, UnpostableOrderError, type Posting } from '../../src/orders/fold.ts';
import type { Wallet } from '../../src/domain/wallet.ts';
import { firstLeg } from '../../src/orders/parent.ts';
import { walletIdsOf } from '../../src/orders/types.ts';
import { completedIn, failedIn } from '../support/endings.ts';

const currencies = createCurrencies(new Map());
const epoch = new Date(0);
const now = new Date('2026-01-01T00:00:00Z');

function wallet(id: string, balance: string, more: Partial<Wallet> = {}): Wallet {
  return {
    id,
    workspaceId: 'ws_1',
    name: id,
    currency: 'USD',
    kind: 'STANDARD',
    status: 'ACTIVE',
    balance: new Money(balance),
    held: new Money(0),
    openHolds: 0,
    creditLimit: new Money(0),
    sequence: 0,
    debitFlows: 0,
    debits: new Money(0),
    debitOrders: 0,
    orders: {},
    flowHash: '',
    lastFlowAt: epoch,
    version: 0,
    createdAt: epoch,
    updatedAt: epoch,
    ...more,
  };
}

function order(
  id: string,
  sourceWalletId: string,
  targetWalletId: string,
  amount: string,
  currency = 'USD',
): OrderToPost {
  return {
    id,
    workspaceId: 'ws_1',
    type: 'TRANSFER',
    legs: [{ sourceWalletId, targetWalletId, amount: new Money(amount), currency }],
    namesLegs: false,
    createdAt: epoch,
  };
}

const byId = (...wallets: Wallet[]): Map<string, Wallet> => new Map(wallets.map((each) => [each.id, each]));
const fold = (orders: OrderToPost[], wallets: Map<string, Wallet>): Posting =>
  foldOrders(orders, { wallets, parents: new Map() }, currencies, now);
const balanceIn = (posting: Posting, id: string): string | undefined =>
  posting.wallets.find((each) => each.id === id)?.balance.toFixed(2);

describe('foldOrders', () => {
  it('writes a debit and a credit an order, and each touched wallet once', () => {
    const posting = fold(
      [order('tr_1', 'a', 'b', '3'), order('tr_2', 'a', 'b', '4')],
      byId(wallet('a', '10'), wallet('b', '0')),
    );
    expect(completedIn(posting)).toEqual(['tr_1', 'tr_2']);
    expect(posting.flows.map(({ walletId, sequence, direction }) => [walletId, sequence, direction])).toEqual([
      ['a', 1, 'DEBIT'],
      ['b', 1, 'CREDIT'],
      ['a', 2, 'DEBIT'],
      ['b', 2, 'CREDIT'],
    ]);
    expect(posting.wallets.map(({ id }) => id)).toEqual(['a', 'b']);
    expect([balanceIn(posting, 'a'), balanceIn(posting, 'b')]).toEqual(['3.00', '7.00']);
  });

  it.each(['FROZEN', 'CLOSED'] as const)('fails an order on a wallet that is %s', (status) => {
    const wallets = byId(wallet('a', '5'), wallet('b', '0', { status }));
    expect(failedIn(fold([order('tr_1', 'a', 'b', '1')], wallets))).toEqual(new Map([['WALLET_NOT_ACTIVE', ['tr_1']]]));
  });

  it('fails an order whose target would pass 34 digits', () => {
    const wallets = byId(wallet('a', '5'), wallet('b', '9'.repeat(32) + '.99'));
    expect(failedIn(fold([order('tr_1', 'a', 'b', '0.01')], wallets))).toEqual(new Map([['BALANCE_LIMIT', ['tr_1']]]));
  });

  it.each([
    ['an absent wallet', order('tr_1', 'a', 'z', '1')],
    ['one wallet twice', order('tr_1', 'a', 'a', '1')],
    ['another currency', order('tr_1', 'a', 'b', '1', 'EUR')],
    ['the currency of its source alone', order('tr_1', 'a', 'e', '1')],
    ['the currency of its target alone', order('tr_1', 'e', 'a', '1')],
    ['a currency that is not configured', order('tr_1', 'p', 'q', '1', 'XYZ')],
  ])('names an order with %s, and folds its neighbours', (_, unpostable) => {
    const unknown = { currency: 'XYZ' };
    const inOther = [wallet('e', '5', { currency: 'EUR' }), wallet('p', '5', unknown), wallet('q', '0', unknown)];
    const wallets = byId(wallet('a', '5'), wallet('b', '0'), ...inOther);
    const posting = fold([order('tr_0', 'a', 'b', '1'), unpostable, order('tr_2', 'b', 'a', '1')], wallets);
    expect(posting.unpostable).toEqual([expect.any(UnpostableOrderError)]);
    expect(posting.unpostable[0]).toMatchObject({ orderId: 'tr_1' });
    expect(completedIn(posting)).toEqual(['tr_0', 'tr_2']);
    expect(failedIn(posting)).toEqual(new Map());
  });

  it('counts as posted at no time before one of its orders was created, where clocks differ a little', () => {
    const ahead = new Date(now.getTime() + aheadMaxMs);
    const orders = [
      order('tr_1', 'a', 'b', '1'),
      { ...order('tr_2', 'a', 'b', '1'), createdAt: ahead },
      { ...order('tr_3', 'a', 'b', '9'), createdAt: now },
    ];
    const posting = fold(orders, byId(wallet('a', '5'), wallet('b', '0')));
    expect(posting.postedAt).toEqual(ahead);
    expect(posting.flows.map(({ createdAt }) => createdAt)).toEqual([ahead, ahead, ahead, ahead]);
    expect(fold(orders.slice(0, 1), byId(wallet('a', '5'), wallet('b', '0'))).postedAt).toEqual(now);
  });

  it('takes no time from an order that is dated further ahead', () => {
    const tomorrow = new Date(now.getTime() + 24 * 3_600_000);
    const orders = [
      { ...order('tr_1', 'a', 'b', '1'), createdAt: tomorrow },
      { ...order('tr_2', 'c', 'd', '9'), createdAt: now },
      { ...order('tr_3', 'b', 'c', '1'), createdAt: now },
    ];
    const posting = fold(orders, byId(wallet('a', '5'), wallet('b', '0'), wallet('c', '5'), wallet('d', '0')));
    expect(posting.postedAt).toEqual(now);
    expect(posting.flows.map(({ createdAt }) => createdAt)).toEqual([now, now, now, now]);
    expect(posting.wallets.map(({ lastFlowAt, updatedAt }) => [lastFlowAt, updatedAt])).toEqual([
      [now, now],
      [now, now],
      [now, now],
      [epoch, now],
    ]);
  });

  it('counts a failed order on both of its wallets, and changes nothing else of them but the time of the change', () => {
    const [a, b] = [wallet('a', '5', { orders: { TRANSFER: { FAILED: 3 } } }), wallet('b', '0')];
    const posting = fold([order('tr_1', 'a', 'b', '9'), order('tr_2', 'b', 'a', '1')], byId(a, b));
    expect(posting.wallets).toEqual([
      { ...a, orders: { TRANSFER: { FAILED: 5 } }, updatedAt: now },
      { ...b, orders: { TRANSFER: { FAILED: 2 } }, updatedAt: now },
    ]);
  });

  it('counts orders by type and state on both of their wallets', () => {
    const [x, a] = [
      wallet('x', '0', { kind: 'EXTERNAL' }),
      wallet('a', '0', { orders: { TRANSFER: { COMPLETED: 7 } } }),
    ];
    const [deposit, withdrawal, beyond] = [
      { ...order('tr_1', 'x', 'a', '9'), type: 'DEPOSIT' },
      { ...order('tr_2', 'a', 'x', '4'), type: 'WITHDRAWAL' },
      { ...order('tr_3', 'a', 'x', '6'), type: 'WITHDRAWAL' },
    ] as const;
    const ofBoth = { DEPOSIT: { COMPLETED: 1 }, WITHDRAWAL: { COMPLETED: 1, FAILED: 1 } };
    expect(fold([deposit, withdrawal, beyond], byId(x, a)).wallets.map(({ orders }) => orders)).toEqual([
      ofBoth,
      { TRANSFER: { COMPLETED: 7 }, ...ofBoth },
    ]);
  });

  it('never dates a flow before the wallet’s last one', () => {
    const later = new Date(now.getTime() + 60_000);
    const posting = fold(
      [order('tr_1', 'a', 'b', '1')],
      byId(wallet('a', '5', { lastFlowAt: later }), wallet('b', '0')),
    );
    expect(posting.flows.map(({ createdAt }) => createdAt)).toEqual([later, now]);
  });
});

describe('foldOrders, for any orders on any wallets', () => {
  const walletIds = ['a', 'b', 'c', 'd', 'x'];
  const start = byId(
    wallet('a', '10'),
    wallet('b', '0'),
    wallet('c', '2.50'),
    wallet('d', '100', { status: 'FROZEN' }),
    wallet('x', '0', { kind: 'EXTERNAL' }),
  );
  const anyOrders = fc
    .array(fc.tuple(fc.constantFrom(...walletIds), fc.constantFrom(...walletIds), fc.integer({ min: 1, max: 1_500 })), {
      maxLength: 60,
    })
    .map((triples) =>
      triples
        .filter(([source, target]) => source !== target)
        .map(([source, target, cents], index) =>
          order(`tr_${String(index).padStart(4, '0')}`, source, target, new Money(cents).div(100).toFixed(2)),
        ),
    );
  const after = (wallets: Map<string, Wallet>, posting: Posting): Map<string, Wallet> =>
    new Map([...wallets, ...posting.wallets.map((each) => [each.id, each] as const)]);
  const sum = (wallets: Map<string, Wallet>): string =>
    [...wallets.values()].reduce((total, { balance }) => total.plus(balance), new Money(0)).toFixed(2);

  /** Each wallet's flows go on from where it was, number by number and balance by balance, to where it is. */
  const expectChained = (before: Map<string, Wallet>, posting: Posting): void => {
    for (const { id, sequence, balance, flowHash } of posting.wallets) {
      let last = before.get(id)!;
      for (const flow of posting.flows.filter(({ walletId }) => walletId === id)) {
        expect(flow.sequence).toBe(last.sequence + 1);
        expect(flow.balanceBefore).toEqual(last.balance);
        expect(flow.hash).toBe(hashFlow(last.flowHash, flow));
        last = { ...last, sequence: flow.sequence, balance: flow.balanceAfter, flowHash: flow.hash };
      }
      expect([sequence, balance, flowHash]).toEqual([last.sequence, last.balance, last.flowHash]);
    }
  };
  const expectSound = (before: Map<string, Wallet>, orders: OrderToPost[], posting: Posting): void => {
    const wallets = after(before, posting);
    expect(sum(wallets)).toBe(sum(before));
    for (const { kind, balance } of wallets.values()) expect(kind === 'EXTERNAL' || !balance.isNegative()).toBe(true);
    for (const { walletId, balanceAfter } of posting.flows)
      expect(walletId === 'x' || !balanceAfter.isNegative()).toBe(true);
    const settled = [...completedIn(posting), ...[...failedIn(posting).values()].flat()].sort();
    expect(settled).toEqual(orders.map(({ id }) => id).sort());
    expect(posting.flows).toHaveLength(2 * completedIn(posting).length);
    const failed = new Set([...failedIn(posting).values()].flat());
    for (const [id, { orders: counts }] of wallets) {
      const own = orders.filter((each) => failed.has(each.id) && walletIdsOf(each).includes(id));
      expect(numberIn(counts, 'FAILED')).toBe(numberIn(before.get(id)!.orders, 'FAILED') + own.length);
    }
    expectChained(before, posting);
  };

  it('conserves the sum, keeps all but EXTERNAL at zero or above, leaves no gap, and settles every order once', () => {
    fc.assert(
      fc.property(anyOrders, (orders) => {
        expectSound(start, orders, fold(orders, start));
      }),
    );
  });

  it('does so however the orders come, and are split into groups', () => {
    const comings = anyOrders.chain((orders) =>
      fc.tuple(
        fc.shuffledSubarray(orders, { minLength: orders.length, maxLength: orders.length }),
        fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 60 }),
      ),
    );
    fc.assert(
      fc.property(comings, ([orders, sizes]) => {
        let wallets = start;
        let rest = orders;
        for (let group = 0; rest.length > 0; group += 1) {
          const part = rest.slice(0, sizes[group] ?? 1);
          rest = rest.slice(part.length);
          const posting = fold(part, wallets);
          expectSound(wallets, part, posting);
          wallets = after(wallets, posting);
        }
        expect(sum(wallets)).toBe(sum(start));
      }),
    );
  });

  it('gives each order the same end whatever the ids, and however often it is folded', () => {
    const shuffledIds = anyOrders.chain((orders) =>
      fc.tuple(
        fc.constant(orders),
        fc.shuffledSubarray(
          orders.map(({ id }) => id),
          { minLength: orders.length, maxLength: orders.length },
        ),
      ),
    );
    fc.assert(
      fc.property(shuffledIds, ([orders, ids]) => {
        const placesOf = (named: OrderToPost[]): unknown => {
          const posting = fold(named, start);
          expect(fold(named, start)).toEqual(posting);
          const place = new Map(named.map(({ id }, index) => [id, index]));
          const toPlace = (id: string): number | undefined => place.get(id);
          const failed = [...failedIn(posting)].map(([failure, of]) => [failure, of.map(toPlace)]);
          return [completedIn(posting).map(toPlace), failed];
        };
        expect(placesOf(orders.map((each, index) => ({ ...each, id: ids[index]! })))).toEqual(placesOf(orders));
      }),
    );
  });

  it('fails for lack of balance only what lacks it after all others as well', () => {
    fc.assert(
      fc.property(anyOrders, (orders) => {
        const posting = fold(orders, start);
        const completed = new Set(completedIn(posting));
        const lacking = new Set(failedIn(posting).get('INSUFFICIENT_BALANCE'));
        // Cents, by hand: in the order given, then those that lacked once more.
        const cents = new Map([...start].map(([id, { balance }]) => [id, balance.times(100).toNumber()]));
        const move = (each: OrderToPost): boolean => {
          const { sourceWalletId, targetWalletId, amount } = firstLeg(each.legs);
          const [held, moved] = [cents.get(sourceWalletId)!, amount.times(100).toNumber()];
          if (held < moved && sourceWalletId !== 'x') return false;
          cents.set(sourceWalletId, held - moved);
          cents.set(targetWalletId, cents.get(targetWalletId)! + moved);
          return true;
        };
        const active = orders.filter((each) => !walletIdsOf(each).includes('d'));
        const again = active.filter((each) => !move(each));
        const never = again.filter((each) => !move(each)).map(({ id }) => id);
        expect([...lacking]).toEqual(never);
        expect(completed.size).toBe(active.length - never.length);
      }),
    );
  });
});

describe('an atomic batch', () => {
  const batch = (...[first, ...others]: OrderToPost[]): OrderToPost => ({ ...first!, others });
  const names = ['a', 'b', 'c', 'd'];

  it('is completed in the order of its lines, or fails with what is at fault first', () => {
    const wallets = byId(wallet('a', '10'), wallet('b', '0'), wallet('c', '0'));
    const paid = fold([batch(order('tr_1', 'a', 'b', '10'), order('tr_2', 'b', 'c', '10'))], wallets);
    expect([completedIn(paid), paid.flows.map(({ sequence }) => sequence)]).toEqual([
      ['tr_1', 'tr_2'],
      [1, 1, 2, 1],
    ]);
    const unpaid = fold([batch(order('tr_1', 'b', 'c', '10'), order('tr_2', 'a', 'b', '10'))], wallets);
    expect([completedIn(unpaid), unpaid.flows, [...failedIn(unpaid)]]).toEqual([
      [],
      [],
      [
        ['INSUFFICIENT_BALANCE', ['tr_1']],
        ['BATCH_FAILED', ['tr_2']],
      ],
    ]);
    expect(
      unpaid.wallets.map(({ balance, orders, sequence }) => [balance.toFixed(), numberIn(orders, 'FAILED'), sequence]),
    ).toEqual([
      ['0', 2, 0],
      ['0', 1, 0],
      ['10', 1, 0],
    ]);
  });

  it('that cannot be folded names its first order, and is in no other part', () => {
    const wallets = byId(wallet('a', '10'), wallet('b', '0'));
    const posting = fold(
      [batch(order('tr_1', 'a', 'b', '1'), order('tr_2', 'a', 'none', '1')), order('tr_3', 'a', 'b', '10')],
      wallets,
    );
    expect(posting.unpostable.map(({ orderId, message }) => [orderId, message])).toEqual([
      ['tr_1', 'order tr_1 cannot be posted: of its batch, order tr_2 cannot be posted: a wallet is absent'],
    ]);
    expect(posting.ended.map(({ order: { id }, status }) => [id, status])).toEqual([['tr_3', 'COMPLETED']]);
  });

  it('ends as one, and leaves what it would have left had its orders been one after the other, whatever is in it', () => {
    const name = fc.constantFrom(...names);
    const line = fc.tuple(name, name, fc.integer({ min: 1, max: 9 })).filter(([from, to]) => from !== to);
    fc.assert(
      fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), (batches) => {
        const wallets = byId(...names.map((each) => wallet(each, '10')));
        const units = batches.map((lines, unit) =>
          batch(...lines.map(([from, to, amount], index) => order(`tr_${unit}_${index}`, from, to, String(amount)))),
        );
        const posting = fold(units, wallets);
        const completed = new Set(completedIn(posting));
        for (const { id, others = [] } of units)
          expect(others.map((other) => completed.has(other.id))).toEqual(others.map(() => completed.has(id)));
        const flat = units.flatMap((unit) => [unit, ...(unit.others ?? [])]).map(({ others: _, ...each }) => each);
        const inTurn = completedIn(posting).map((id) => flat.find((each) => each.id === id)!);
        const again = fold(inTurn, wallets);
        expect(completedIn(again)).toEqual(completedIn(posting));
        const left = ({ flows, ...rest }: Posting) => [
          flows.map(({ hash }) => hash),
          names.map((each) => balanceIn(rest as Posting, each) ?? '10.00'),
        ];
        expect(left(posting)).toEqual(left(again));
      }),
    );
  });
});

it('an order for a later time is dated no earlier than that', () => {
  const wallets = byId(wallet('a', '10'), wallet('b', '0'));
  const soon = new Date(now.getTime() + aheadMaxMs);
  const late = new Date(soon.getTime() + 1);
  const orders = [
    { ...order('tr_1', 'a', 'b', '1'), executeAt: soon },
    { ...order('tr_2', 'a', 'b', '1'), executeAt: late },
    { ...order('tr_3', 'a', 'b', '1'), executeAt: new Date(now.getTime() - 1) },
  ];
  const posting = fold(orders, wallets);
  expect(posting.ended.map(({ at }) => at)).toEqual([soon, late, soon]);
});

it('a cancel moves nothing, counts on each wallet, and is dated no earlier than its order was made', () => {
  const wallets = byId(wallet('a', '10'), wallet('b', '0'));
  const later = new Date(now.getTime() + 1);
  const orders = [
    { ...order('tr_1', 'a', 'b', '1'), executeAt: new Date(now.getTime() + 60_000) },
    { ...order('tr_2', 'a', 'b', '1'), createdAt: later },
  ];
  const posting = foldCancels(orders, wallets, now);
  expect(posting.ended.map(({ order: { id }, status, at }) => [id, status, at])).toEqual([
    ['tr_1', 'CANCELLED', now],
    ['tr_2', 'CANCELLED', later],
  ]);
  expect([posting.flows, posting.parents, posting.unpostable]).toEqual([[], [], []]);
  expect(posting.wallets.map(({ balance, sequence, orders: counts }) => [balance.toFixed(), sequence, counts])).toEqual(
    [
      ['10', 0, { TRANSFER: { CANCELLED: 2 } }],
      ['0', 0, { TRANSFER: { CANCELLED: 2 } }],
    ],
  );
});
