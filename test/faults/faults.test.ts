import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from './catalogue/all.ts';
import { describeRun } from './describe.ts';
import { runMany, type FinishedRun } from './harness/run-many.ts';

const stacksCount = 2;
/** Of one test, which may have to wait for the stacks to start, and for another fault on the same stack. */
const faultTimeoutMs = 150_000;
const stopTimeoutMs = 90_000;
const seedMax = 0x7fffffff;

const plan = faults.map((fault) => ({ fault, seed: randomInt(seedMax) }));
const outcomes = new Map(faults.map(({ name }) => [name, Promise.withResolvers<FinishedRun>()]));
const stopping = new AbortController();
let running: Promise<unknown> | undefined;

// Most of a fault's time is waiting, so two stacks share the faults; each test waits for its own.
beforeAll(() => {
  for (const { promise } of outcomes.values()) promise.catch(() => undefined);
  const onFinished = (run: FinishedRun): void => outcomes.get(run.fault.name)?.resolve(run);
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

describe('after every fault the books are right, and every accepted order ends', () => {
  it.for(faults)('$name: $what', { timeout: faultTimeoutMs }, async ({ name }, { skip }) => {
    const run = await outcomes.get(name)?.promise;
    if (run === undefined) throw new Error('there is a run of every fault');
    if (run.skipped !== undefined) skip(run.skipped);
    expect(run.report?.breaches ?? [], describeRun(run)).toEqual([]);
  });
});
