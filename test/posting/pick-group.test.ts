import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pickGroup } from '../../src/posting/pick-group.ts';

const sizeMax = 4;

function transfer(sourceWalletId: string, targetWalletId: string) {
  return { order: { sourceWalletId, targetWalletId } };
}

describe('a group', () => {
  test('is the front of the queue where nothing is in flight', () => {
    const waiting = ['b', 'c', 'd', 'e', 'f'].map((target) => transfer('a', target));
    expect(pickGroup(waiting, new Set(), sizeMax)).toEqual(waiting.slice(0, 4));
  });

  test('leaves out what touches a busy wallet, on either side', () => {
    const waiting = [transfer('a', 'b'), transfer('c', 'd'), transfer('e', 'a'), transfer('f', 'g')];
    expect(pickGroup(waiting, new Set(['a']), sizeMax)).toEqual([waiting[1], waiting[3]]);
  });

  test('never lets an order overtake an earlier one on a wallet of its own', () => {
    // The first waits for a; b must wait with it, since it may be what funds the second.
    const waiting = [transfer('a', 'b'), transfer('b', 'c'), transfer('d', 'e'), transfer('f', 'g')];
    expect(pickGroup(waiting, new Set(['a']), sizeMax)).toEqual(waiting.slice(2));
  });

  test('of few that leaves more behind waits for company', () => {
    const hot = ['b', 'c', 'd'].map((target) => transfer('a', target));
    const free = [transfer('e', 'f'), transfer('g', 'h')];
    expect(pickGroup([...hot, ...free], new Set(['a']), sizeMax)).toEqual([]);
    expect(pickGroup([...hot.slice(1), ...free], new Set(['a']), sizeMax)).toEqual(free);
  });

  test('of many does not, however many wait for a hot wallet', () => {
    const hot = Array.from({ length: 1_000 }, (_, index) => transfer('a', `of-${index}`));
    const free = Array.from({ length: 96 }, (_, index) => transfer(`source-${index}`, `target-${index}`));
    expect(pickGroup([...hot, ...free], new Set(['a']), 256)).toEqual(free);
    expect(pickGroup([...hot, ...free.slice(1)], new Set(['a']), 256)).toEqual([]);
  });

  test('is disjoint from what is busy and keeps each wallet’s order, whatever waits', () => {
    const wallet: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const pair = fc.tuple(wallet, wallet).filter(([source, target]) => source !== target);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), fc.uniqueArray(wallet), (pairs, busyWallets) => {
        const waiting = pairs.map(([source, target]) => transfer(source, target));
        const busy = new Set(busyWallets);
        const picked = new Set(pickGroup(waiting, busy, sizeMax));
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
