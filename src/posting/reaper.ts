import type { Logger } from '../log.ts';
import { startRounds, type Rounds } from '../rounds.ts';
import type { Pulse } from '../storage/pulse.ts';
import { silentMs } from './heartbeat.ts';

interface ReaperTools {
  readonly pulse: Pulse;
  /** Of this process, which is never given up by itself. */
  readonly instanceId: string;
  readonly log: Logger;
}

const lookEveryMs = 1_000;
const roundMaxMs = 2_000;

/**
 * Keeps ending the open transactions of worker processes that fell silent. In rounds apart from the heartbeat's: where
 * MongoDB refuses it or gives no answer, this process is as alive as before.
 */
export function startReaper({ pulse, instanceId, log }: ReaperTools): Rounds {
  return startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const workers = await pulse.workers.reapSilent(instanceId, silentMs);
      if (workers.length > 0) log.warn({ workers }, 'workers fell silent; their open transactions are ended');
    },
    told: { log, what: 'ending the transactions of silent workers' },
  });
}
