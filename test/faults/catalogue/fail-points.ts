import { failCommands } from '../harness/fail-point.ts';
import { acknowledgedWithinMs, type CatalogueFault, type FaultRun } from '../harness/fault.ts';
import { atCommit, trapReply, trapRequest } from '../harness/traps.ts';

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

export const failPointFaults: readonly CatalogueFault[] = [
  {
    name: 'write-conflict-storm',
    what: 'dozens of WriteConflict errors in posting transactions',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['a web', 'mongodb'],
    does: ({ stack, choices }) =>
      failCommands(stack.mongodb.client, choices.whole(20, 60), {
        failCommands: ['update', 'commitTransaction'],
        errorCode: writeConflict,
      }),
    lasts: { creates: [20, 40] },
  },
  {
    name: 'stepdown',
    what: 'errors of a primary that steps down or shuts down, with and without closed connections',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['a web', 'mongodb'],
    rounds: [3, 5],
    does: ({ stack, choices }) =>
      failCommands(stack.mongodb.client, choices.whole(1, 6), {
        failCommands: choices.pick(stepdownCommands),
        errorCode: choices.pick(stepdownCodes),
        ...(choices.chance(40) ? { closeConnection: true } : {}),
      }),
    lasts: { creates: [5, 20] },
  },
  {
    name: 'commit-unknown-applied',
    what: 'commits that are applied, and answered with a write concern error or not at all',
    needs: 'fail points',
    breaks: ['fail point', 'mongodb proxies'],
    reliesOn: ['worker 0', 'a web', 'mongodb'],
    async does(run) {
      const writeConcernError = { code: run.choices.pick(unknownCommitCodes), errmsg: 'a fault test says so' };
      await loseCommits(run, { writeConcernError }, trapReply);
    },
  },
  {
    name: 'commit-unknown-not-applied',
    what: 'commits that never reach MongoDB, or that it drops',
    needs: 'fail points',
    breaks: ['fail point', 'mongodb proxies'],
    reliesOn: ['worker 0', 'a web', 'mongodb'],
    does: (run) => loseCommits(run, { closeConnection: true }, trapRequest),
  },
];

/** Has commits fail, and cuts the connection at several of the worker whose way to MongoDB leads through a proxy. */
async function loseCommits(
  { stack, load, choices }: FaultRun,
  failure: Omit<Parameters<typeof failCommands>[2], 'failCommands'>,
  setTrap: typeof trapReply,
): Promise<void> {
  await failCommands(stack.mongodb.client, choices.whole(1, 4), { failCommands: ['commitTransaction'], ...failure });
  for (let round = choices.whole(2, 4); round > 0; round -= 1) {
    await atCommit(stack.workers[0], { setTrap, verdict: 'cut' });
    await load.untilAcknowledged(choices.whole(3, 10), acknowledgedWithinMs);
  }
}
