import { monitorEventLoopDelay } from 'node:perf_hooks';
import { acknowledgedWithinMs, type CatalogueFault, type FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { clearFailPoint, failCommands } from '../harness/fail-point.ts';
import { cutReplies, hang } from '../harness/traps.ts';

/** Just beyond the driver's time-out for an answer (socketTimeoutMS). */
const frozenMs = 10_400;
const electionMs = 5_000;
/** What requests wait out at the most; on a busy machine the engine takes long to start. */
const electionMaxMs = 8_000;
/** Half of what a request waits for Redis, to which the proxies of this process lead. */
const heldUpMaxMs = 500;
const nanosecondsPerMs = 1_000_000;
/** Of those that waited too. */
const answeredAfterwards = 20;
/** Until it is cleared. */
const always = 1_000_000;
const notWritablePrimary = 10107;
/** All that the service sends but what monitors a server. */
const commands = [
  ...['find', 'aggregate', 'count', 'insert', 'update', 'delete', 'findAndModify'],
  ...['commitTransaction', 'abortTransaction'],
];

export const mongodbFaults: readonly CatalogueFault[] = [
  {
    name: 'mongodb-killed',
    what: 'kill -9 of MongoDB, started again with its data',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    afterMs: [0, 500],
    does: killMongodb,
    lasts: { ms: [100, 2_000] },
  },
  {
    name: 'mongodb-hanging',
    what: 'MongoDB accepts and never answers a worker and an API process for some seconds',
    breaks: ['mongodb proxies'],
    does: ({ stack }) => hang(proxiesOf(stack)).release,
    lasts: { ms: [2_000, 6_000] },
  },
  {
    name: 'mongodb-frozen',
    what: 'SIGSTOP of MongoDB for longer than the driver waits for an answer, which then repeats its writes by itself',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    afterMs: [0, 500],
    does({ stack: { mongodb } }) {
      mongodb.pause();
      return () => {
        mongodb.resume();
      };
    },
    lasts: { ms: [frozenMs, frozenMs] },
  },
  {
    name: 'mongodb-replies-cut',
    what: 'connections to MongoDB are cut in the middle of a reply',
    breaks: ['mongodb proxies'],
    reliesOn: ['a web'],
    rounds: [2, 4],
    does({ stack, choices }) {
      cutReplies(proxiesOf(stack), { every: choices.whole(2, 7), count: choices.whole(3, 12) });
      return () => {
        for (const proxy of proxiesOf(stack)) proxy.cutAll();
      };
    },
    lasts: { creates: [5, 20] },
  },
  {
    name: 'election-primary-gone',
    what: 'no primary for 5 s under load: no client is answered an error',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    does: (run) => election(run, killMongodb),
    lasts: { ms: [electionMs, electionMs] },
  },
  {
    name: 'election-not-writable',
    what: 'a primary that is none for 5 s under load: no client is answered an error',
    needs: 'fail points',
    breaks: ['fail point'],
    reliesOn: ['mongodb'],
    does: (run) =>
      election(run, async ({ stack: { mongodb } }) => {
        await failCommands(mongodb.client, always, { failCommands: commands, errorCode: notWritablePrimary });
        return () => clearFailPoint(mongodb.client);
      }),
    lasts: { ms: [electionMs, electionMs] },
  },
];

async function killMongodb({ stack: { mongodb } }: FaultRun): Promise<() => Promise<void>> {
  await mongodb.kill();
  return () => mongodb.restart();
}

/** What an order's state refuses, such as to reverse one that waits still: whatever becomes of MongoDB. */
const refusedByState = ['409', '422'];

/**
 * Whatever else a client is answered but 200 is a breach, unless the machine was too slow for the service to wait it out.
 */
async function election(
  run: FaultRun,
  begin: (run: FaultRun) => Promise<() => Promise<void>>,
): Promise<() => Promise<void>> {
  const { load, breachAlone, missed } = run;
  const lag = monitorEventLoopDelay();
  lag.enable();
  const requestsBefore = load.requests.length;
  const startedAt = performance.now();
  const end = await begin(run);
  return async () => {
    await end();
    const tookMs = performance.now() - startedAt;
    await load.untilAcknowledged(answeredAfterwards, acknowledgedWithinMs);
    lag.disable();
    const heldUpMs = lag.max / nanosecondsPerMs;
    const times = `${Math.round(tookMs)} ms, with this process held up for ${Math.round(heldUpMs)} ms`;
    const answers = Map.groupBy(load.requests.slice(requestsBefore), ({ result }) => result);
    for (const result of ['200', ...refusedByState]) answers.delete(result);
    for (const [result, { length }] of answers) {
      const what = `${length} requests through an election of ${times} were answered ${result}`;
      if (tookMs < electionMaxMs && heldUpMs < heldUpMaxMs) breachAlone(what);
      else missed(`an election on a machine that keeps pace: ${what}`);
    }
  };
}

function proxiesOf({ webs, workers }: Stack): Proxy[] {
  return [...webs, ...workers].flatMap(({ mongodbProxy }) => mongodbProxy ?? []);
}
