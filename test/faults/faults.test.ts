import { randomInt } from 'node:crypto';
import { describe } from 'vitest';
import { faults } from './catalogue/all.ts';
import { planRun } from './harness/run-many.ts';
import { seedMax } from './options.ts';
import { testRuns } from './test-runs.ts';

/** One fault for each thing that protects the books: faults.long.test.ts has all of them. */
const oneForEach = [
  'worker-killed-in-transaction',
  'worker-frozen',
  'web-killed-before-enqueue',
  'owner-frozen-in-rebalance',
  'redis-killed-without-data',
  'redis-flushed',
  'mongodb-killed',
  'commit-unknown-applied',
];

describe('after a fault of each kind, the books are right, and every accepted order ends', () => {
  const chosen = oneForEach.map((name) => {
    const fault = faults.find((each) => each.name === name);
    if (fault === undefined) throw new Error(`the catalogue has no ${name}`);
    return planRun(fault, randomInt(seedMax));
  });
  testRuns(chosen, 1);
});
