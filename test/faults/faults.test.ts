import { randomInt } from 'node:crypto';
import { faults } from './catalogue/all.ts';
import { planRun } from './harness/run-many.ts';
import { chosenOf, seedMax } from '../support/command-line.ts';
import { testRuns } from './test-runs.ts';

/**
 * One for each thing that only a process, or a server of its own, can show: faults.long.test.ts has all of them. A lost answer to
 * a commit, and two workers that post the same workspace, are in test/posting/posting-ways.test.ts; that the driver repeats
 * writes that were carried out, in test/storage/repeated-writes.test.ts.
 */
const names = [
  'worker-frozen',
  'worker-killed-in-transaction',
  'web-killed-before-wake',
  'redis-killed-without-data',
  'mongodb-killed',
];

testRuns(
  chosenOf('fault', names, faults).map((fault) => planRun(fault, randomInt(seedMax))),
  1,
  { workspaces: 4 },
);
