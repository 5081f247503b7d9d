import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { OrderToPost } from '../../src/domain/order.ts';
import { createLanes } from '../../src/transfers/lanes.ts';
import type { PostGroup, SharedClaims } from '../../src/transfers/lanes.ts';
import { waitFor } from '../support/wait-for.ts';

function order(sourceWalletId: string, targetWalletId: string): OrderToPost {
  return {
    id: newId('order'),
    sourceWalletId,
    targetWalletId,
    amount: new Money(1),
    currency: 'EUR',
    createdAt: new Date(),
  };
}

/** Groups that stay in flight until they are let go. */
function heldGroups() {
  const groups: { orders: readonly OrderToPost[]; letGo: (answer?: Map<string, string | Error>) => void }[] = [];
  const lane: PostGroup<string> = (orders) => {
    const { promise, resolve } = Promise.withResolvers<Map<string, string | Error>>();
    groups.push({
      orders,
      letGo: (answer) => {
        resolve(answer ?? new Map(orders.map(({ id }) => [id, 'done'])));
      },
    });
    return promise;
  };
  return { groups, lane };
}

function openLanes(laneCount: number, claims?: SharedClaims) {
  const { groups, lane } = heldGroups();
  const failures: unknown[] = [];
  const heldUp: OrderToPost[] = [];
  const lanes = createLanes<string>({
    lanes: Array.from({ length: laneCount }, () => lane),
    claims,
    onClaimsFailed: (error) => failures.push(error),
    onHeldUp: (orders) => heldUp.push(...orders),
    passedOver: 'passed over',
  });
  return { lanes, groups, failures, heldUp };
}

describe('lanes', () => {
  test('post what arrives together in one group', async () => {
    const { lanes, groups } = openLanes(2);
    const outcomes = [order('a', 'b'), order('b', 'c'), order('d', 'e')].map((each) => lanes.post(each));
    await waitFor(() => groups.length === 1);
    expect(groups[0]?.orders).toHaveLength(3);
    groups[0]?.letGo();
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done']);
  });

  test('run a second group beside the first where its wallets are others', async () => {
    const { lanes, groups } = openLanes(2);
    void lanes.post(order('a', 'b'));
    await waitFor(() => groups.length === 1);
    const second = lanes.post(order('c', 'd'));
    await waitFor(() => groups.length === 2);
    groups[1]?.letGo();
    expect(await second).toBe('done');
    groups[0]?.letGo();
  });

  test('never have two groups in flight on one wallet, and let the next group grow instead', async () => {
    const { lanes, groups } = openLanes(2);
    const first = lanes.post(order('a', 'hot'));
    await waitFor(() => groups.length === 1);
    const others = ['b', 'c', 'd'].map((source) => lanes.post(order(source, 'hot')));
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(groups).toHaveLength(1);
    groups[0]?.letGo();
    await first;
    await waitFor(() => groups.length === 2);
    expect(groups[1]?.orders).toHaveLength(3);
    groups[1]?.letGo();
    await Promise.all(others);
  });

  test('tell each order its own outcome', async () => {
    const { lanes, groups } = openLanes(1);
    const [good, bad, gone] = [order('a', 'b'), order('c', 'd'), order('e', 'f')];
    const settled = Promise.allSettled([good, bad, gone].map((each) => lanes.post(each)));
    await waitFor(() => groups.length === 1);
    groups[0]?.letGo(
      new Map<string, string | Error>([
        [good.id, 'done'],
        [bad.id, new Error('unpostable')],
      ]),
    );
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'done' },
      { status: 'rejected', reason: new Error('unpostable') },
      { status: 'fulfilled', value: 'passed over' },
    ]);
  });

  test('go on after a group that failed as a whole', async () => {
    let calls = 0;
    const lanes = createLanes<string>({
      lanes: [
        (orders) => {
          calls += 1;
          return calls === 1
            ? Promise.reject(new Error('MongoDB is away'))
            : Promise.resolve(new Map(orders.map(({ id }) => [id, 'done'])));
        },
      ],
      claims: undefined,
      onClaimsFailed: () => undefined,
      onHeldUp: () => undefined,
      passedOver: 'passed over',
    });
    await expect(lanes.post(order('a', 'b'))).rejects.toThrow('MongoDB is away');
    expect(await lanes.post(order('a', 'b'))).toBe('done');
  });
});

describe('lanes beside other processes', () => {
  test('post what they could claim, keep the rest until it is free, and give back what they had', async () => {
    const free = new Set(['a', 'b', 'c', 'd']);
    const released: string[] = [];
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders) =>
        Promise.resolve(orders.map((each) => free.has(each.sourceWalletId) && free.has(each.targetWalletId))),
      release: (walletIds) => {
        released.push(...walletIds);
        return Promise.resolve();
      },
    };
    const { lanes, groups } = openLanes(2, claims);
    const outcomes = [order('a', 'b'), order('c', 'd'), order('x', 'y')].map((each) => lanes.post(each));
    await waitFor(() => groups.length === 1);
    expect(groups[0]?.orders).toHaveLength(2);
    groups[0]?.letGo();
    await waitFor(() => released.length === 4);
    expect(released.sort()).toEqual(['a', 'b', 'c', 'd']);
    free.add('x').add('y');
    await waitFor(() => groups.length === 2);
    groups[1]?.letGo();
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done']);
  });

  test('ask for a turn once an order was held up for long', async () => {
    const asked: boolean[] = [];
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders, isOverdue) => {
        asked.push(isOverdue);
        return Promise.resolve(orders.map(() => isOverdue));
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups, heldUp } = openLanes(1, claims);
    const waiting = order('hot', 'a');
    const outcome = lanes.post(waiting);
    await waitFor(() => groups.length === 1);
    expect(asked[0]).toBe(false);
    expect(asked.at(-1)).toBe(true);
    expect(heldUp).toEqual([waiting]);
    groups[0]?.letGo();
    expect(await outcome).toBe('done');
  });

  test('post without claims where Redis is away: MongoDB settles who was first', async () => {
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: () => Promise.reject(new Error('Redis is away')),
      release: () => Promise.reject(new Error('Redis is away')),
    };
    const { lanes, groups, failures } = openLanes(1, claims);
    const outcome = lanes.post(order('a', 'b'));
    await waitFor(() => groups.length === 1);
    groups[0]?.letGo();
    expect(await outcome).toBe('done');
    await waitFor(() => failures.length === 2);
  });
});
