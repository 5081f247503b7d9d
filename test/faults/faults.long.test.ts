import { randomInt } from 'node:crypto';
import { describe } from 'vitest';
import { faults } from './catalogue/all.ts';
import { planPair, planRun } from './harness/run-many.ts';
import { seedMax } from '../support/command-line.ts';
import { testRuns } from './test-runs.ts';

const pairsCount = 2;
const stacks = 2;

describe('after every fault, and after two at once, the books are right, and every accepted order ends', () => {
  // Pairs, which may take longest, first, and what takes least, which the catalogue has last, last: the stacks end together.
  const pairs = Array.from({ length: pairsCount }, () => planPair(randomInt(seedMax), faults));
  testRuns([...pairs, ...faults.map((fault) => planRun(fault, randomInt(seedMax)))], stacks);
});
