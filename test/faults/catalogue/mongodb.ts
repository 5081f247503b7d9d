import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { clearFailPoint, failCommands } from '../harness/fail-point.ts';
import { underSteadyLoad } from '../harness/steady.ts';
import { cutReplies, hang } from '../harness/traps.ts';

const acknowledgedWithinMs = 20_000;
/** Just beyond the driver's time-out for an answer (socketTimeoutMS). */
const frozenMs = 10_400;
const electionMs = 5_000;
/** What requests wait out at the most; on a busy machine the engine takes long to start. */
const electionMaxMs = 8_000;
/** Half of what a request waits for Redis, to which the proxies of this process lead. */
const heldUpMaxMs = 500;
const nanosecondsPerMs = 1_000_000;
const ratePerSecond = 50;
/** Until it is cleared. */
const always = 1_000_000;
const notWritablePrimary = 10107;
/** All that the service sends but what monitors a server. */
const commands = [
  ...['find', 'aggregate', 'count', 'insert', 'update', 'delete', 'findAndModify'],
  ...['commitTransaction', 'abortTransaction'],
];

export const mongodbFaults: readonly Fault[] = [
  {
    name: 'mongodb-killed',
    what: 'kill -9 of MongoDB, started again with its data',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    async inject({ stack, choices, mark }) {
      await delay(choices.whole(0, 500));
      await stack.mongodb.kill();
      await delay(choices.whole(100, 2_000));
      await stack.mongodb.restart();
      await mark();
    },
  },
  {
    name: 'mongodb-hanging',
    what: 'MongoDB accepts and never answers a worker and an API process for some seconds',
    breaks: ['mongodb proxies'],
    async inject({ stack, choices, mark }) {
      const hanging = hang(proxiesOf(stack));
      await delay(choices.whole(2_000, 6_000));
      hanging.release();
      await mark();
    },
  },
  {
    name: 'mongodb-frozen',
    what: 'SIGSTOP of MongoDB for longer than the driver waits for an answer, which then repeats its writes by itself',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    async inject({ stack, choices, mark }) {
      await delay(choices.whole(0, 500));
      stack.mongodb.pause();
      await delay(frozenMs);
      stack.mongodb.resume();
      await mark();
    },
  },
  {
    name: 'mongodb-replies-cut',
    what: 'connections to MongoDB are cut in the middle of a reply',
    breaks: ['mongodb proxies'],
    reliesOn: ['a web'],
    async inject({ stack, load, choices, mark }) {
      for (let round = choices.whole(2, 4); round > 0; round -= 1) {
        cutReplies(proxiesOf(stack), { every: choices.whole(2, 7), count: choices.whole(3, 12) });
        await load.untilAcknowledged(choices.whole(5, 20), acknowledgedWithinMs);
        for (const proxy of proxiesOf(stack)) proxy.cutAll();
      }
      await mark();
    },
  },
  {
    name: 'election-primary-gone',
    what: 'no primary for 5 s under a constant rate of requests: no client is answered an error',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    async inject(run) {
      const { mongodb } = run.stack;
      await waitOut(run, async () => {
        await mongodb.kill();
        await delay(electionMs);
        await mongodb.restart();
      });
    },
  },
  {
    name: 'election-not-writable',
    what: 'a primary that is none for 5 s under a constant rate of requests: no client is answered an error',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['mongodb'],
    async inject(run) {
      const { client } = run.stack.mongodb;
      await waitOut(run, async () => {
        await failCommands(client, always, { failCommands: commands, errorCode: notWritablePrimary });
        await delay(electionMs);
        await clearFailPoint(client);
      });
    },
  },
];

/** Whatever a client is answered but 200 is a breach, unless the machine was too slow for the service to wait it out. */
async function waitOut(
  { stack, load, choices, mark, breachAlone, missed }: FaultRun,
  election: () => Promise<void>,
): Promise<void> {
  let tookMs = 0;
  const steady = { stack, record: load, choices, ratePerSecond };
  const lag = monitorEventLoopDelay();
  lag.enable();
  const errors = await underSteadyLoad(steady, async () => {
    const startedAt = performance.now();
    await election();
    tookMs = performance.now() - startedAt;
  });
  lag.disable();
  const heldUpMs = lag.max / nanosecondsPerMs;
  const isJudged = tookMs < electionMaxMs && heldUpMs < heldUpMaxMs;
  const times = `${Math.round(tookMs)} ms, with this process held up for ${Math.round(heldUpMs)} ms`;
  for (const [error, count] of errors) {
    const what = `${count} requests through an election of ${times} were answered ${error}`;
    if (isJudged) breachAlone(what);
    else missed(`an election on a machine that keeps pace: ${what}`);
  }
  await mark();
}

function proxiesOf({ webs, workers }: Stack): Proxy[] {
  return [...webs, ...workers].flatMap(({ mongodbProxy }) => mongodbProxy ?? []);
}
