import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from '../harness/choices.ts';
import { acknowledgedWithinMs, type CatalogueFault, type FaultRun } from '../harness/fault.ts';
import type { Member } from '../harness/member.ts';
import { within } from '../harness/until.ts';
import { stopInOrder } from './stopping.ts';

/** Longer than a worker takes to have its share, and shorter: the change is met at its beginning, in it and after it. */
const settlingMs = { min: 200, max: 3_000 };
const commandMaxMs = 60_000;
/** Workers follow within a second, and end what is in flight. */
const pauseFollowedMs = 4_000;

export const rebalancingFaults: readonly CatalogueFault[] = [
  {
    name: 'worker-comes-and-goes',
    what: 'a third worker starts under load, and is stopped or killed while buckets go to it or just after',
    breaks: [],
    does: (run) => rebalance(run, () => Promise.resolve()),
  },
  {
    name: 'mongodb-killed-in-rebalance',
    what: 'a third worker starts, and MongoDB is killed while buckets go to it',
    needs: 'its own MongoDB',
    breaks: ['mongodb'],
    does: (run) =>
      rebalance(run, async ({ mongodb }, choices) => {
        await mongodb.kill();
        await delay(choices.whole(100, 2_000));
        await mongodb.restart();
      }),
  },
  {
    name: 'redis-flushed-in-rebalance',
    what: 'a third worker starts, and Redis loses everything while buckets go to it',
    breaks: [],
    reliesOn: ['redis'],
    does: (run) => rebalance(run, ({ redis }) => redis.flushAll()),
  },
  {
    name: 'worker-frozen-in-rebalance',
    what: 'a third worker starts, and another is frozen for longer than its locks while buckets go to it',
    breaks: [],
    breaksOneOf: ['worker'],
    does: (run) =>
      rebalance(run, async ({ workers }, choices) => {
        const owner = choices.pick(run.free(workers));
        owner.signal('SIGSTOP');
        await delay(choices.whole(4_500, 10_000));
        owner.signal('SIGCONT');
      }),
  },
  {
    name: 'posting-paused',
    what: 'posting is paused under load and resumed, and now and then Redis forgets it meanwhile',
    breaks: ['worker 0', 'worker 1'],
    reliesOn: ['mongodb', 'redis', 'a web'],
    async does({ stack, load, choices, breach }) {
      const posting = (verb: 'pause' | 'resume'): Promise<unknown> =>
        within(stack.admin('posting', verb, '--reason', 'a fault run'), commandMaxMs, `the ${verb} of posting`);
      const orders = stack.mongodb.client.db().collection('orders');
      const endedCount = (): Promise<number> => orders.countDocuments({ postedBy: { $exists: true } });
      await posting('pause');
      try {
        await delay(pauseFollowedMs);
        const before = await endedCount();
        await load.untilAcknowledged(choices.whole(10, 40), acknowledgedWithinMs);
        if (choices.chance(30)) await stack.redis.flushAll();
        await load.untilAcknowledged(choices.whole(10, 40), acknowledgedWithinMs);
        const more = (await endedCount()) - before;
        if (more > 0) breach(`${more} orders were posted while posting was paused`);
      } finally {
        await posting('resume');
      }
    },
  },
];

async function rebalance(
  run: FaultRun,
  meanwhile: (stack: FaultRun['stack'], choices: Choices) => Promise<void>,
): Promise<void> {
  const { stack, choices } = run;
  const third = await stack.startThirdWorker();
  try {
    await delay(choices.whole(0, settlingMs.min));
    await meanwhile(stack, choices);
    await delay(choices.whole(settlingMs.min, settlingMs.max));
  } finally {
    await end(run, third);
  }
}

async function end(run: FaultRun, third: Member): Promise<void> {
  if (run.choices.chance(50)) await stopInOrder(run, [third]);
  else await third.kill();
  await third.stop();
}
