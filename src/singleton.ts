import pTimeout from 'p-timeout';
import type { Logger } from './log.ts';
import { startRounds } from './rounds.ts';

interface SingletonOptions {
  /** Of the lease. */
  readonly name: string;
  readonly leases: {
    /** Takes a lease that is free or has expired, or prolongs the holder's own. @returns whether the holder has it. */
    take(name: string, holder: string, durationMs: number): Promise<boolean>;
    /** Gives the holder's lease back. */
    release(name: string, holder: string): Promise<void>;
  };
  readonly instanceId: string;
  readonly everyMs: number;
  /** Work that takes longer has failed. */
  readonly workMaxMs: number;
  /** Whether this process can do the work now. */
  readonly mayWork: () => boolean;
  readonly work: () => Promise<void>;
  /** What the work is, and the log for failures. */
  readonly logged: { readonly log: Logger; readonly what: string };
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** How many rounds may pass until a lease that its holder does not prolong expires. */
const leaseRounds = 5;
/** How many rounds a process leaves to the others after its work failed. */
const restRounds = 3;
/** Longer than MongoDB takes to answer for the lease, or to fail. */
const leaseAnswerMaxMs = 12_000;

/**
 * Has one process at a time do something again and again, under a lease that it keeps only while the work succeeds. After
 * work that failed, or once it may not work, it gives the lease back, so that another process, which may be able to, goes
 * on at once. If none does, it tries again after a few rounds. A lease is advisory: two may work at once for a moment.
 */
export function startSingleton(options: SingletonOptions) {
  const { name, leases, instanceId, everyMs, workMaxMs, mayWork, work, logged } = options;
  const { now = () => performance.now() } = options;
  let mayHold = false;
  let restsUntil = -Infinity;

  async function giveBack(): Promise<void> {
    if (!mayHold) return;
    await leases.release(name, instanceId);
    mayHold = false;
  }

  async function round(): Promise<void> {
    if (!mayWork() || now() < restsUntil) {
      await giveBack();
      return;
    }
    // Before the answer, because one that is lost may have given the lease.
    mayHold = true;
    mayHold = await leases.take(name, instanceId, leaseRounds * everyMs);
    if (!mayHold) return;
    try {
      await pTimeout(work(), { milliseconds: workMaxMs });
    } catch (error) {
      restsUntil = now() + restRounds * everyMs;
      // If this fails too, the next round repeats it.
      await giveBack().catch(() => undefined);
      throw error;
    }
  }

  const rounds = startRounds({ everyMs, roundMaxMs: workMaxMs + 2 * leaseAnswerMaxMs, round, logged });
  return {
    /** Stops; resolves once a round under way has ended and the lease is given back. */
    async close(): Promise<void> {
      await rounds.close();
      await giveBack().catch(() => undefined);
    },
  };
}
