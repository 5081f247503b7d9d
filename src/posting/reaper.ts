import type { Logger } from '../log.ts';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import type { Pulse } from '../storage/processes/pulse.ts';
import { silentMs } from './heartbeat.ts';

const usualLimits = {
  /** The pause between looks. */
  lookEveryMs: 1_000,
  /** The longest that a look may take. */
  lookMaxMs: 2_000,
};

/**
 * Keeps ending the open transactions of worker processes that fell silent. Its rounds are separate from the heartbeat's, so
 * that this process does not look dead if MongoDB refuses the reaping or does not answer.
 * @param instanceId this process, which never gives itself up.
 */
export function startReaper(
  instanceId: string,
  pulse: Pick<Pulse, 'workers'>,
  log: Logger,
  limits: Partial<typeof usualLimits> = {},
): Rounds {
  const { lookEveryMs, lookMaxMs } = { ...usualLimits, ...limits };
  return startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: lookMaxMs,
    round: async () => {
      const workers = await pulse.workers.reapSilent(instanceId, silentMs);
      if (workers.length > 0) log.warn({ workers }, 'workers fell silent; their open transactions are ended');
    },
    logged: { log, what: 'ending the transactions of silent workers' },
  });
}
