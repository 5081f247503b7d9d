import { failCommands } from '../harness/fail-point.ts';
import type { Fault, FaultRun } from '../harness/fault.ts';
import { trapReply, trapRequest, type Trap } from '../harness/traps.ts';
import { within } from '../harness/until.ts';

const acknowledgedWithinMs = 20_000;
const caughtWithinMs = 15_000;
const writeConflict = 112;
/** NotWritablePrimary, PrimarySteppedDown, ShutdownInProgress. */
const stepdownCodes = [10107, 189, 91];
/** WriteConcernFailed, and the same as part of a stepdown. */
const unknownCommitCodes = [64, 91, 189];
const stepdownCommands = [
  ['insert'],
  ['update'],
  ['find'],
  ['commitTransaction'],
  ['insert', 'update', 'find', 'commitTransaction'],
];

export const failPointFaults: readonly Fault[] = [
  {
    name: 'write-conflict-storm',
    what: 'dozens of WriteConflict errors in posting transactions',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['a web', 'mongodb'],
    async inject({ stack, load, choices, mark }) {
      await failCommands(stack.mongodb.client, choices.whole(20, 60), {
        failCommands: ['update', 'commitTransaction'],
        errorCode: writeConflict,
      });
      await load.untilAcknowledged(choices.whole(20, 40), acknowledgedWithinMs);
      await mark();
    },
  },
  {
    name: 'stepdown',
    what: 'errors of a primary that steps down or shuts down, with and without closed connections',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['a web', 'mongodb'],
    async inject({ stack, load, choices, mark }) {
      for (let round = choices.whole(3, 5); round > 0; round -= 1) {
        await failCommands(stack.mongodb.client, choices.whole(1, 6), {
          failCommands: choices.pick(stepdownCommands),
          errorCode: choices.pick(stepdownCodes),
          ...(choices.chance(40) ? { closeConnection: true } : {}),
        });
        await load.untilAcknowledged(choices.whole(5, 20), acknowledgedWithinMs);
      }
      await mark();
    },
  },
  {
    name: 'commit-unknown-applied',
    what: 'commits that are applied, and answered with a write concern error or not at all',
    needs: 'fail points',
    breaks: ['fail point', 'mongodb proxies'],
    reliesOn: ['worker 0', 'a web', 'mongodb'],
    async inject(run) {
      const { stack, choices } = run;
      await failCommands(stack.mongodb.client, choices.whole(1, 4), {
        failCommands: ['commitTransaction'],
        writeConcernError: { code: choices.pick(unknownCommitCodes), errmsg: 'a fault test says so' },
      });
      await loseCommits(run, trapReply);
    },
  },
  {
    name: 'commit-unknown-not-applied',
    what: 'commits that never reach MongoDB, or that it drops',
    needs: 'fail points',
    breaks: ['fail point', 'mongodb proxies'],
    reliesOn: ['worker 0', 'a web', 'mongodb'],
    async inject(run) {
      const { stack, choices } = run;
      await failCommands(stack.mongodb.client, choices.whole(1, 4), {
        failCommands: ['commitTransaction'],
        closeConnection: true,
      });
      await loseCommits(run, trapRequest);
    },
  },
];

/** Cuts the connection at several commits of the worker whose way to MongoDB leads through a proxy. */
async function loseCommits({ stack, load, choices, mark }: FaultRun, setTrap: typeof trapReply): Promise<void> {
  const proxy = stack.workers[0]?.mongodbProxy;
  if (proxy === undefined) throw new Error('the first worker has a proxy before MongoDB');
  for (let round = choices.whole(2, 4); round > 0; round -= 1) {
    const trap: Trap = setTrap(proxy, 'commitTransaction');
    await within(trap.caught, caughtWithinMs, 'a commit').finally(() => {
      trap.release('cut');
    });
    await load.untilAcknowledged(choices.whole(3, 10), acknowledgedWithinMs);
  }
  await mark();
}
