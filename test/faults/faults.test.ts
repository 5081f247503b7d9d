import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from './catalogue/all.ts';
import { describeRun } from './describe.ts';
import { planPair, planRun, runMany, stacksAtOnce, type FinishedRun, type PlannedRun } from './harness/run-many.ts';

const stacksCount = stacksAtOnce(2);
const pairsCount = 2;
/** Of one test, which may have to wait for the stacks to start, and for other runs on the same stack. */
const faultTimeoutMs = 240_000;
const stopTimeoutMs = 90_000;
const seedMax = 0x7fffffff;

// Pairs, which may take longest, first, and what takes least, which the catalogue has last, last: the stacks end together.
const runs: readonly PlannedRun[] = [
  ...Array.from({ length: pairsCount }, () => planPair(randomInt(seedMax), faults)),
  ...faults.map((fault) => planRun(fault, randomInt(seedMax))),
];
const outcomes = new Map(runs.map(({ again }) => [again, Promise.withResolvers<FinishedRun>()]));
const stopping = new AbortController();
let running: Promise<unknown> | undefined;

// Most of a fault's time is waiting, so two stacks share the runs; each test waits for its own.
beforeAll(() => {
  for (const { promise } of outcomes.values()) promise.catch(() => undefined);
  const onFinished = (run: FinishedRun): void => outcomes.get(run.again)?.resolve(run);
  const plan = [...runs];
  const lanes = Array.from({ length: stacksCount }, () => runMany(() => plan.shift(), onFinished, stopping.signal));
  running = Promise.all(lanes);
  running.catch((error: unknown) => {
    for (const { reject } of outcomes.values()) reject(error);
  });
});
afterAll(async () => {
  stopping.abort();
  await running;
}, stopTimeoutMs);

describe('after every fault, and after two at once, the books are right, and every accepted order ends', () => {
  it.for(runs)('$fault.name: $fault.what', { timeout: faultTimeoutMs }, async ({ again }, { skip }) => {
    const run = await outcomes.get(again)?.promise;
    if (run === undefined) throw new Error('there is a run of every fault');
    if (run.skipped !== undefined) skip(run.skipped);
    expect(run.report?.breaches ?? [], describeRun(run)).toEqual([]);
  });
});
