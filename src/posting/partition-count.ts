import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import { bringUp } from '../storage/bring-up.ts';
import type { Partitioning } from '../storage/partitioning.ts';

const lookEveryMs = 1_000;
const roundMaxMs = 5_000;

/**
 * Follows the recorded number of partitions, which the administrator may change while the service runs.
 * @param wanted the number in this process's settings, if they have one. @throws SettingsError another number is recorded;
 * the signal's reason.
 */
export async function followPartitionCount(
  partitioning: Partitioning,
  wanted: number | undefined,
  log: Logger,
  signal: AbortSignal,
) {
  let known = await bringUp(() => partitioning.agree(wanted), log, signal);
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const count = (await partitioning.count()) ?? known;
      if (count !== known) log.info({ from: known, to: count }, 'the number of partitions is another one');
      known = count;
    },
    told: { log, what: 'reading the number of partitions' },
  });
  return {
    /** As this process knows it now. */
    now: () => known,
    close: () => rounds.close(),
  };
}
