import { afterAll, beforeAll, it, expect } from 'vitest';
import { describeRun } from './describe.ts';
import { runMany, stacksAtOnce, type FinishedRun, type PlannedRun } from './harness/run-many.ts';
import type { StackOptions } from './harness/stack.ts';

/** Of one test, which may have to wait for the stacks to start, and for other runs on the same stack. */
const faultTimeoutMs = 240_000;
const stopTimeoutMs = 90_000;

/**
 * A test for each run. Most of a fault's time is waiting, so several stacks share the runs, and each test waits for its own.
 * @param runs in the order in which they are begun.
 */
export function testRuns(runs: readonly PlannedRun[], stacks: number, options: StackOptions = {}): void {
  const outcomes = new Map(runs.map(({ again }) => [again, Promise.withResolvers<FinishedRun>()]));
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  beforeAll(() => {
    for (const { promise } of outcomes.values()) promise.catch(() => undefined);
    const onFinished = (run: FinishedRun): void => outcomes.get(run.again)?.resolve(run);
    const plan = [...runs];
    const lanes = Array.from({ length: stacksAtOnce(stacks) }, () =>
      runMany(() => plan.shift(), onFinished, stopping.signal, options),
    );
    running = Promise.all(lanes);
    running.catch((error: unknown) => {
      for (const { reject } of outcomes.values()) reject(error);
    });
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  }, stopTimeoutMs);

  it.for(runs)('$fault.name: $fault.what', { timeout: faultTimeoutMs }, async ({ again }, { skip }) => {
    const run = await outcomes.get(again)?.promise;
    if (run === undefined) throw new Error('there is a run of every fault');
    if (run.skipped !== undefined) skip(run.skipped);
    expect(run.report?.breaches ?? [], describeRun(run)).toEqual([]);
  });
}
