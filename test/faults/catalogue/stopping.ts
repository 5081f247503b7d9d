import { setTimeout as delay } from 'node:timers/promises';
import { describeExit } from '../../../local/child.ts';
import { createApi } from '../harness/api.ts';
import { smallTransfer } from '../harness/commands.ts';
import type { CatalogueFault, FaultRun } from '../harness/fault.ts';
import type { Member } from '../harness/member.ts';
import type { Sent } from '../harness/sent.ts';
import { waitFor } from '../../support/wait-for.ts';
import { within } from '../harness/until.ts';

const stoppedWithinMs = 16_000;
const endedWithinMs = 3_000;
const recordedWithinMs = 10_000;
const waitSeconds = 8;
const waitersEach = 4;

const everyProcess = ['web 0', 'web 1', 'a web', 'worker 0', 'worker 1'] as const;

export const stoppingFaults: readonly CatalogueFault[] = [
  {
    name: 'sigterm-all-at-once',
    what: 'SIGTERM of every process at the same moment: each exits with 0',
    breaks: everyProcess,
    areAllStopped: true,
    afterMs: [0, 500],
    does: (run) => stopInOrder(run, [...run.stack.webs, ...run.stack.workers]),
  },
  {
    name: 'sigterm-with-requests-waiting',
    what: 'SIGTERM of the workers, then of API processes on which accepted creates still wait: all are answered',
    breaks: everyProcess,
    areAllStopped: true,
    reliesOn: ['redis', 'mongodb'],
    async does(run) {
      const { stack } = run;
      await stopInOrder(run, stack.workers);
      const answered = startWaiters(run);
      await untilRecorded(run, answered.bizIds);
      await stopInOrder(run, stack.webs);
      await answered.all;
    },
  },
  {
    name: 'second-signal',
    what: 'SIGTERM twice: the process ends at once',
    breaks: [],
    breaksOneOf: ['web', 'worker'],
    async does({ stack, choices, free, breachAlone }) {
      const members = [choices.pick(free(stack.webs)), choices.pick(free(stack.workers))];
      await Promise.all(
        members.map(async (member) => {
          member.signal('SIGTERM');
          await delay(choices.whole(0, 50));
          member.signal('SIGTERM');
          const exit = await within(member.exited(), endedWithinMs, `the end of ${member.name}`);
          // 0 where the first signal had already been followed to its end.
          if (exit.code !== 1 && exit.code !== 0) breachAlone(`${member.name} ended with ${describeExit(exit)}`);
        }),
      );
    },
  },
];

/** SIGTERM to several at once; each must exit with 0 in time. */
export async function stopInOrder({ breachAlone }: FaultRun, members: readonly Member[]): Promise<void> {
  for (const member of members) member.signal('SIGTERM');
  await Promise.all(
    members.map(async (member) => {
      const exit = await within(member.exited(), stoppedWithinMs, `the end of ${member.name}`);
      if (exit.code !== 0) breachAlone(`${member.name}, asked to stop, ended with ${describeExit(exit)}`);
    }),
  );
}

/** Creates that ask to wait for a terminal state which does not come while no worker runs. */
function startWaiters({ stack, load, breachAlone }: FaultRun): { bizIds: string[]; all: Promise<unknown> } {
  const api = createApi(stack.books[0], stack.told);
  const waiters = stack.webs
    .flatMap((web) => Array.from({ length: waitersEach }, () => web))
    .map((web) => {
      const [{ workspaceId }] = stack.books;
      const { bizId, ...command } = smallTransfer(stack.books[0], 'waiter');
      const sent: Sent = { workspaceId, command, acknowledged: undefined };
      load.sent.push(sent);
      const answered = api.create(web, command, waitSeconds).then(
        ({ status, envelope, text }) => {
          sent.acknowledged = envelope?.data ?? undefined;
          if (status !== 200)
            breachAlone(`an accepted create was answered ${status} ${text} while ${web.name} stopped`);
        },
        (error: unknown) => {
          breachAlone(`an accepted create was not answered while ${web.name} stopped: ${String(error)}`);
        },
      );
      return { bizId, answered };
    });
  const all = Promise.all(waiters.map(({ answered }) => answered)).finally(() => {
    api.close();
  });
  return { bizIds: waiters.map(({ bizId }) => bizId), all };
}

async function untilRecorded({ stack }: FaultRun, bizIds: string[]): Promise<void> {
  const orders = stack.mongodb.client.db().collection('orders');
  await waitFor(async () => (await orders.countDocuments({ bizId: { $in: bizIds } })) === bizIds.length, {
    timeoutMs: recordedWithinMs,
    what: 'the recording of creates that wait',
  });
}
