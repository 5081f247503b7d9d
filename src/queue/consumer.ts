import type { Processor, Worker } from 'bullmq';
import { startRounds } from '../waiting/rounds.ts';

/** How many looks in a row must find jobs that wait, and none begun since the look before. */
const stuckLooksMax = 2;

/**
 * Takes jobs from a queue, by a worker of BullMQ that is replaced if it takes none of those that wait. If a node of a cluster
 * dies at the wrong moment, the connection on which BullMQ waits for jobs may never come back, without any error. Source:
 * BullMQ's issue 4138.
 * @param open opens a worker, now and in place of one that is stuck.
 * @param hasWaiting whether jobs wait that it may take.
 * @param lookEveryMs the pause between looks, and the longest that a look may take.
 */
export function startConsumer<Data, Result>(
  open: (process: Processor<Data, Result>) => Worker<Data, Result>,
  process: Processor<Data, Result>,
  hasWaiting: () => Promise<boolean>,
  lookEveryMs: number,
  onReplaced: () => void,
) {
  let [begun, inHand, begunBefore, stuckLooks] = [0, 0, -1, 0];
  let isClosed = false;
  let isPaused = false;
  // All three by name: BullMQ gives a signal only to what has a parameter for it.
  const counted: Processor<Data, Result> = async (job, token, signal) => {
    begun += 1;
    inHand += 1;
    try {
      return await process(job, token, signal);
    } finally {
      inHand -= 1;
    }
  };
  let worker = open(counted);
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs: lookEveryMs,
    round: async () => {
      const [looks, isIdle] = [stuckLooks + 1, begun === begunBefore && inHand === 0];
      // Reset first, so that a look that fails, because Redis is away, ends the row.
      stuckLooks = 0;
      begunBefore = begun;
      if (!isIdle || !(await hasWaiting()) || begun !== begunBefore || isClosed || isPaused) return;
      if (looks < stuckLooksMax) {
        stuckLooks = looks;
        return;
      }
      onReplaced();
      void worker.close(true).catch(() => undefined);
      worker = open(counted);
    },
  });
  return {
    /** Takes no more jobs for now; those in hand go on. */
    async pause(): Promise<void> {
      isPaused = true;
      await worker.pause(true);
    },
    resume(): void {
      isPaused = false;
      void worker.resume();
    },
    /** Takes no more jobs; resolves once those in hand have ended, and Redis knows it. */
    async close(): Promise<void> {
      isClosed = true;
      void rounds.close();
      await worker.close();
    },
  };
}
