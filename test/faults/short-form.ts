import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from './catalogue/all.ts';
import { describeRun } from './describe.ts';
import type { Fault } from './harness/fault.ts';
import { runFault } from './harness/run-fault.ts';
import { whyNot } from './harness/run-many.ts';
import { startStack, type Stack } from './harness/stack.ts';

const stackTimeoutMs = 90_000;
const faultTimeoutMs = 150_000;
const seedMax = 0x7fffffff;

/** One run of every fault of a group, with a new seed each time; what fails says how to see it again. */
export function describeFaults(group: Fault['group']): void {
  describe(`after a fault of the ${group}, the books are right and every accepted order ends`, () => {
    let stack: Stack | undefined;
    beforeAll(async () => {
      stack = await startStack();
    }, stackTimeoutMs);
    afterAll(async () => {
      await stack?.stop();
    }, stackTimeoutMs);

    for (const fault of faults.filter((each) => each.group === group)) {
      it(`${fault.name}: ${fault.what}`, { timeout: faultTimeoutMs }, async ({ skip }) => {
        if (stack === undefined) throw new Error('the stack did not start');
        const reason = whyNot(fault, stack);
        if (reason !== undefined) skip(reason);
        const seed = randomInt(seedMax);
        const report = await runFault(fault, stack, seed);
        expect(report.breaches, describeRun({ fault, seed, report })).toEqual([]);
      });
    }
  });
}
