import pTimeout from 'p-timeout';
import type { Logger } from '../log.ts';
import { idle, startRounds } from './rounds.ts';

/** A process that may come to hold leases. */
export interface LeaseCandidate {
  readonly leases: {
    /** Takes a lease that is free or has expired, or renews the holder's own. @returns whether the holder has it. */
    take(name: string, holder: string, durationMs: number): Promise<boolean>;
    /** Gives the holder's lease back. */
    release(name: string, holder: string): Promise<void>;
  };
  readonly instanceId: string;
  /** Whether this process can do the work now. */
  readonly mayWork: () => boolean;
}

interface Job {
  /** Of the lease. */
  readonly lease: string;
  /** What the work is, for the log. */
  readonly what: string;
  readonly everyMs: number;
  /** Work that takes longer has failed. */
  readonly workMaxMs: number;
}

/** How many rounds may pass until a lease that its holder does not renew expires. */
const leaseRounds = 5;
/** How many rounds a process leaves to the others after its work failed. */
const restRounds = 3;
/** Longer than MongoDB takes to answer for the lease, or to fail. */
const leaseAnswerMaxMs = 12_000;

/**
 * Has one process at a time do something again and again, under a lease. A process is in one of three states:
 * - **Idle**: another one holds the lease, or this one may not work. Each round it tries to take the lease.
 * - **Working**: it holds the lease, and renews it each round, for as long as the work succeeds.
 * - **Resting**: its work failed. It gives the lease back, so that another process, which may be able to, goes on at once, and is
 *   idle again after a few rounds.
 *
 * A lease is advisory: two may work at once for a moment.
 * @param work resolves to true if there is more to do, without a pause.
 */
export function startSingleton(
  { lease, what, everyMs, workMaxMs }: Job,
  { leases, instanceId, mayWork }: LeaseCandidate,
  work: () => Promise<unknown>,
  log: Logger,
) {
  let mayHold = false;
  let restsUntil = -Infinity;

  async function giveBack(): Promise<void> {
    if (!mayHold) return;
    await leases.release(lease, instanceId);
    mayHold = false;
  }

  async function round(): Promise<typeof idle | undefined> {
    if (!mayWork() || performance.now() < restsUntil) {
      await giveBack();
      return idle;
    }
    // Before the answer, because one that is lost may have given the lease.
    mayHold = true;
    mayHold = await leases.take(lease, instanceId, leaseRounds * everyMs);
    // Whether the work succeeds elsewhere says nothing of this process.
    if (!mayHold) return idle;
    try {
      const hasMore = await pTimeout(work(), { milliseconds: workMaxMs });
      if (hasMore === true) rounds.runNow();
      return undefined;
    } catch (error) {
      restsUntil = performance.now() + restRounds * everyMs;
      // If this fails too, the next round repeats it.
      await giveBack().catch(() => undefined);
      throw error;
    }
  }

  const rounds = startRounds({ everyMs, roundMaxMs: workMaxMs + 2 * leaseAnswerMaxMs, round, logged: { log, what } });
  return {
    /** Stops; resolves once a round under way has ended and the lease is given back. */
    async close(): Promise<void> {
      await rounds.close();
      await giveBack().catch(() => undefined);
    },
  };
}
