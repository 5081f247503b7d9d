import { describe, expect, it } from 'vitest';
import { faults } from '../catalogue/all.ts';
import { createChoices } from './choices.ts';
import type { Fault } from './fault.ts';
import { canMeet, choosePair } from './pairs.ts';

const named = (name: string): Fault => faults.find((fault) => fault.name === name)!;
const pairsTried = 500;

describe('a pair of faults', () => {
  it('is the same for the same seed: both, their order, and the time between', () => {
    const names = Array.from({ length: pairsTried }, (_, seed) => choosePair(seed, faults, faults).name);
    expect(names).toEqual(Array.from({ length: pairsTried }, (_, seed) => choosePair(seed, faults, faults).name));
    expect(new Set(names).size).toBeGreaterThan(pairsTried / 2);
    const apartMs = names.map((name) => Number(/\+(\d+)ms\+/.exec(name)?.[1]));
    expect(apartMs).toContain(0);
    expect(Math.max(...apartMs)).toBeGreaterThan(900);
    expect(Math.max(...apartMs)).toBeLessThanOrEqual(1_000);
  });

  it('may be any two of which neither breaks what the other needs', () => {
    const seen = new Set<Fault>();
    for (let seed = 0; seed < pairsTried; seed += 1) {
      const [first, second] = choosePair(seed, faults, faults).pair!;
      expect(canMeet(first, second), `${first.name} and ${second.name}`).toBe(true);
      for (const fault of [first, second]) seen.add(fault);
    }
    expect(faults.filter((fault) => !seen.has(fault))).toEqual([]);
  });

  it.each([
    ['worker-killed-in-transaction', 'stepdown', true],
    ['worker-killed-in-transaction', 'worker-killed', true],
    ['worker-killed-in-transaction', 'worker-frozen', false],
    ['worker-killed', 'buckets-run-twice', false],
    ['worker-clock-ahead', 'clock-behind', true],
    ['worker-clock-ahead', 'worker-frozen', false],
    ['redis-killed-with-data', 'mongodb-killed', true],
    ['redis-killed-with-data', 'redis-flushed', false],
    ['stepdown', 'commit-unknown-applied', false],
    ['sigterm-all-at-once', 'web-killed', false],
  ])('of %s and %s: %s', (first, second, isOne) => {
    expect([canMeet(named(first), named(second)), canMeet(named(second), named(first))]).toEqual([isOne, isOne]);
  });
});

describe('createChoices', () => {
  it('chooses the same for the same seed, and otherwise for another', () => {
    const choose = (seed: number) => {
      const choices = createChoices(seed);
      return Array.from({ length: 20 }, () => choices.fork().whole(0, 1_000_000));
    };
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1)).not.toEqual(choose(2));
  });

  it('chooses otherwise from the first choice on, for seeds in a row', () => {
    const first = Array.from({ length: 100 }, (_, seed) => createChoices(1_000 + seed).whole(0, 399) < 200);
    const changes = first.filter((isLow, index) => isLow !== first[index + 1]);
    expect(changes.length).toBeGreaterThan(30);
  });
});
