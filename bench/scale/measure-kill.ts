import { setTimeout as delay } from 'node:timers/promises';
import type { Measured } from '../measure/measured.ts';
import { bucketCount } from '../../src/domain/bucket.ts';
import { holdersOf, record, wake } from '../measure/enqueue.ts';
import { makeBacklog, type ManyBooks } from './books.ts';
import { dipOf, heardAgain, ordersWithin, ratesOf } from './progress.ts';
import { withSession, type Session } from './session.ts';

export interface KillOptions {
  readonly workers: number;
  readonly delayMs: number;
  /** Before the kill. */
  readonly seconds: number;
  readonly ratePerSecond: number;
  readonly hotPercent: number;
  readonly seed: number;
}

/** Longer than any dip that is to be told from the next state. */
const afterSeconds = 15;
/** From the first job to the window, and on from the end of what is looked at. */
const leadSeconds = 3;
const tailSeconds = 1;
const feedEveryMs = 20;
/** What the killed worker had said is heard by then. */
const lastWordsMs = 100;

/**
 * Orders come at a constant rate which the workers left can post as well, and a worker is killed: what is posted a second
 * shows for how long its share was missing. (Under a backlog of more than can be posted it would show what three workers
 * do instead of four.)
 */
export async function measureKill(books: ManyBooks, options: KillOptions): Promise<Measured> {
  const { workers, delayMs, seconds, ratePerSecond, hotPercent, seed } = options;
  const count = Math.round(ratePerSecond * (leadSeconds + seconds + afterSeconds + tailSeconds));
  const backlog = makeBacklog(books, { count, hotPercent, seed });
  return withSession(books, { workers, delayMs, backlog, isRecordedFirst: false }, async (session) => {
    const killing = killAfter(session, leadSeconds + seconds);
    const [killed] = await Promise.all([killing, feed(session, ratePerSecond)]);
    return figures(session, { ...options, ...killed });
  });
}

interface Killed {
  readonly killedAt: number;
  /** What it posted, or had posted last. */
  readonly buckets: ReadonlySet<number>;
}

async function killAfter({ stage, workers }: Session, seconds: number): Promise<Killed> {
  await delay(seconds * 1000);
  const [victim] = workers.all;
  if (victim === undefined) throw new Error('there is no worker to be killed');
  const killedAt = performance.now();
  await victim.kill();
  const holders = await holdersOf(stage, bucketCount);
  const own = holders.flatMap((holder, bucket) => (holder?.split(':')[1] === String(victim.pid) ? [bucket] : []));
  return { killedAt, buckets: new Set(own) };
}

/** Open loop: orders are recorded, and their workspaces woken, when they are due, whatever became of those before them. */
async function feed({ stage, backlog }: Session, ratePerSecond: number): Promise<void> {
  const startedAt = performance.now();
  let fed = 0;
  while (fed < backlog.orders.length) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond);
    if (due > fed) {
      const orders = backlog.orders.slice(fed, due);
      await record(stage, orders);
      await wake(stage, orders);
    }
    fed = Math.max(fed, due);
    await delay(feedEveryMs);
  }
}

function figures(
  { posted, backlog }: Session,
  { killedAt, buckets, seconds, ratePerSecond }: Killed & KillOptions,
): Measured {
  const before = { from: killedAt - seconds * 1000, to: killedAt };
  const after = { from: killedAt, to: killedAt + afterSeconds * 1000 };
  const done = ordersWithin(posted, before);
  const usual = done / seconds;
  const dip = dipOf(posted, after, usual);
  const again = heardAgain(posted, buckets, killedAt + lastWordsMs).map((at) => (at - killedAt) / 1000);
  return {
    done,
    recorded: backlog.orders.length,
    seconds,
    perSecond: usual,
    figures: {
      // Where it is not all of it, there were too many orders for the workers, and the rest says nothing.
      'posted of what came, %': (usual / ratePerSecond) * 100,
      'below 90 %, s': dip.seconds,
      'the same before the kill, s': dipOf(posted, { ...before, from: before.from + 1_000 }, usual).seconds,
      'lowest second, % of before': dip.lowest * 100,
      "without the killed one's share, %": (1 - ordersWithin(posted, before, buckets) / done) * 100,
      'first of its buckets again after, s': Math.min(...again),
      'last of its buckets again after, s': Math.max(...again),
    },
    rates: ratesOf(posted, { from: before.from, to: after.to }),
    cpuMicros: {},
  };
}
