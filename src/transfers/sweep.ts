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

const leaseName = 'sweeper';
const roundEveryMs = 1_000;
const roundMaxMs = 15_000;
const leaseDurationMs = 5 * roundEveryMs;
/** An order younger than this is still on its ordinary way. */
const ageMinMs = 5_000;
const groupSizeMax = 256;
const groupsPerRoundMax = 80;
/** With this many jobs waiting, the workers have enough to do: sweeping more would only double what waits already. */
const waitingJobsMax = 80;

/**
 * Finds orders that stayed PENDING because their job was lost, and enqueues them again in groups. One process sweeps at
 * a time, by a lease; when it dies the next takes over within seconds. A round is bounded, and pauses while the queue is
 * full, so that any backlog drains at the workers' speed. Enqueuing an order twice is harmless.
 */
export function startSweeper(tools: SweeperTools): Sweeper {
  const { collections, holder, log } = tools;
  let after = '';
  const rounds = startRounds({
    everyMs: roundEveryMs,
    roundMaxMs,
    round: async () => {
      if (await collections.leases.take(leaseName, holder, leaseDurationMs)) after = await sweepRound(tools, after);
    },
    onError: (error) => {
      log.warn({ err: error }, 'sweep round failed; the next one tries again');
    },
  });
  return {
    async close() {
      await rounds.close();
      await collections.leases.release(leaseName, holder).catch(() => undefined);
    },
  };
}

/** @returns the id after which the next round goes on; '' where this one came to the end. */
async function sweepRound({ collections, queue, log }: SweeperTools, startAfter: string): Promise<string> {
  const before = leastIdAt('order', new Date(Date.now() - ageMinMs));
  let after = startAfter;
  let swept = 0;
  for (let group = 0; group < groupsPerRoundMax; group += 1) {
    if ((await queue.waitingCount()) >= waitingJobsMax) break;
    const ids = await collections.orders.pendingIds({ after, before, countMax: groupSizeMax });
    await queue.enqueue(ids);
    swept += ids.length;
    after = ids.length < groupSizeMax ? '' : (ids.at(-1) ?? '');
    if (after === '') break;
  }
  if (swept > 0) log.info({ orders: swept }, 'orders that nobody had posted are enqueued again');
  return after;
}
