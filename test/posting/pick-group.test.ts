import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pickGroup } from '../../src/posting/pick-group.ts';

const sizeMax = 4;

const order = (...lockKeys: readonly string[]) => ({ lockKeys, size: 1 });

describe('a group', () => {
  test('is the front of the queue where nothing is in flight', () => {
    const waiting = ['b', 'c', 'd', 'e', 'f'].map((target) => order('a', target));
    expect(pickGroup(waiting, new Set(), sizeMax)).toEqual(waiting.slice(0, 4));
  });

  test('of few that leaves more behind waits for company', () => {
    const hot = ['b', 'c', 'd'].map((target) => order('a', target));
    const free = [order('e', 'f'), order('g', 'h')];
    expect(pickGroup([...hot, ...free], new Set(['a']), sizeMax)).toEqual([]);
    expect(pickGroup([...hot.slice(1), ...free], new Set(['a']), sizeMax)).toEqual(free);
  });

  test('of many does not, however many wait for a hot wallet', () => {
    const hot = Array.from({ length: 1_000 }, (_, index) => order('a', `of-${index}`));
    const free = Array.from({ length: 96 }, (_, index) => order(`source-${index}`, `target-${index}`));
    expect(pickGroup([...hot, ...free], new Set(['a']), 256)).toEqual(free);
    expect(pickGroup([...hot, ...free.slice(1)], new Set(['a']), 256)).toEqual([]);
  });

  test('ends before an atomic batch that finds no room: what comes behind the batch is not posted before it', () => {
    const [first, second, spending] = [order('a', 'b'), order('c', 'd'), order('f', 'g')];
    const funding = { lockKeys: ['e', 'f'], size: sizeMax };
    expect(pickGroup([first, second, funding, spending], new Set(), sizeMax)).toEqual([first, second]);
  });

  test('is disjoint from what is busy and keeps the order on each key, whatever waits', () => {
    const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), fc.uniqueArray(key), (keysOfEach, lockKeys) => {
        const waiting = keysOfEach.map((own) => order(...own));
        const busy = new Set(lockKeys);
        const picked = new Set(pickGroup(waiting, busy, sizeMax));
        const leftBefore = new Set<string>();
        for (const candidate of waiting) {
          if (picked.has(candidate)) {
            expect(candidate.lockKeys.some((own) => busy.has(own) || leftBefore.has(own))).toBe(false);
          } else {
            for (const own of candidate.lockKeys) leftBefore.add(own);
          }
        }
      }),
    );
  });
});
