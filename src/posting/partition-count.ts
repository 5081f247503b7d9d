import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import { bringUp } from '../storage/shared/start.ts';
import type { Partitioning } from '../storage/partitioning/partitioning.ts';

export type PartitionCount = Awaited<ReturnType<typeof followPartitionCount>>;

const lookEveryMs = 1_000;
const roundMaxMs = 5_000;

/**
 * Follows the recorded number of partitions, and which of them are paused. The operator may change both while the service
 * runs.
 * @param wanted the number in this process's settings, if they have one. @throws SettingsError another number is recorded;
 * the signal's reason.
 */
export async function followPartitionCount(
  partitioning: Partitioning,
  wanted: number | undefined,
  log: Logger,
  signal: AbortSignal,
) {
  let known = await bringUp(
    async () => {
      const count = await partitioning.agree(wanted);
      return (await partitioning.read()) ?? { count, paused: new Set<number>() };
    },
    log,
    signal,
  );
  const listeners = new Set<() => void>();
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const { count, paused } = (await partitioning.read()) ?? known;
      if (count !== known.count) log.info({ from: known.count, to: count }, 'the number of partitions is another one');
      const isOther = [...paused].join() !== [...known.paused].join();
      known = { count, paused };
      if (!isOther) return;
      log.info({ paused: [...paused] }, 'paused partitions');
      for (const listener of listeners) listener();
    },
    logged: { log, what: 'reading the number of partitions' },
  });
  return {
    /** As this process knows it now. */
    now: () => known.count,
    isPaused: (partition: number) => known.paused.has(partition),
    /** Calls a listener whenever other partitions are paused than before, until the function that it returns is called. */
    onPauses: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: () => rounds.close(),
  };
}
