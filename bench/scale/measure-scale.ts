import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicrosEach, type Measured } from '../measure/measured.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import { makeBacklog, type ManyBooks } from './books.ts';
import { ordersWithin, rateWithin } from './progress.ts';
import { withSession, type Session } from './session.ts';

export interface ScaleOptions {
  readonly workers: number;
  readonly delayMs: number;
  readonly seconds: number;
  readonly ordersPerWorker: number;
  readonly hotPercent: number;
  readonly seed: number;
}

/** With fewer orders left for each worker, one may not have filled its two groups any more. */
const leftMin = 2_048;

/**
 * The rate at which workers post while each has more than enough to do: within a window that begins two seconds after the
 * first are posted.
 * @throws where too few were left, or nothing was posted: that would measure something else.
 */
export async function measureScale(books: ManyBooks, options: ScaleOptions): Promise<Measured> {
  const { workers, delayMs, seconds, ordersPerWorker, hotPercent, seed } = options;
  const backlog = makeBacklog(books, { count: ordersPerWorker * workers, hotPercent, seed });
  return withSession(books, { workers, delayMs, backlog, isRecordedFirst: true }, async (session) => {
    const { pids, posted } = session;
    await session.untilPosting();
    const before = await cpuSeconds(pids);
    const from = performance.now();
    await delay(seconds * 1000);
    const to = performance.now();
    const used = cpuSince(before, await cpuSeconds(pids));
    refuseIdle(session, workers, to);
    const done = ordersWithin(posted, { from, to });
    if (done === 0) throw new Error(`no order was posted within ${seconds} s; try more --seconds`);
    const coresBusy = Object.values(used).reduce((sum, each) => sum + each, 0) / ((to - from) / 1000);
    return {
      done,
      recorded: backlog.orders.length,
      seconds: (to - from) / 1000,
      perSecond: rateWithin(posted, { from, to }),
      figures: { 'cores busy': coresBusy },
      cpuMicros: cpuMicrosEach(used, done),
    };
  });
}

function refuseIdle({ backlog, posted }: Session, workers: number, at: number): void {
  const left = backlog.orders.length - ordersWithin(posted, { from: -Infinity, to: at });
  if (left >= leftMin * workers) return;
  throw new Error(
    `${left} of ${backlog.orders.length} orders were left: too few for all to be busy; try more --orders`,
  );
}
