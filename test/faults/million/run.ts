import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startWorkers } from '../../../bench/measure/product.ts';
import { startServers, type Servers } from '../../../bench/servers/servers.ts';
import { createChoices } from '../harness/choices.ts';
import { openBooks, recordOrders, type MillionBooks } from './books.ts';
import { checkWorkspaces } from './check.ts';
import { deliveredApart, planDeliveries, type Delivery } from './deliveries.ts';
import { feed, jobsOf, unfinishedMax, type Fed } from './feed.ts';
import { judge, type Expected, type Outcome } from './judge.ts';
import type { MillionOptions } from './options.ts';
import type { Progress } from './progress.ts';
import { runVerify } from './verify.ts';

export interface MillionReport extends Outcome {
  engine: string;
  expected: Expected;
  jobs: { delivered: number; doubled: number };
  /** Empty where everything held. */
  breaches: string[];
}

interface Place {
  options: MillionOptions;
  servers: Servers;
  books: MillionBooks;
  prefix: string;
  env: NodeJS.ProcessEnv;
  progress: Progress;
  signal: AbortSignal;
}

/** As many as an accept flush or a sweep makes under load; fewer where there would be few jobs. */
const ordersOfJobMax = 200;
const jobsMin = 250;
const settledWithinMs = 60_000;
const pollMs = 100;

/**
 * Records the orders, posts them by jobs of which some come twice, and checks the books with `admin verify` and with the
 * fault suite's own checker. Servers and database are its own, and are gone afterwards.
 * @throws where something stands still, a process does not end in order, or `signal` aborts.
 */
export async function runMillion(
  options: MillionOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<MillionReport> {
  const servers = await startServers();
  const prefix = `million_${randomBytes(6).toString('hex')}`;
  const uri = servers.mongodbUri(prefix);
  try {
    const books = await openBooks(uri, options.orders);
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...{ MONGODB_URI: uri, REDIS_URL: servers.redisUrl, QUEUE_PREFIX: prefix, LOG_LEVEL: 'info', OPS_PORT: '0' },
      MASTER_KEYS: books.worlds[0]!.masterKeys,
    };
    try {
      return await runOn({ options, servers, books, prefix, env, progress, signal });
    } finally {
      // That of its own engine goes with the engine's file.
      if (servers.pids['mongodb'] === undefined) await books.worlds[0]!.db.dropDatabase();
      await books.close();
    }
  } finally {
    await servers.close();
  }
}

async function runOn(place: Place): Promise<MillionReport> {
  const { options, servers, books, env, progress, signal } = place;
  const { orders, seed } = options;
  progress.begin('recording', orders);
  const recorded = await recordOrders(books, { orders, seed, signal, onProgress: progress.show });
  progress.end();

  const partitionCount = await books.worlds[0]!.collections.partitioning.agree(undefined);
  const jobs = jobsOf(recorded, Math.min(ordersOfJobMax, Math.ceil(orders / jobsMin)), partitionCount);
  const ordersIn = (deliveries: Delivery[]): number => deliveries.reduce((sum, { job }) => sum + jobs[job]!.orders, 0);
  const plan = planDeliveries(jobs.length, options.doubledPercent, createChoices(seed));
  const fed = await post(place, { plan, jobs });

  const verified = await runVerify(env, orders, signal);
  const workspaceIds = books.worlds.map(({ workspaceId }) => workspaceId);
  progress.begin('checking', workspaceIds.length);
  const checked = await checkWorkspaces(books.worlds[0]!.db, workspaceIds, progress.show, signal);
  progress.end();
  const expected: Expected = {
    completed: orders - books.failing + books.fundingOrders,
    failed: books.failing,
    delivered: ordersIn(plan),
    doubled: ordersIn(plan) - orders,
    doubledApart: ordersIn(deliveredApart(plan, unfinishedMax)),
  };
  const outcome = { fed, verified, checked };
  return {
    ...outcome,
    engine: servers.engine.name,
    expected,
    jobs: { delivered: plan.length, doubled: plan.length - jobs.length },
    breaches: judge(expected, outcome),
  };
}

/** With workers that run only meanwhile: what is checked afterwards stands still. */
async function post(place: Place, work: Pick<Parameters<typeof feed>[0], 'plan' | 'jobs'>): Promise<Fed> {
  const { options, servers, books, prefix, progress, signal } = place;
  const workers = await startWorkers(place, options.workers);
  try {
    progress.begin('posting', work.plan.length);
    const fed = await feed({
      ...work,
      ...{ redisUrl: servers.redisUrl, prefix, onProgress: progress.show, signal },
    });
    await untilSettled(books, signal);
    progress.end();
    await workers.stop();
    return fed;
  } finally {
    // What went wrong before is what has to be told.
    await workers.stop().catch(() => undefined);
  }
}

async function untilSettled({ worlds }: MillionBooks, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + settledWithinMs;
  for (;;) {
    const limits = { countMax: 1_000, perWorkspaceMax: 1_000 };
    const { waiting: pending } = await worlds[0]!.collections.backlog.look(limits);
    if (pending === 0) return;
    if (performance.now() > deadline) throw new Error(`${pending} orders or more are not terminal`);
    await delay(pollMs, undefined, { signal });
  }
}
