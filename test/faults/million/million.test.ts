import { describe, expect, it } from 'vitest';
import { createChoices } from '../harness/choices.ts';
import { deliveredApart, planDeliveries } from './deliveries.ts';
import { judge, type Expected, type Outcome } from './judge.ts';
import { readMillionOptions } from './options.ts';

it.each([
  [['--order', '3000'], 'There is no option --order; there are --orders, --doubled, --workers, --seed, --help.'],
  [['--orders', '10'], '--orders takes a whole number from 1000'],
  [['--doubled', '101'], '--doubled takes a whole number from 0 to 100.'],
])('npm run test:million refuses %j', (args, message) => {
  expect(() => readMillionOptions(args)).toThrow(message);
});

describe('planDeliveries', () => {
  it('has every job once, and the share of them again, later', () => {
    const plan = planDeliveries(1_000, 10, createChoices(7));
    const jobsOf = (isAgain: boolean) => plan.filter((each) => each.isAgain === isAgain).map(({ job }) => job);
    expect(jobsOf(false)).toEqual(Array.from({ length: 1_000 }, (_, job) => job));
    expect(new Set(jobsOf(true)).size).toBe(100);
    expect(deliveredApart(plan, 0)).toHaveLength(100);
    expect(deliveredApart(plan, 64).length).toBeGreaterThan(70);
    expect(planDeliveries(1_000, 10, createChoices(7))).toEqual(plan);
    expect(planDeliveries(1_000, 10, createChoices(8))).not.toEqual(plan);
  });
});

describe('judge', () => {
  const expected: Expected = { completed: 1_000, failed: 50, delivered: 1_100, doubled: 100, doubledApart: 90 };
  const counts = { byStatus: { COMPLETED: 1_000, FAILED: 50, PENDING: 0 }, orders: 1_050, flows: 2_000 };
  const sound: Outcome = {
    fed: { results: { completed: 955, failed: 50, skipped: 95, setAside: 0 }, sweptJobs: 0, seconds: 1 },
    verified: { summary: { ...counts, breaches: 0 }, breaches: [], exitCode: 0, seconds: 1 },
    checked: { ...counts, breaches: [], seconds: 1 },
  };

  it('finds nothing where everything held', () => {
    expect(judge(expected, sound)).toEqual([]);
  });

  it.each([
    ['a doubled job that was lost', { results: { ...sound.fed.results, skipped: 85 } }, 'finished 1090 orders'],
    ['doubled jobs that changed something', { results: { ...sound.fed.results, completed: 1_010, skipped: 40 } }, ''],
    ['orders set aside', { results: { ...sound.fed.results, skipped: 94, setAside: 1 } }, '1 orders were set aside'],
  ])('names %s', (_, fed, message) => {
    const breaches = judge(expected, { ...sound, fed: { ...sound.fed, ...fed } });
    expect(breaches).toEqual([expect.stringContaining(message)]);
  });

  it('names what admin verify or the checker found, or counted differently', () => {
    const breaches = judge(expected, {
      ...sound,
      verified: { ...sound.verified, breaches: ['{"kind":"currency-sum"}'], exitCode: 1 },
      checked: {
        ...sound.checked,
        breaches: ['wallet wa_1 says 1'],
        byStatus: { COMPLETED: 999, PENDING: 51 },
        flows: 1_998,
      },
    });
    expect(breaches).toEqual([
      'admin verify: {"kind":"currency-sum"}',
      'admin verify ended with 1',
      'checker: wallet wa_1 says 1',
      'the checker finds 999 orders COMPLETED, and there are 1000',
      'the checker finds 0 orders FAILED, and there are 50',
      'the checker finds 51 orders PENDING, and there are 0',
      'the checker finds 1998 flows, and there are 2000',
    ]);
    expect(judge(expected, { ...sound, verified: { ...sound.verified, summary: undefined } })).toEqual([
      'admin verify gave no summary',
    ]);
  });
});
