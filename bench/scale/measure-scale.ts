import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import { makeBacklog, type ManyBooks } from './books.ts';
import { factorsOf, groupSums } from './factors.ts';
import { areSame, ownersOf, type Owners } from './owners.ts';
import { ordersWithin, rateWithin } from './progress.ts';
import { groupsInFlight, withSession, type Session } from './session.ts';

export interface ScaleOptions {
  readonly workers: number;
  readonly delayMs: number;
  readonly seconds: number;
  readonly ordersPerWorker: number;
  readonly hotPercent: number;
  readonly seed: number;
}

/** A worker that has fewer orders left does not fill its two groups any more. */
const leftMin = 512;

/**
 * The rate at which workers post while each has more than enough to do: within a window that begins two seconds after all
 * partitions have their owners.
 * @throws where partitions changed hands within the window, a worker's ran empty, or nothing was posted: that would measure
 * something else.
 */
export async function measureScale(books: ManyBooks, options: ScaleOptions): Promise<Measured> {
  const { workers, delayMs, seconds, ordersPerWorker, hotPercent, seed } = options;
  const backlog = makeBacklog(books, { count: ordersPerWorker * workers, hotPercent, seed });
  return withSession(books, { workers, delayMs, backlog, isEnqueuedFirst: true }, async (session) => {
    const { stage, pids, posted } = session;
    const owners = await session.untilPosting();
    const groupsBefore = await groupSums(session.workers.all);
    const before = await cpuSeconds(pids);
    const from = performance.now();
    await delay(seconds * 1000);
    const to = performance.now();
    const used = cpuSince(before, await cpuSeconds(pids));
    const groupsAfter = await groupSums(session.workers.all);
    if (!areSame(owners, await ownersOf(stage))) throw new Error('partitions changed hands while they were measured');
    refuseIdle(session, owners, to);
    const done = ordersWithin(posted, { from, to });
    if (done === 0) throw new Error(`no order was posted within ${seconds} s; try more --seconds`);
    const coresBusy = Object.values(used).reduce((sum, each) => sum + each, 0) / ((to - from) / 1000);
    const perSecond = rateWithin(posted, { from, to });
    return {
      done,
      recorded: backlog.orders.length,
      seconds: (to - from) / 1000,
      perSecond,
      factors: factorsOf(perSecond, workers * groupsInFlight, groupsBefore, groupsAfter),
      figures: { 'cores busy': coresBusy },
      cpuMicros: cpuMicrosEach(used, done),
    };
  });
}

function refuseIdle({ backlog, posted }: Session, owners: Owners, at: number): void {
  for (const [worker, partitions] of owners) {
    const all = [...backlog.partitionOf.values()].filter((partition) => partitions.has(partition)).length;
    const left = all - ordersWithin(posted, { from: -Infinity, to: at }, partitions);
    if (left < leftMin) {
      throw new Error(`${worker} had ${left} of ${all} orders left: too few to have been busy; try more --orders`);
    }
  }
}
