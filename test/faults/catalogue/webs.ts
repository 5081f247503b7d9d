import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi } from '../harness/api.ts';
import type { Fault, FaultRun } from '../harness/fault.ts';
import type { Sent } from '../harness/sent.ts';
import { trapRequest } from '../harness/traps.ts';
import { within } from '../harness/until.ts';
import { stopInOrder } from './stopping.ts';

const caughtWithinMs = 15_000;
const shiftMs = 120_000;

export const webFaults: readonly Fault[] = [
  {
    name: 'web-killed',
    what: 'kill -9 of an API process at a random moment',
    breaks: [],
    breaksOneOf: ['web'],
    async inject({ stack, choices, free, mark }) {
      await delay(choices.whole(50, 800));
      await choices.pick(free(stack.webs)).kill();
      await mark();
    },
  },
  {
    name: 'web-killed-before-enqueue',
    what: 'kill -9 of an API process between the insert of orders and their enqueue',
    needs: 'redis proxies',
    breaks: ['web 0', 'redis proxies'],
    async inject({ stack, mark }) {
      const web = stack.webs[0]!;
      // The job's data in Redis' protocol: the orders are recorded, their job is on its way.
      const trap = trapRequest(web.redisProxy!, '"orderIds"');
      try {
        await within(trap.caught, caughtWithinMs, 'an enqueue');
        await web.kill();
      } finally {
        trap.release('cut');
      }
      await mark();
    },
  },
  {
    name: 'clock-ahead',
    what: 'the clock of one API process is 120 s ahead, which no right client and no order is to notice',
    breaks: ['web 1'],
    reliesOn: ['a web'],
    inject: (run) => shiftClock(run, shiftMs),
  },
  {
    name: 'clock-behind',
    what: 'the clock of one API process is 120 s behind, which no right client and no order is to notice',
    breaks: ['web 1'],
    reliesOn: ['a web'],
    inject: (run) => shiftClock(run, -shiftMs),
  },
];

async function shiftClock(run: FaultRun, offsetMs: number): Promise<void> {
  const { stack, load, choices, mark } = run;
  const web = stack.webs[1]!;
  await stopInOrder(run, [web]);
  await web.start(offsetMs);
  await expectRefused(run, offsetMs);
  await load.untilAcknowledged(choices.whole(40, 80), caughtWithinMs);
  await mark();
  await stopInOrder(run, [web]);
}

/** A client whose clock is off as the process's is, is refused, and nothing is recorded. The load's clocks are right. */
async function expectRefused({ stack, load, breachAlone }: FaultRun, offsetMs: number): Promise<void> {
  const [source, target] = stack.books[0].wallets.get('USD') ?? [];
  const body = {
    ...{ bizId: `refused-${randomUUID()}`, sourceWalletId: source!, targetWalletId: target! },
    ...{ amount: '1.00', currency: 'USD' },
  };
  const sent: Sent = { body, attempts: 1, acknowledged: undefined, acknowledgedAtMs: undefined };
  load.sent.push(sent);
  const api = createApi(stack.books[0], stack.told, { clockOffsetMs: offsetMs });
  const answer = await api.create(stack.webs[1]!, body, 0).finally(() => {
    api.close();
  });
  if (answer.envelope?.code !== 'GA2013')
    breachAlone(`a client whose clock is off by ${offsetMs} ms was answered ${answer.status} ${answer.text}`);
}
