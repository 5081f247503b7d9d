import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { OrderToPost } from '../../src/domain/order.ts';
import type { SharedClaims } from '../../src/transfers/claimGroup.ts';
import { createLanes } from '../../src/transfers/lanes.ts';
import type { PostGroup } from '../../src/transfers/lanes.ts';
import { heldUpMaxMs } from '../../src/transfers/passages.ts';
import type { Passage } from '../../src/transfers/passages.ts';
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
  const passages: Passage[] = [];
  const lanes = createLanes<string>({
    lanes: Array.from({ length: laneCount }, () => lane),
    claims,
    onClaimsFailed: (error) => failures.push(error),
    onHeldUp: (orders) => heldUp.push(...orders),
    onPassage: (passage) => passages.push(passage),
    passedOver: 'passed over',
    handedBack: 'handed back',
  });
  return { lanes, groups, failures, heldUp, passages };
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
      onPassage: () => undefined,
      passedOver: 'passed over',
      handedBack: 'handed back',
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
        Promise.resolve({
          isTaken: orders.map((each) => free.has(each.sourceWalletId) && free.has(each.targetWalletId)),
          hasTurn: false,
          refusedBy: 'another',
        }),
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

  test('tell who holds up all for long, and when they get on without a turn', async () => {
    let isFree = false;
    let hasAsked = false;
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders, turn) => {
        const refusedBy = isFree ? undefined : 'another';
        hasAsked ||= turn !== 'none';
        return Promise.resolve({ isTaken: orders.map(() => isFree), hasTurn: turn !== 'none', refusedBy });
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups, passages } = openLanes(1, claims);
    const untilHeldUp = async (): Promise<number> => {
      const from = performance.now();
      await waitFor(() => passages.length > 0);
      expect(passages.splice(0)).toEqual([{ kind: 'held up', by: 'another' }]);
      return performance.now() - from;
    };
    const given = lanes.post(order('a', 'b'));
    expect(await untilHeldUp()).toBeGreaterThan(heldUpMaxMs);
    lanes.setHandingBack(true);
    expect(await given).toBe('handed back');
    lanes.setHandingBack(false);
    // What came before does not count any more.
    const first = lanes.post(order('a', 'b'));
    expect(await untilHeldUp()).toBeGreaterThan(heldUpMaxMs);
    expect(hasAsked).toBe(false);
    await waitFor(() => hasAsked);
    isFree = true;
    await waitFor(() => groups.length === 1);
    groups[0]?.letGo();
    await first;
    expect(passages).not.toContainEqual({ kind: 'free' });
    const second = lanes.post(order('a', 'b'));
    await waitFor(() => groups.length === 2);
    expect(passages.at(-1)).toEqual({ kind: 'free' });
    groups[1]?.letGo();
    await second;
  });

  test('ask for a turn once an order was held up for long', async () => {
    const asked: string[] = [];
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders, turn) => {
        asked.push(turn);
        return Promise.resolve({ isTaken: orders.map(() => turn !== 'none'), hasTurn: false, refusedBy: undefined });
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups, heldUp } = openLanes(1, claims);
    const waiting = order('hot', 'a');
    const outcome = lanes.post(waiting);
    await waitFor(() => groups.length === 1);
    expect(asked[0]).toBe('none');
    expect(asked.at(-1)).toBe('for these');
    // Each try costs the others as well: few are made before that, eleven even where every pause is as short as it may be.
    expect(asked.length).toBeLessThanOrEqual(11);
    expect(heldUp).toEqual([waiting]);
    groups[0]?.letGo();
    expect(await outcome).toBe('done');
  });

  test('keep the turn while any of what was held up with them still waits', async () => {
    const asked: string[] = [];
    let isFree = false;
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders, turn) => {
        asked.push(turn);
        isFree ||= turn !== 'none';
        return Promise.resolve({ isTaken: orders.map(() => isFree), hasTurn: isFree, refusedBy: undefined });
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups } = openLanes(1, claims);
    // More than a group takes: the last ones are behind.
    const outcomes = Array.from({ length: 300 }, (_, index) => lanes.post(order(`source-${index}`, 'hot')));
    await waitFor(() => groups.length === 1);
    expect(asked.at(-1)).toBe('goes on');
    const late = lanes.post(order('late', 'hot'));
    groups[0]?.letGo();
    await waitFor(() => groups.length === 2);
    expect(asked.at(-1)).toBe('for these');
    groups[1]?.letGo();
    await Promise.all([...outcomes, late]);
    const later = lanes.post(order('later', 'hot'));
    await waitFor(() => groups.length === 3);
    expect(asked.at(-1)).toBe('none');
    groups[2]?.letGo();
    expect(await later).toBe('done');
  });

  test('hand back what waits, the last first, and what comes, but not what is in flight; and end the turn', async () => {
    const asked: { orders: number; turn: string }[] = [];
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders, turn) => {
        asked.push({ orders: orders.length, turn });
        return Promise.resolve({ isTaken: orders.map(() => true), hasTurn: turn !== 'none', refusedBy: undefined });
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups } = openLanes(1, claims);
    const begun = lanes.post(order('a', 'b'));
    await waitFor(() => groups.length === 1);
    const told: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      const outcome = await lanes.post(order('a', 'b'));
      told.push(`${name} ${outcome}`);
    });
    lanes.setHandingBack(true);
    await Promise.all(waiting);
    expect(told).toEqual(['second handed back', 'first handed back']);
    expect(asked.at(-1)).toEqual({ orders: 0, turn: 'none' });
    expect(await lanes.post(order('c', 'd'))).toBe('handed back');
    groups[0]?.letGo();
    expect(await begun).toBe('done');
    lanes.setHandingBack(false);
    const next = lanes.post(order('a', 'b'));
    await waitFor(() => groups.length === 2);
    groups[1]?.letGo();
    expect(await next).toBe('done');
  });

  test('hand back what is refused after that', async () => {
    const answers: (() => void)[] = [];
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: async (orders) => {
        if (orders.length > 0) await new Promise<void>((resolve) => answers.push(resolve));
        return { isTaken: orders.map(() => false), hasTurn: false, refusedBy: 'another' };
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups } = openLanes(1, claims);
    const outcome = lanes.post(order('a', 'b'));
    await waitFor(() => answers.length === 1);
    lanes.setHandingBack(true);
    answers[0]?.();
    expect(await outcome).toBe('handed back');
    expect(groups).toEqual([]);
  });

  test('do not count as held up while one of them posts', async () => {
    const claims: SharedClaims = {
      areNeeded: () => true,
      take: (orders) => {
        const isTaken = orders.map(({ sourceWalletId }) => sourceWalletId === 'free');
        const refusedBy = isTaken.every(Boolean) ? undefined : 'another';
        return Promise.resolve({ isTaken, hasTurn: false, refusedBy });
      },
      release: () => Promise.resolve(),
    };
    const { lanes, groups, passages } = openLanes(2, claims);
    const posting = lanes.post(order('free', 'b'));
    await waitFor(() => groups.length === 1);
    passages.length = 0;
    void lanes.post(order('claimed', 'c'));
    // Longer than it takes for a worker to be held up for long.
    await setTimeout(700);
    expect(passages).toEqual([]);
    groups[0]?.letGo();
    await posting;
    await waitFor(() => passages.length > 0);
    expect(passages[0]).toEqual({ kind: 'held up', by: 'another' });
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
