import { setTimeout as delay } from 'node:timers/promises';
import { checkBooks } from '../measure/check-books.ts';
import { record, wake } from '../measure/enqueue.ts';
import { watchPosted } from '../measure/posted-watch.ts';
import { startWorkers, type RunningWorkers } from '../measure/product.ts';
import { WrongWorkError } from '../measure/wrong-work.ts';
import { startDelayProxy } from '../servers/delay-proxy.ts';
import type { Stage } from '../servers/stage.ts';
import { furtherFunding, type Backlog, type ManyBooks } from './books.ts';
import type { Posted } from './progress.ts';

export interface Session {
  readonly stage: Stage;
  readonly backlog: Backlog;
  readonly workers: RunningWorkers;
  /** Process ids by name. */
  readonly pids: Readonly<Record<string, number>>;
  /** What was heard of so far, by this process's clock (`performance.now()`). */
  readonly posted: readonly Posted[];
  /** Waits until something is posted, and then for a while. */
  untilPosting(): Promise<void>;
}

export interface SessionOptions {
  readonly workers: number;
  /** Between the workers and MongoDB, in each direction. */
  readonly delayMs: number;
  readonly backlog: Backlog;
  /** Whether all are recorded, and woken, before the workers start; else the measurement does both. */
  readonly isRecordedFirst: boolean;
}

/** Two, however many the product has where nothing is set: what is compared must be alike. */
const groupsInFlight = 2;
const settleMs = 2_000;
const postedWithinMs = 60_000;
/** How long the rest takes at the most. */
const restMaxMs = 120_000;
const lookEveryMs = 500;

/**
 * Runs workers behind a proxy that delays, over the orders of a backlog. When `measure` is done, the rest is left to finish,
 * and the books are verified.
 */
export async function withSession<T>(
  books: ManyBooks,
  { workers: count, delayMs, backlog, isRecordedFirst }: SessionOptions,
  measure: (session: Session) => Promise<T>,
): Promise<T> {
  const { stage } = books;
  const posted: Posted[] = [];
  const watch = await watchPosted(stage.servers.redisUrl, stage.prefix, (ids) => {
    const at = performance.now();
    const buckets = ids.map((id) => backlog.bucketOf.get(id) ?? -1);
    for (const [bucket, some] of Map.groupBy(buckets, (each) => each)) {
      posted.push({ at, bucket, orders: some.length });
    }
  });
  const closers: (() => unknown)[] = [
    () => {
      watch.close();
    },
  ];
  try {
    if (isRecordedFirst) {
      await record(stage, backlog.orders);
      await wake(stage, backlog.orders);
    }
    const proxy = await startDelayProxy(stage, delayMs);
    closers.push(() => proxy.stop());
    const env = { ...proxy.env, POSTING_GROUPS_IN_FLIGHT: String(groupsInFlight) };
    const workers = await startWorkers({ env }, count);
    closers.push(() => workers.stop().catch(() => undefined));
    const pids = { ...stage.servers.pids, proxy: proxy.pid, ...workers.pids };
    const untilPosting = async (): Promise<void> => {
      const deadline = performance.now() + postedWithinMs;
      while (posted.length === 0) {
        if (performance.now() > deadline) throw new WrongWorkError('nothing was posted within a minute');
        await delay(lookEveryMs);
      }
      await delay(settleMs);
    };
    const result = await measure({ stage, backlog, workers, pids, posted, untilPosting });
    await untilNonePending(stage);
    await workers.stop();
    const completed = backlog.orders.length + furtherFunding(books);
    await checkBooks(stage, { completed, failed: 0, pending: 0, unknown: 0 });
    return result;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** Asks MongoDB: what a worker posted right before it was killed, no notice names. */
async function untilNonePending({ world }: Stage): Promise<void> {
  const orders = world.db.collection('orders');
  const deadline = performance.now() + restMaxMs;
  for (;;) {
    const pending = await orders.countDocuments({ status: 'PENDING' });
    if (pending === 0) return;
    if (performance.now() > deadline) throw new WrongWorkError(`${pending} orders were not posted in time`);
    await delay(lookEveryMs);
  }
}
