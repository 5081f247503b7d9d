import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';
import type { ClientSession } from '../storage/transaction.ts';

export interface Heartbeat {
  /**
   * Whether other worker processes that are not away were alive at one of the last two beats; true until it has beaten
   * twice.
   */
  hasCompany(): boolean;
  /** Says, from the next beat on, whether this process leaves the queue to the others; {@link knownAfterMs} they know it. */
  setAway(isAway: boolean): void;
  /** Stops; resolves once this process is no longer listed. */
  close(): Promise<void>;
}

interface HeartbeatTools {
  readonly collections: Collections;
  /** The sessions whose transactions others end where this process dies. */
  readonly sessions: readonly ClientSession[];
  /** Names this process. */
  readonly holder: string;
  readonly log: Logger;
}

const beatEveryMs = 1_000;
/** A beat of this process, then one of each other. */
export const knownAfterMs = 2.5 * beatEveryMs;
const roundMaxMs = 10_000;
/** Silent for so long, a process counts as dead: its open transactions are ended, so that others can post on its wallets. */
const silentMs = 4_000;

/** Keeps saying that this worker process is alive, and ends the open transactions of those that no longer are. */
export function startHeartbeat({ collections, sessions, holder, log }: HeartbeatTools): Heartbeat {
  const { posters } = collections;
  let company = [true, true];
  let isAway = false;
  const rounds = startRounds({
    everyMs: beatEveryMs,
    roundMaxMs,
    round: async () => {
      company = [...company.slice(1), await posters.beat({ id: holder, sessions, isAway })];
      const reaped = await posters.reapSilent(silentMs);
      if (reaped.length > 0) log.warn({ workers: reaped }, 'workers fell silent; their open transactions are ended');
    },
    onError: (error) => {
      log.warn({ err: error }, 'heartbeat failed; the next one tries again');
    },
    onRecovered: () => {
      log.info('heartbeat goes on');
    },
  });
  return {
    hasCompany: () => company.includes(true),
    setAway(next) {
      isAway = next;
    },
    async close() {
      await rounds.close();
      await posters.remove(holder).catch(() => undefined);
    },
  };
}
