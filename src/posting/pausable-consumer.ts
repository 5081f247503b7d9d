import type { Logger } from '../log.ts';
import type { PartitionConsumer } from '../queue/partition-consumer.ts';
import { startRounds } from '../rounds.ts';

interface PausableConsumerTools {
  /** Whether the partition is paused, as MongoDB says. */
  readonly isPaused: () => boolean;
  /** Calls a listener whenever that may be otherwise, until the function that it returns is called. */
  readonly onPauses: (listener: () => void) => () => void;
  /** Makes ready what the consumer takes from; may be repeated. */
  readonly prepare: () => Promise<void>;
  readonly start: () => PartitionConsumer;
  readonly log: Logger;
}

/** For what could not be made ready. */
const againEveryMs = 1_000;
/** Longer than a consumer takes to end. */
const roundMaxMs = 30_000;

/**
 * A partition's consumer that is there only while the partition is not paused. So a pause holds whatever becomes of Redis:
 * jobs that have begun end, and no others begin. The owner keeps its lease meanwhile.
 */
export function startPausableConsumer({
  isPaused,
  onPauses,
  prepare,
  start,
  log,
}: PausableConsumerTools): PartitionConsumer {
  let consumer: PartitionConsumer | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    const ending = consumer;
    consumer = undefined;
    await ending?.close();
  }

  const rounds = startRounds({
    ...{ everyMs: againEveryMs, roundMaxMs },
    round: async () => {
      if (isPaused()) await end();
      else if (consumer === undefined) {
        await prepare();
        if (!isClosed && !isPaused()) consumer = start();
      }
    },
    told: { log, what: 'following the pause of a partition' },
  });
  const stopListening = onPauses(() => {
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
