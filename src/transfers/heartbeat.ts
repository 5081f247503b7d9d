import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';
import type { OtherPoster, Standing } from '../storage/posters.ts';
import type { ClientSession } from '../storage/transaction.ts';

export interface Heartbeat {
  /**
   * Whether other worker processes may be posting, as they said at the last beat. True until the second: of two that start
   * at once the first beat of one may miss the other.
   */
  hasCompany(): boolean;
  /**
   * Whether one whose name comes before this process's took jobs at the last beat. True until the first. (Of two that are
   * away neither counts on the other.)
   */
  hasRelief(): boolean;
  /** Says at once what this process does; the others know it {@link knownAfterMs} later, as a rule. */
  setStanding(standing: Standing): void;
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
  readonly beatEveryMs?: number;
}

const usualBeatEveryMs = 1_000;
/** A beat of each other, and what it takes. Those whose beats fail know it later. */
export const knownAfterMs = 1.5 * usualBeatEveryMs;
const roundMaxMs = 10_000;
/** Silent for so long, a process counts as dead: its open transactions are ended, so that others can post on its wallets. */
const silentMs = 4_000;

/** Keeps saying that this worker process is alive, and ends the open transactions of those that no longer are. */
export function startHeartbeat(tools: HeartbeatTools): Heartbeat {
  const { collections, sessions, holder, log, beatEveryMs = usualBeatEveryMs } = tools;
  const { posters } = collections;
  let standing: Standing = 'taking';
  let beats = 0;
  /** At the last beat. */
  let others: readonly OtherPoster[] = [];
  const rounds = startRounds({
    everyMs: beatEveryMs,
    roundMaxMs,
    round: async () => {
      // First, so that the beat finds those alone that are alive.
      const reaped = await posters.reapSilent(holder, silentMs);
      if (reaped.length > 0) log.warn({ workers: reaped }, 'workers fell silent; their open transactions are ended');
      others = await posters.beat({ id: holder, sessions, standing });
      beats += 1;
    },
    onError: (error) => {
      log.warn({ err: error }, 'heartbeat failed; the next one tries again');
    },
    onRecovered: () => {
      log.info('heartbeat goes on');
    },
  });
  return {
    hasCompany: () => beats < 2 || others.some((other) => other.standing !== 'away'),
    hasRelief: () => beats < 1 || others.some((other) => other.id < holder && other.standing === 'taking'),
    setStanding(next) {
      if (next === standing) return;
      standing = next;
      rounds.hasten();
    },
    async close() {
      await rounds.close();
      await posters.remove(holder).catch(() => undefined);
    },
  };
}
