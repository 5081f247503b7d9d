import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pickGroup } from '../../src/transfers/pickGroup.ts';

const limits = { sizeMax: 4, scanMax: 100 };

function transfer(sourceWalletId: string, targetWalletId: string) {
  return { order: { sourceWalletId, targetWalletId } };
}

describe('a group', () => {
  test('is the front of the queue where nothing is in flight', () => {
    const waiting = ['b', 'c', 'd', 'e', 'f'].map((target) => transfer('a', target));
    expect(pickGroup(waiting, new Set(), limits)).toEqual(waiting.slice(0, 4));
  });

  test('leaves out what touches a busy wallet, on either side', () => {
    const waiting = [transfer('a', 'b'), transfer('c', 'd'), transfer('e', 'a')];
    expect(pickGroup(waiting, new Set(['a']), limits)).toEqual([waiting[1]]);
  });

  test('never lets an order overtake an earlier one on a wallet of its own', () => {
    // The first waits for a; b must wait with it, since it may be what funds the second.
    const waiting = [transfer('a', 'b'), transfer('b', 'c'), transfer('d', 'e')];
    expect(pickGroup(waiting, new Set(['a']), limits)).toEqual([waiting[2]]);
  });

  test('looks at no more of the queue than it may', () => {
    const waiting = [transfer('a', 'b'), transfer('a', 'c'), transfer('d', 'e')];
    expect(pickGroup(waiting, new Set(['a']), { sizeMax: 4, scanMax: 2 })).toEqual([]);
  });

  test('is disjoint from what is busy and keeps each wallet’s order, whatever waits', () => {
    const wallet: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const pair = fc.tuple(wallet, wallet).filter(([source, target]) => source !== target);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.uniqueArray(wallet), (pairs, busyWallets) => {
        const waiting = pairs.map(([source, target]) => transfer(source, target));
        const busy = new Set(busyWallets);
        const picked = new Set(pickGroup(waiting, busy, limits));
        const leftBefore = new Set<string>();
        for (const candidate of waiting) {
          const sides = [candidate.order.sourceWalletId, candidate.order.targetWalletId];
          if (picked.has(candidate)) {
            expect(sides.some((side) => busy.has(side) || leftBefore.has(side))).toBe(false);
          } else {
            for (const side of sides) leftBefore.add(side);
          }
        }
      }),
    );
  });
});
