import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Collections } from '../storage/collections.ts';
import type { ClientSession } from '../storage/transaction.ts';

export interface Heartbeat {
  /** Stops; resolves once this process is no longer listed. */
  close(): Promise<void>;
}

interface HeartbeatTools {
  readonly collections: Collections;
  /** The session whose transactions others end where this process dies. */
  readonly session: ClientSession;
  /** Names this process. */
  readonly holder: string;
  readonly log: Logger;
}

const beatEveryMs = 1_000;
const roundMaxMs = 15_000;
/** Silent for so long, a process counts as dead: its open transaction is ended, so that others can post on its wallets. */
const silentMs = 4_000;

/** Keeps saying that this worker process is alive, and ends the open transactions of those that no longer are. */
export function startHeartbeat({ collections, session, holder, log }: HeartbeatTools): Heartbeat {
  const { posters } = collections;
  const rounds = startRounds({
    everyMs: beatEveryMs,
    roundMaxMs,
    round: async () => {
      await posters.beat(holder, session);
      const reaped = await posters.reapSilent(silentMs);
      if (reaped.length > 0) log.warn({ workers: reaped }, 'workers fell silent; their open transactions are ended');
    },
    onError: (error) => {
      log.warn({ err: error }, 'heartbeat failed; the next one tries again');
    },
  });
  return {
    async close() {
      await rounds.close();
      await posters.remove(holder).catch(() => undefined);
    },
  };
}
