import { randomInt } from 'node:crypto';
import { faults } from './catalogue/all.ts';
import { planInTurn } from './harness/run-many.ts';
import { seedMax } from '../support/command-line.ts';
import { testRuns } from './test-runs.ts';

/**
 * One for each thing that only a process, or a server of its own, can show: faults.long.test.ts has all of them, each in a
 * run of its own. A lost answer to a commit, and two owners of a partition, are in test/posting/posting-ways.test.ts.
 */
const inOrder = [
  'worker-frozen',
  'worker-killed-in-transaction',
  'web-killed-before-enqueue',
  'redis-killed-without-data',
  'mongodb-killed',
  'mongodb-frozen',
].map((name) => {
  const fault = faults.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`the catalogue has no ${name}`);
  return fault;
});

testRuns([planInTurn(randomInt(seedMax), inOrder)], 1, { partitions: 4 });
