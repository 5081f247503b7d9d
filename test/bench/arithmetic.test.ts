import { describe, expect, test } from 'vitest';
import { median } from '../../bench/cells.ts';
import { createLatencyRecorder, latencyAt } from '../../bench/load/latency.ts';
import { expectsFailure, patterns, type PatternName } from '../../bench/load/patterns.ts';
import { createRandom } from '../../bench/load/random.ts';
import { createSchedule } from '../../bench/load/schedule.ts';
import { createZipf } from '../../bench/load/zipf.ts';
import { timeShares } from '../../bench/profile/categories.ts';
import { digits } from '../../bench/report/table.ts';
import { dipOf, heardAgain, rateWithin, ratesOf } from '../../bench/scale/progress.ts';

const draws = 100_000;

describe('zipf', () => {
  test('rank k comes about 1 / (k + 1)^exponent as often as the first', () => {
    const counts = new Array<number>(100).fill(0);
    const draw = createZipf(100, 1.1, createRandom(7));
    for (let index = 0; index < draws; index += 1) counts[draw()]! += 1;
    for (const rank of [1, 3, 9]) {
      expect(counts[rank]! / counts[0]!).toBeCloseTo(1 / (rank + 1) ** 1.1, 1);
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(draws);
  });
});

describe('arrival schedule', () => {
  test('what is due by then counts each request at the very moment it is due', () => {
    for (const rate of [1, 3, 7, 999, 12_000]) {
      const schedule = createSchedule(rate, 3);
      expect(schedule.countDueBy(-1)).toBe(0);
      for (let index = 0; index < Math.min(schedule.count, 500); index += 1) {
        expect(schedule.countDueBy(schedule.dueAtMs(index))).toBe(index + 1);
      }
      expect(schedule.countDueBy(1_000_000)).toBe(schedule.count);
    }
  });
});

describe('percentiles', () => {
  test('are those of the recorded values, to three digits', () => {
    const recorder = createLatencyRecorder();
    for (let ms = 1; ms <= 1000; ms += 1) recorder.record(ms);
    const summary = recorder.summary()!;
    expect(summary.count).toBe(1000);
    for (const percentile of [50, 90, 99] as const) {
      expect(latencyAt(summary, percentile)).toBeCloseTo(percentile * 10, -1);
    }
    expect(summary.maxMs).toBeCloseTo(1000, -1);
  });
});

describe('patterns', () => {
  const counts = { funded: 20, unfunded: 4 };
  const names = Object.keys(patterns) as PatternName[];

  test.each(names)('%s: source and target differ, and only sources lack money', (name) => {
    const next = patterns[name].create(counts, createRandom(3));
    for (let index = 0; index < 2_000; index += 1) {
      const { source, target } = next(index);
      expect(source).not.toBe(target);
      expect(target).toBeLessThan(counts.funded);
      expect(source >= counts.funded).toBe(expectsFailure(name, index));
    }
  });

  test('one in twenty of the unfunded pattern has to fail', () => {
    const failing = Array.from({ length: 1000 }, (_, index) => expectsFailure('unfunded', index)).filter(Boolean);
    expect(failing).toHaveLength(50);
  });
});

describe('figures', () => {
  test('a median is the middle one, or the mean of two', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('are written with three digits', () => {
    expect(digits(12_345)).toBe('12,300');
    expect(digits(0.02567)).toBe('0.026');
    expect(digits(Number.NaN)).toBe('–');
  });

  test('the time of native code counts for the part that called it; idle time for none', () => {
    const frame = (functionName: string, url = '') => ({ functionName, url });
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2, 4, 5] },
        { id: 2, callFrame: frame('serialize', 'file:///x/node_modules/bson/lib/bson.cjs'), children: [3] },
        { id: 3, callFrame: frame('write') },
        { id: 4, callFrame: frame('(idle)') },
        { id: 5, callFrame: frame('fold', 'file:///x/src/domain/posting.ts') },
      ],
      samples: [3, 4, 5, 2],
      timeDeltas: [100, 500, 200, 100],
    };
    expect(timeShares(profile, 0)).toEqual([
      { name: 'bson', share: 0.5 },
      { name: 'src/domain', share: 0.5 },
    ]);
  });
});

describe('posted orders over time', () => {
  /** Two buckets, 100 orders a second each; the second is silent from 4 s to 7 s. */
  const posted = Array.from({ length: 200 }, (_, index) => ({ at: 100 * (index >> 1) + 50, bucket: index % 2 }))
    .filter(({ at, bucket }) => bucket === 0 || at < 4_000 || at > 7_000)
    .map((each) => ({ ...each, orders: 10 }));

  test('a rate is the slope of their count, wherever a group is cut by the edge', () => {
    for (const from of [0, 49, 50, 51, 99]) expect(rateWithin(posted, { from, to: from + 3_000 })).toBeCloseTo(200, -1);
    const groups = [400, 1_400, 2_400, 3_400].map((at) => ({ at, bucket: 0, orders: 250 }));
    expect(rateWithin(groups, { from: 0, to: 3_800 })).toBeCloseTo(250, -2);
  });

  test('a dip is as deep as what was missing, and as long', () => {
    expect(dipOf(posted, { from: 4_000, to: 9_000 }, 200)).toEqual({ seconds: 3.5, lowest: 0.5 });
    expect(dipOf(posted, { from: 1_000, to: 4_000 }, 200)).toEqual({ seconds: 0, lowest: 1 });
    expect(ratesOf(posted, { from: 4_000, to: 5_000 }).reduce((sum, rate) => sum + rate)).toBe(400);
  });

  test('a span has all its steps, at whatever part of a millisecond it begins', () => {
    const at = 31_547.332758006018;
    const span = { from: at - 1_000, to: at + 15_000 };
    expect(span.to - span.from).toBeLessThan(16_000);
    expect(ratesOf(posted, span)).toHaveLength(64);
  });

  test('a bucket is heard of again at its next order', () => {
    expect(heardAgain(posted, new Set([1]), 4_000)).toEqual([7_050]);
    expect(heardAgain(posted, new Set([2]), 4_000)).toEqual([Infinity]);
  });
});
