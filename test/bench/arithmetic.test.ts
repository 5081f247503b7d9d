import { describe, expect, test } from 'vitest';
import { createSchedule } from '../../bench/load/schedule.ts';
import { timeShares } from '../../bench/profile/categories.ts';
import { stepsOf } from '../../bench/profile/steps.ts';
import { dipOf, heardAgain, rateWithin, ratesOf } from '../../bench/scale/progress.ts';

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

describe('where time goes', () => {
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

  const request = (id: string, startMs: number, endMs: number) => ({
    ...{ name: 'POST /api/v1/transfer/command/create', traceIds: [id], startMs, endMs },
  });

  test('an order’s time is that of its request, of the job that its request caused, and of the job’s group', () => {
    const spans = [
      request('first', 0, 10),
      request('second', 4, 12),
      { name: 'post job', traceIds: ['first', 'second'], startMs: 13, endMs: 40 },
      { name: 'post group', traceIds: ['other'], startMs: 1, endMs: 14 },
      { name: 'post group', traceIds: ['first'], startMs: 20, endMs: 38 },
      request('never posted', 5, 15),
    ];
    expect(stepsOf(spans, 10)).toEqual([
      { recorded: 8, taken: 1, begun: 7, posted: 18, total: 36 },
      { recorded: 10, taken: 3, begun: 7, posted: 18, total: 40 },
    ]);
  });

  test('looks at the last orders alone: those before them warmed up', () => {
    const spans = [
      request('warm-up', 0, 10),
      request('measured', 100, 110),
      { name: 'post job', traceIds: ['warm-up'], startMs: 11, endMs: 20 },
      { name: 'post job', traceIds: ['measured'], startMs: 112, endMs: 130 },
      { name: 'post group', traceIds: ['measured'], startMs: 115, endMs: 129 },
    ];
    expect(stepsOf(spans, 1)).toEqual([{ recorded: 10, taken: 2, begun: 3, posted: 14, total: 30 }]);
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
