import { postingQueueName } from '../../../src/queue/posting-queue.ts';
import { createApi } from '../harness/api.ts';
import { smallTransfer } from '../harness/commands.ts';
import type { CatalogueFault, FaultRun } from '../harness/fault.ts';
import { caughtWithinMs, trapRequest } from '../harness/traps.ts';
import { within } from '../harness/until.ts';
import { stopInOrder } from './stopping.ts';

const shiftMs = 120_000;

export const webFaults: readonly CatalogueFault[] = [
  {
    name: 'web-killed',
    what: 'kill -9 of an API process at a random moment',
    breaks: [],
    breaksOneOf: ['web'],
    afterMs: [50, 800],
    does: ({ stack, choices, free }) => choices.pick(free(stack.webs)).kill(),
  },
  {
    name: 'web-killed-before-wake',
    what: 'kill -9 of an API process between the insert of orders and the wake',
    needs: 'redis proxies',
    breaks: ['web 0', 'redis proxies'],
    async does({ stack }) {
      const web = stack.webs[0]!;
      // The key of a line: the orders are recorded, and nobody is woken yet.
      const trap = trapRequest(web.redisProxy!, `${postingQueueName}-woken`);
      try {
        await within(trap.caught, caughtWithinMs, 'a wake');
        await web.kill();
      } finally {
        trap.release('cut');
      }
    },
  },
  ...(
    [
      ['ahead', shiftMs],
      ['behind', -shiftMs],
    ] as const
  ).map(([way, offsetMs]): CatalogueFault => ({
    name: `clock-${way}`,
    what: `the clock of one API process is 120 s ${way}, which no right client and no order is to notice`,
    breaks: ['web 1'],
    reliesOn: ['a web'],
    async does(run) {
      const web = run.stack.webs[1]!;
      await stopInOrder(run, [web]);
      await web.start(offsetMs);
      await expectRefused(run, offsetMs);
      return () => stopInOrder(run, [web]);
    },
    lasts: { creates: [40, 80] },
    holds: ({ mark }) => mark(),
  })),
];

/** A client whose clock is off as the process's is, is refused, and nothing is recorded. The load's clocks are right. */
async function expectRefused({ stack, load, breachAlone }: FaultRun, offsetMs: number): Promise<void> {
  const [books] = stack.books;
  const command = smallTransfer(books, 'refused');
  load.sent.push({ workspaceId: books.workspaceId, command, acknowledged: undefined });
  const api = createApi(books, stack.told, offsetMs);
  const answer = await api.create(stack.webs[1]!, command, 0).finally(() => {
    api.close();
  });
  if (answer.envelope?.code !== 'GA2013')
    breachAlone(`a client whose clock is off by ${offsetMs} ms was answered ${answer.status} ${answer.text}`);
}
