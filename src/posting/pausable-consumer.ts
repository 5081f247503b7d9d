import type { Logger } from '../log.ts';
import type { PartitionConsumer } from '../queue/partition-consumer.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { PartitionCount } from './partition-count.ts';

interface PausableConsumerOptions {
  /** Which partitions are paused, as MongoDB says. */
  readonly pauses: Pick<PartitionCount, 'isPaused' | 'onPauses'>;
  readonly start: () => PartitionConsumer;
  readonly log: Logger;
}

/** For a pause that was not heard of. */
const againEveryMs = 1_000;
/** Longer than a consumer takes to end. */
const roundMaxMs = 30_000;

/**
 * A partition's consumer that is there only while the partition is not paused. So a pause holds whatever becomes of Redis:
 * jobs that have begun end, and no others begin. The owner keeps its lease meanwhile.
 */
export function startPausableConsumer(
  partition: number,
  { pauses, start, log }: PausableConsumerOptions,
): PartitionConsumer {
  let consumer: PartitionConsumer | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    const ending = consumer;
    consumer = undefined;
    await ending?.close();
  }

  const rounds = startRounds({
    everyMs: againEveryMs,
    roundMaxMs,
    round: async () => {
      if (pauses.isPaused(partition)) await end();
      else if (!isClosed) consumer ??= start();
    },
    logged: { log, what: 'following the pause of a partition' },
  });
  const stopListening = pauses.onPauses(() => {
    rounds.hasten();
  });
  return {
    async close(): Promise<void> {
      isClosed = true;
      stopListening();
      // At once, because what is not begun has to be given up before the rest has ended.
      await Promise.all([end(), rounds.close()]);
    },
  };
}
