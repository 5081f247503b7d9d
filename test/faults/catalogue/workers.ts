import { addJobs } from '../harness/posting-jobs.ts';
import { failCommands } from '../harness/fail-point.ts';
import { acknowledgedWithinMs, type CatalogueFault, type FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import { atCommit, caughtWithinMs, hang, trapReply, trapRequest } from '../harness/traps.ts';
import { within } from '../harness/until.ts';
import { stopInOrder } from './stopping.ts';

const lostWorkerLimitMs = 15_000;
/** Longer than a worker's jobs are its own. */
const frozenMs = 12_000;
/** Jobs of a bucket beside the one that is its own. */
const jobsBeside = 3;
const clockAheadMs = 3_600_000;
const unauthorized = 13;

/** Orders come while a worker is cut off, and end while it is: the others have to post all. */
const whileCutOff = {
  lasts: { creates: [20, 60] },
  holds: ({ mark }) => mark(),
} as const satisfies Partial<CatalogueFault>;

export const workerFaults: readonly CatalogueFault[] = [
  {
    name: 'worker-killed',
    what: 'kill -9 of a worker at a random moment',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: [],
    breaksOneOf: ['worker'],
    afterMs: [50, 800],
    does: ({ stack, choices, free }) => choices.pick(free(stack.workers)).kill(),
  },
  {
    name: 'worker-killed-in-transaction',
    what: 'kill -9 of a worker between its last write and its commit',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['worker 0', 'mongodb proxies'],
    does: (run) => killAtCommit(run, trapRequest),
  },
  {
    name: 'worker-killed-after-commit',
    what: 'kill -9 of a worker whose commit is done, before it hears of it',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['worker 0', 'mongodb proxies'],
    does: (run) => killAtCommit(run, trapReply),
  },
  {
    name: 'worker-killed-unreaped',
    what: 'kill -9 of a worker in its transaction, which MongoDB at first refuses to end for the others',
    needs: 'fail points',
    breaks: ['worker 0', 'mongodb proxies', 'fail point'],
    reliesOn: ['mongodb'],
    async does(run) {
      const { stack, choices } = run;
      await failCommands(stack.mongodb.client, choices.whole(2, 5), {
        failCommands: ['killSessions'],
        ...(choices.chance(50) ? { errorCode: unauthorized } : { closeConnection: true }),
      });
      await killAtCommit(run, trapRequest);
    },
  },
  {
    name: 'worker-frozen',
    what: 'SIGSTOP of a worker for longer than its locks, in a transaction or not, then SIGCONT',
    breaks: ['worker 0', 'mongodb proxies'],
    async does({ stack, choices, mark }) {
      const worker = stack.workers[0]!;
      const trap = choices.chance(50) ? trapRequest(worker.mongodbProxy!, 'commitTransaction') : undefined;
      await within(trap?.caught ?? Promise.resolve(), caughtWithinMs, 'a commit');
      worker.signal('SIGSTOP');
      const marked = mark();
      return () => {
        worker.signal('SIGCONT');
        trap?.release('pass');
        return marked;
      };
    },
    lasts: { ms: [frozenMs, frozenMs] },
  },
  {
    name: 'worker-loses-redis',
    what: 'one worker is cut off from Redis, which closes its connections or never answers, while the others keep it',
    needs: 'redis proxies',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['redis proxies'],
    reliesOn: ['redis'],
    breaksOneOf: ['worker'],
    afterMs: [50, 800],
    does: (run) => cutOff(run, run.choices.pick(run.free(run.stack.workers)).redisProxy!),
    ...whileCutOff,
  },
  {
    name: 'worker-clock-ahead',
    what: 'the clock of one worker is an hour ahead, which no order and no flow is to show',
    breaks: ['worker 0', 'mongodb proxies'],
    async does(run) {
      const worker = run.stack.workers[0]!;
      await stopInOrder(run, [worker]);
      await worker.start(clockAheadMs);
      // It posts some of what comes from now on.
      await atCommit(worker);
      return () => stopInOrder(run, [worker]);
    },
    lasts: { creates: [40, 80] },
    holds: ({ mark }) => mark(),
  },
  {
    name: 'worker-loses-mongodb',
    what: 'one worker is cut off from MongoDB, which closes its connections or never answers, while the others keep it',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['worker 0', 'mongodb proxies'],
    reliesOn: ['mongodb', 'worker 1'],
    afterMs: [50, 800],
    does: (run) => cutOff(run, run.stack.workers[0]!.mongodbProxy!),
    ...whileCutOff,
  },
  {
    name: 'buckets-run-twice',
    what: 'workers that each believe that they own all workspaces: several jobs of each bucket at once',
    breaks: ['worker 0', 'worker 1'],
    reliesOn: ['a web', 'redis'],
    rounds: [2, 5],
    async does({ stack, load, choices }) {
      const workspaceIds = stack.books.map(({ workspaceId }) => workspaceId);
      await load.untilAcknowledged(choices.whole(5, 20), acknowledgedWithinMs);
      await addJobs(stack, workspaceIds, jobsBeside);
    },
  },
];

async function cutOff({ choices, mark }: FaultRun, proxy: Proxy): Promise<() => void> {
  const hanging = hang([proxy]);
  if (choices.chance(50)) {
    proxy.cutAll();
    proxy.intercept(() => 'cut');
  }
  await mark();
  return hanging.release;
}

/** The first worker is the one whose way to MongoDB leads through a proxy. */
async function killAtCommit({ stack: { workers } }: FaultRun, setTrap: typeof trapReply): Promise<void> {
  await atCommit(workers[0], { setTrap, verdict: 'cut' }, async () => workers[0]?.kill());
}
