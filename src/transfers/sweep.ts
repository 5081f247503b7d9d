import { leastIdAt } from '../domain/ids.ts';
import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/queue.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';

export interface Sweeper {
  /** Stops; resolves once a round under way has ended and the lease is given up. */
  close(): Promise<void>;
}

interface SweeperTools {
  readonly collections: Collections;
  readonly queue: PostingQueue;
  readonly log: Logger;
  /** Names this process in the lease. */
  readonly holder: string;
}

/** Of the processes that sweep, who holds this lease does. */
export const sweeperLease = 'sweeper';
const roundEveryMs = 1_000;
const roundMaxMs = 10_000;
const leaseDurationMs = 5 * roundEveryMs;
/** An order younger than this is still on its ordinary way. */
const ageMinMs = 5_000;
const groupSizeMax = 256;
const groupsPerRoundMax = 80;
/** With this many jobs waiting, the workers have enough to do: a round then enqueues only so many groups. */
const waitingJobsMax = 80;
const groupsPerFullRound = 1;
/** From an order's creation to its enqueuing. */
const enqueueDelayMaxMs = 2_000;
/** For longer neither an order nor a pass waits for jobs: their times come from other hosts' clocks. */
const deferredMaxMs = 60_000;

/** How far the sweeper is: a pass goes from the oldest order to the newest, over several rounds. */
interface Pass {
  /** The last id that was enqueued; '' before the first. */
  readonly after: string;
  /** When that was, by this host's clock; */
  readonly sweptAt: Date;
  /** and by one that is never set. */
  readonly sweptAtMs: number;
}

const noPass: Pass = { after: '', sweptAt: new Date(0), sweptAtMs: -Infinity };

/**
 * Finds orders that stayed PENDING because their job was lost, and enqueues them again in groups. One process sweeps at
 * a time, by a lease; when it dies the next takes over within seconds. A round is bounded, and slows down while the queue
 * is full, so that any backlog drains at the workers' speed. Enqueuing an order twice is harmless.
 */
export function startSweeper(tools: SweeperTools): Sweeper {
  const { collections, holder, log } = tools;
  let pass = noPass;
  const rounds = startRounds({
    everyMs: roundEveryMs,
    roundMaxMs,
    round: async () => {
      if (await collections.leases.take(sweeperLease, holder, leaseDurationMs)) pass = await sweepRound(tools, pass);
    },
    onError: (error) => {
      log.warn({ err: error }, 'sweep round failed; the next one tries again');
    },
    onRecovered: () => {
      log.info('sweeping goes on');
    },
  });
  return {
    async close() {
      await rounds.close();
      await collections.leases.release(sweeperLease, holder).catch(() => undefined);
    },
  };
}

async function sweepRound({ collections, queue, log }: SweeperTools, pass: Pass): Promise<Pass> {
  const now = Date.now();
  const oldestJobAt = await queue.oldestJobAt();
  // What the last pass enqueued is not posted yet: another pass would only enqueue it again.
  const isCarried = oldestJobAt !== undefined && oldestJobAt <= pass.sweptAt;
  if (pass.after === '' && isCarried && performance.now() - pass.sweptAtMs < deferredMaxMs) return pass;
  // The queue is first in, first out: what came before its oldest job is posted by now, or its job is lost.
  const beforeJobsMs = oldestJobAt === undefined ? now : oldestJobAt.getTime() - enqueueDelayMaxMs;
  const youngestMs = Math.max(Math.min(now - ageMinMs, beforeJobsMs), now - deferredMaxMs);
  const before = leastIdAt('order', new Date(youngestMs));

  let { after } = pass;
  let swept = 0;
  for (let group = 0; group < groupsPerRoundMax; group += 1) {
    if (group >= groupsPerFullRound && (await queue.waitingCount()) >= waitingJobsMax) break;
    const ids = await collections.orders.pendingIds({ after, before, countMax: groupSizeMax });
    await queue.enqueue(ids);
    swept += ids.length;
    after = ids.length < groupSizeMax ? '' : (ids.at(-1) ?? '');
    if (after === '') break;
  }
  if (swept === 0) return { ...pass, after };
  log.info({ orders: swept }, 'orders that nobody had posted are enqueued again');
  return { after, sweptAt: new Date(), sweptAtMs: performance.now() };
}
