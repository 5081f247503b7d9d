import { setTimeout as delay } from 'node:timers/promises';
import { byWorkspace, type WorkspaceOrders } from '../../../src/domain/workspace-orders.ts';
import { enqueue } from '../harness/enqueue.ts';
import { failCommands } from '../harness/fail-point.ts';
import type { Fault, FaultRun } from '../harness/fault.ts';
import type { Proxy } from '../harness/proxy.ts';
import type { Stack } from '../harness/stack.ts';
import { hang, trapReply, trapRequest, type Trap } from '../harness/traps.ts';
import { within } from '../harness/until.ts';
import { stopInOrder } from './stopping.ts';

const caughtWithinMs = 15_000;
const lostWorkerLimitMs = 15_000;
/** Longer than a worker's leases and its jobs are its own. */
const frozenMs = 12_000;
const deliveries = 5;
const clockAheadMs = 3_600_000;
const unauthorized = 13;

export const workerFaults: readonly Fault[] = [
  {
    name: 'worker-killed',
    what: 'kill -9 of a worker at a random moment',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: [],
    breaksOneOf: ['worker'],
    async inject({ stack, choices, free, mark }) {
      await delay(choices.whole(50, 800));
      await choices.pick(free(stack.workers)).kill();
      await mark();
    },
  },
  {
    name: 'worker-killed-in-transaction',
    what: 'kill -9 of a worker between its last write and its commit',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['worker 0', 'mongodb proxies'],
    inject: (run) => killAtCommit(run, trapRequest),
  },
  {
    name: 'worker-killed-after-commit',
    what: 'kill -9 of a worker whose commit is done, before it hears of it',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['worker 0', 'mongodb proxies'],
    inject: (run) => killAtCommit(run, trapReply),
  },
  {
    name: 'worker-killed-unreaped',
    what: 'kill -9 of a worker in its transaction, which MongoDB at first refuses to end for the others',
    needs: 'fail points',
    breaks: ['worker 0', 'mongodb proxies', 'fail point'],
    reliesOn: ['mongodb'],
    async inject(run) {
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
    what: 'SIGSTOP of a worker for longer than its leases, in a transaction or not, then SIGCONT',
    breaks: ['worker 0', 'mongodb proxies'],
    async inject({ stack, choices, mark }) {
      const [worker] = stack.workers;
      const trap = choices.chance(50) ? trapRequest(proxyOf(worker?.mongodbProxy), 'commitTransaction') : undefined;
      await within(trap?.caught ?? Promise.resolve(), caughtWithinMs, 'a commit');
      worker?.signal('SIGSTOP');
      const marked = mark();
      await delay(frozenMs);
      worker?.signal('SIGCONT');
      trap?.release('pass');
      await marked;
    },
  },
  {
    name: 'worker-loses-redis',
    what: 'one worker is cut off from Redis, which closes its connections or never answers, while the others keep it',
    needs: 'redis proxies',
    terminalWithinMs: lostWorkerLimitMs,
    breaks: ['redis proxies'],
    reliesOn: ['redis'],
    breaksOneOf: ['worker'],
    async inject({ stack, choices, free, mark, load }) {
      await delay(choices.whole(50, 800));
      const proxy = proxyOf(choices.pick(free(stack.workers)).redisProxy);
      const isSilent = choices.chance(50);
      const hanging = hang([proxy]);
      if (!isSilent) {
        proxy.cutAll();
        proxy.intercept(() => 'cut');
      }
      await mark();
      // These come while it is cut off, and end while it is: the others have to take all partitions.
      await load.untilAcknowledged(choices.whole(20, 60), caughtWithinMs);
      await mark();
      hanging.release();
    },
  },
  {
    name: 'worker-clock-ahead',
    what: 'the clock of one worker is an hour ahead, which no order and no flow is to show',
    breaks: ['worker 0', 'mongodb proxies'],
    async inject(run) {
      const { stack, load, choices, mark } = run;
      const worker = stack.workers[0]!;
      await stopInOrder(run, [worker]);
      await worker.start(clockAheadMs);
      const trap = trapRequest(proxyOf(worker.mongodbProxy), 'commitTransaction');
      // It has partitions again, so it posts some of what comes from now on.
      await within(trap.caught, caughtWithinMs, 'a commit').finally(() => {
        trap.release('pass');
      });
      await load.untilAcknowledged(choices.whole(40, 80), caughtWithinMs);
      await mark();
      await stopInOrder(run, [worker]);
    },
  },
  {
    name: 'job-delivered-five-times',
    what: 'the same orders in five jobs',
    breaks: ['worker 0', 'worker 1'],
    reliesOn: ['a web'],
    async inject({ stack, load, choices, mark }) {
      for (const worker of stack.workers) worker.signal('SIGSTOP');
      const before = load.acknowledged().length;
      await load.untilAcknowledged(choices.whole(20, 40), caughtWithinMs).finally(() => {
        for (const worker of stack.workers) worker.signal('SIGCONT');
      });
      const ids = load
        .acknowledged()
        .slice(before)
        .flatMap(({ acknowledged }) => acknowledged?.transferId ?? []);
      await enqueue(stack, await workspacesOf(stack, ids), deliveries);
      await mark();
    },
  },
];

async function workspacesOf({ mongodb }: Stack, ids: readonly string[]): Promise<WorkspaceOrders[]> {
  const orders = mongodb.client.db().collection<{ _id: string; workspaceId: string }>('orders');
  const found = await orders.find({ _id: { $in: [...ids] } }).toArray();
  return byWorkspace(found.map(({ _id, workspaceId }) => ({ id: _id, workspaceId })));
}

/** The first worker is the one whose way to MongoDB leads through a proxy. */
async function killAtCommit({ stack, mark }: FaultRun, setTrap: (proxy: Proxy, text: string) => Trap): Promise<void> {
  const [worker] = stack.workers;
  const trap = setTrap(proxyOf(worker?.mongodbProxy), 'commitTransaction');
  try {
    await within(trap.caught, caughtWithinMs, 'a commit');
    await worker?.kill();
  } finally {
    trap.release('cut');
  }
  await mark();
}

function proxyOf(proxy: Proxy | undefined): Proxy {
  if (proxy === undefined) throw new Error('this process has no such proxy');
  return proxy;
}
